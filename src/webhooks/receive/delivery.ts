import { rawBytes } from '../notification/raw-body.ts';

/** A request, in the common form for all kinds of servers. */
export interface Delivery {
  method: string | undefined;
  /** The value of a header; the name is in lower case. */
  header(name: string): unknown;
  /** The names of all headers, in any case. */
  names(): Iterable<string>;
  /**
   * The whole body, or the reason why it cannot be read. Stops when the signal is aborted.
   *
   * @throws {WebhookVerificationError} `not_raw` if other code has already read the body.
   */
  read(limit: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'incomplete'>;
}

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

/** The text or bytes of a body that a parser has stored, if any. */
export function findKeptBody(...places: unknown[]): unknown {
  return places.find(value => typeof value === 'string' || ArrayBuffer.isView(value));
}

/** The bytes of a body that a parser has stored, unless they exceed the limit. */
export function bytesWithin(body: unknown, limit: number): Uint8Array<ArrayBuffer> | 'too_large' {
  const bytes = rawBytes(body);
  return bytes.length > limit ? 'too_large' : bytes;
}
