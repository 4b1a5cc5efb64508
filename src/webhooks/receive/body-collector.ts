/** Collects the chunks of a body up to a limit, since `Content-Length` may lie. */
export class BodyCollector {
  isTooLarge = false;
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if the body is too large with this chunk. */
  add(chunk: Uint8Array): boolean {
    this.#length += chunk.length;
    this.isTooLarge = this.#length > this.#limit;
    if (!this.isTooLarge) this.#chunks.push(chunk);
    return this.isTooLarge;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  }
}
