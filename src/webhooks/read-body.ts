/** Collects the chunks of a body up to a limit. A length that was announced proves nothing. */
export class BodyCollector {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isTooLarge(): boolean {
    return this.#length > this.#limit;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (!this.isTooLarge) this.#chunks.push(chunk);
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
