/** Collects the chunks of a body up to a limit, because `Content-Length` may be wrong. */
export class BodyCollector {
  isTooLarge = false;
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a chunk. Returns true if the body is then too large. */
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
