import { ConfigurationError, TimeoutError } from '../errors.ts';
import { MAX_TIMER_MS, Scope } from '../internal/signal.ts';
import type { Observer } from '../transport/observer.ts';
import type { McpCall } from './call.ts';
import type { Pipeline } from './http/pipeline.ts';
import type { McpCallOptions } from './options.ts';
import type { Peer, PeerTransport } from './peer.ts';
import { type Destination, translated } from './translate.ts';

/** A request of the protocol. */
export interface McpRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly operation: string;
  readonly repeatable: boolean;
}

/** What the official client sends its messages through, and what bounds a call on it. */
export interface Channel extends Destination {
  readonly transport: PeerTransport;
  readonly observer: Observer;
  /** Bounds and repeats each request itself. A program on this machine has none: there the call is bounded here. */
  readonly pipeline: Pipeline | undefined;
  /** For one call where there is no pipeline, in ms. */
  readonly timeout: number;
  /** The same, where the call has another `timeout`. */
  readonly deadline: number;
  /** Ends what else it has started. */
  close(): void;
}

/** An open connection. */
export class Connection {
  readonly #peer: Peer;
  readonly #channel: Channel;
  #isClosed = false;

  private constructor(peer: Peer, channel: Channel) {
    this.#peer = peer;
    this.#channel = channel;
  }

  /** Agrees on a revision of the protocol. On failure nothing stays open. */
  static async open(peer: Peer, channel: Channel, options: McpCallOptions): Promise<Connection> {
    const connection = new Connection(peer, channel);
    const connecting = { options, operation: 'mcp.connect', repeatable: true };
    try {
      await connection.#run(connecting, false, ({ timeout }) => peer.connect(channel.transport, { timeout }));
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  get observer(): Observer {
    return this.#channel.observer;
  }

  /** Where it leads. */
  get destination(): Destination {
    return this.#channel;
  }

  get peer(): Peer {
    return this.#peer;
  }

  /** The result of a request, and how hooks know it. */
  async request(
    { method, params, operation, repeatable }: McpRequest,
    options: McpCallOptions,
  ): Promise<{ result: Record<string, unknown>; about: McpCall['about'] }> {
    if (this.#isClosed) throw new ConfigurationError('The connection is closed. Make a new one with connectMcp().');
    const call = { options, operation, repeatable, about: undefined as McpCall['about'] };
    const request = { method, params } as Parameters<Peer['request']>[0];
    const result = await this.#run(call, true, bounds => this.#peer.request(request as never, bounds));
    return { result: result as Record<string, unknown>, about: call.about };
  }

  /** Ends it, and what is under way on it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#channel.pipeline?.close();
    this.#channel.close();
    await this.#peer.close();
    // A peer that was never connected has closed nothing.
    await this.#channel.transport.close();
  }

  /**
   * Runs a call that settles with its signal and its time limits, whatever the official client does.
   *
   * @param isBounded whether the deadline holds for a sign-in too, as it does not where the connection is opened for it.
   */
  #run<T>(call: Omit<McpCall, 'fail'>, isBounded: boolean, send: (bounds: Bounds) => Promise<T>): Promise<T> {
    const { pipeline } = this.#channel;
    const { signal, timeout = this.#channel.timeout, deadline = this.#channel.deadline } = call.options;
    return new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const scope = new Scope().follow(signal);
      // The pipeline bounds each request, and its error tells more. This is for what comes before a request.
      const limitMs = pipeline ? deadline : Math.min(timeout, deadline);
      const code = limitMs < deadline ? 'timeout' : 'deadline';
      if (isBounded || !pipeline) {
        scope.limit(limitMs + (pipeline ? GRACE_MS : 0), () => timeoutError(this.#channel, code, limitMs));
      }
      scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true });
      const fail = (reason: unknown) => {
        reject(reason);
        scope.abort(reason);
      };
      const options = { ...call.options, signal: scope.signal };
      const known = Object.assign(call, { options, fail });
      const opened = pipeline?.open(known);
      send({ headers: opened?.headers, signal: scope.signal, timeout: MAX_TIMER_MS })
        .then(resolve, error => reject(signal?.aborted ? signal.reason : translated(error, this.#channel)))
        .finally(() => {
          scope.dispose();
          opened?.close();
        });
    });
  }
}

/** How much later than the pipeline the call itself would end, in ms. */
const GRACE_MS = 50;

/** What a request of the official client is given: its own limit never ends it. */
interface Bounds {
  readonly headers: Record<string, string> | undefined;
  readonly signal: AbortSignal;
  readonly timeout: number;
}

function timeoutError({ method, path }: Destination, code: 'timeout' | 'deadline', limitMs: number): TimeoutError {
  return new TimeoutError(`${method} ${path}: no answer within ${limitMs} ms`, { code, limitMs });
}
