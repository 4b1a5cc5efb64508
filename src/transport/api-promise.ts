import { ConfigurationError } from '../errors.ts';
import { parseJson } from '../jsonapi/document.ts';
import type { Call, Exchange } from './call.ts';
import { requestIdOf } from './failure.ts';

/** A value together with the response that contained it. */
export interface WithResponse<T> {
  /** The value of the call, as `await` returns it. */
  data: T;
  /** Status and headers. The body has been read already: see `document`. */
  response: Response;
  /** The JSON document as the service sent it, parsed again at each access; `undefined` for an empty body. */
  readonly document: unknown;
  /** Number of attempts, including the first. */
  attempts: number;
  /** Time for which the call waited for slots of the rate limit, in ms. */
  queuedMs: number;
  /** From the response header `x-request-id`. */
  requestId: string | undefined;
}

/**
 * A call in progress. `await` returns its value. The call starts in the next microtask, so that `asResponse()` can be
 * called before the start.
 *
 * @example
 * const { data, response, attempts } = await client.shipments.get(id).withResponse();
 */
export class APIPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'APIPromise';
  readonly #call: Pick<Call, 'until' | 'isUnderWay' | 'exchange' | 'attempts' | 'queuedMs'>;
  readonly #value: Promise<T>;
  #isAwaited = false;

  /** @param value settles after `call.exchange` has been set. */
  constructor(call: Pick<Call, 'until' | 'isUnderWay' | 'exchange' | 'attempts' | 'queuedMs'>, value: Promise<T>) {
    this.#call = call;
    this.#value = value;
  }

  /** The value together with the response that contained it. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#awaited();
    const { attempts, queuedMs, exchange } = this.#call;
    const { response, text, redactor } = exchange as Exchange;
    return {
      data,
      response,
      attempts,
      queuedMs,
      requestId: requestIdOf(response, redactor),
      get document() {
        return text.trim() === '' ? undefined : parseJson(text);
      },
    };
  }

  /**
   * The response, whose body was not read, for streaming. Call this in the same tick as the method of the client.
   * Retries, `timeout` and `deadline` then apply only until the headers have arrived.
   *
   * @throws {ConfigurationError} if the call has already started.
   */
  async asResponse(): Promise<Response> {
    if ((this.#call.isUnderWay || this.#isAwaited) && this.#call.until === 'body') {
      // The call continues, but its caller gets only this error.
      this.#value.catch(() => {});
      throw new ConfigurationError('asResponse() came too late: call it at once, as in get(id).asResponse().');
    }
    this.#call.until = 'headers';
    await this.#value;
    return (this.#call.exchange as Exchange).response;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what this class is for.
  then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#awaited().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#awaited().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#awaited().finally(onFinally);
  }

  #awaited(): Promise<T> {
    this.#isAwaited = true;
    if (this.#call.until === 'body') return this.#value;
    return this.#value.then(() => {
      throw new ConfigurationError('asResponse() was called: the value cannot be awaited as well.');
    });
  }
}
