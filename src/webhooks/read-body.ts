/** Collects the chunks of a body up to a limit. A length that was announced proves nothing. */
export class BodyCollector {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False once it is too large. */
  add(chunk: Uint8Array): boolean {
    this.#length += chunk.length;
    if (this.#length > this.#limit) return false;
    this.#chunks.push(chunk);
    return true;
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
