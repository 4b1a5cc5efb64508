import { ConfigurationError } from '../errors.ts';
import { parseJson } from '../jsonapi/document.ts';

/** One call that has been answered. */
export interface Exchange {
  method: string;
  /** Path below the base URL, without the query. */
  path: string;
  response: Response;
  /** The body; empty when the caller asked for the untouched response. */
  text: string;
  /** Attempts made, the first included. */
  attempts: number;
  /** Time spent waiting for slots of the rate limit, in ms. */
  queuedMs: number;
  requestId: string | undefined;
}

export interface WithResponse<T> {
  data: T;
  /** Status and headers. The body has been read already: see `document`. */
  response: Response;
  /** The JSON document as the service sent it, parsed anew at each access; `undefined` for an empty body. */
  readonly document: unknown;
  /** Attempts made, the first included. */
  attempts: number;
  /** Time spent waiting for slots of the rate limit, in ms. */
  queuedMs: number;
  /** From the response header `x-request-id`. */
  requestId: string | undefined;
}

/** How far a call goes: to the value, or only to the headers of the answer. */
export type Reach = 'body' | 'headers';

/**
 * A call under way. Awaiting it gives the value. It starts in the next microtask, so that `asResponse()` can still
 * change what is read.
 *
 * @example
 * const { data, response, attempts } = await client.shipments.get(id).withResponse();
 */
export class APIPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'APIPromise';
  readonly #exchange: Promise<Exchange>;
  readonly #decode: (exchange: Exchange) => T | Promise<T>;
  #reach: Reach = 'body';
  #started = false;
  #value: Promise<T> | undefined;

  constructor(start: (reach: Reach) => Promise<Exchange>, decode: (exchange: Exchange) => T | Promise<T>) {
    this.#decode = decode;
    this.#exchange = Promise.resolve().then(() => {
      this.#started = true;
      return start(this.#reach);
    });
  }

  /** The value together with the response it came in. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#decoded();
    const { response, text, attempts, queuedMs, requestId } = await this.#exchange;
    return {
      data,
      response,
      attempts,
      queuedMs,
      requestId,
      get document() {
        return text.trim() === '' ? undefined : parseJson(text);
      },
    };
  }

  /**
   * The response with its body unread, for streaming it elsewhere. Call it in the tick that made the call. Retries then
   * end at the headers, and so does `timeout`.
   *
   * @throws {ConfigurationError} if the call has started already.
   */
  async asResponse(): Promise<Response> {
    if (this.#started && this.#reach === 'body') {
      // The call goes on, and this error is all that its caller hears of it.
      this.#exchange.catch(() => {});
      throw new ConfigurationError(
        'asResponse() came too late: call it at once, as in client.shipments.get(id).asResponse().',
      );
    }
    this.#reach = 'headers';
    return (await this.#exchange).response;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what this class is for.
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#decoded().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#decoded().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#decoded().finally(onFinally);
  }

  #decoded(): Promise<T> {
    this.#value ??= this.#exchange.then(exchange => {
      if (this.#reach === 'headers') {
        throw new ConfigurationError('asResponse() was called: the value cannot be awaited as well.');
      }
      return this.#decode(exchange);
    });
    return this.#value;
  }
}
