import { ConfigurationError, ConnectionError, TimeoutError, TrackingError } from '../errors.ts';
import { abortable, MAX_TIMER_MS, Scope } from '../internal/signal.ts';
import { Observer } from '../transport/observer.ts';
import { Redactor } from '../transport/redact.ts';
import { resolveOptions, type Settings } from '../transport/settings.ts';
import { McpProtocolError, unreadable } from './errors.ts';
import { HttpChannel, type McpCall } from './http.ts';
import { OAuthSession } from './oauth.ts';
import { createPeer, HttpTransport, official, STREAM_ENDED, stdioTransport } from './official-client.ts';
import {
  type ClientInfo,
  type ConnectMcpOptions,
  checkConnectOptions,
  checkStdio,
  type McpCallOptions,
  type McpHttpOptions,
  type McpStdioOptions,
  parseEndpoint,
  resolveOAuth,
} from './options.ts';

/** The server of a connection, and the limits of its calls. */
export interface Destination {
  readonly method: string;
  readonly path: string;
  /** Masks credentials, because a response may repeat them. */
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly settings: Pick<Settings, 'validation' | 'timeout' | 'deadline'>;
  /** Creates a transport for one session. */
  transport(): Promise<official.Transport>;
  /** Aborts waiting requests. */
  close(): void;
}

/** Sends one request of the official client, within the limits of its call. */
export type Send<T> = (peer: official.Client, bounds: Bounds) => Promise<T>;

/** The limits of a request of the official client. The time limit of the official client is never reached. */
interface Bounds {
  /** The number of the call, which the official client passes on to its transport. */
  readonly relatedRequestId: number | undefined;
  readonly signal: AbortSignal;
  readonly timeout: number;
}

interface Session {
  readonly peer: official.Client;
  readonly transport: official.Transport;
  /** Running calls. */
  readonly calls: Set<Promise<unknown>>;
}

/** An open connection. If the server has lost the session, the connection opens a new session. */
export class Connection {
  readonly destination: Destination;
  readonly #clientInfo: ClientInfo;
  readonly #closing = new AbortController();
  #session: Session | undefined;
  #reopening: Promise<void> | undefined;

  private constructor(destination: Destination, clientInfo: ClientInfo) {
    this.destination = destination;
    this.#clientInfo = clientInfo;
  }

  /**
   * Opens a connection, and agrees with the server on a revision of the protocol. If this fails, nothing stays open.
   *
   * @throws {ConfigurationError} for options that cannot work. Its message does not contain values that may be secret.
   */
  static async open(options: ConnectMcpOptions): Promise<Connection> {
    const clientInfo = checkConnectOptions(options);
    const destination = options.stdio === undefined ? toEndpoint(options, clientInfo) : toProgram(options);
    const connection = new Connection(destination, clientInfo);
    try {
      await connection.#open({ signal: options.signal });
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** The official client of the session. */
  get peer(): official.Client | undefined {
    return this.#session?.peer;
  }

  /** The result of a request, and the fields of its call for hooks. */
  async request<T>(
    operation: string,
    options: McpCallOptions,
    send: Send<T>,
    repeatable = true,
  ): Promise<{ result: T; about: McpCall['about'] }> {
    for (let isAgain = false; ; isAgain = true) {
      if (this.#reopening) await settled(this.#reopening, options.signal);
      const session = this.#session;
      if (!session || this.#closing.signal.aborted) {
        throw new ConfigurationError('The connection is closed. Make a new one with connectMcp().');
      }
      const call: Omit<McpCall, 'fail'> = { options, operation, repeatable };
      const sending = this.#run(call, false, bounds => send(session.peer, bounds));
      session.calls.add(sending);
      try {
        return { result: await sending, about: call.about };
      } catch (error) {
        if (!call.isSessionLost || isAgain) throw error;
        // All calls wait for the same promise. If a call is aborted, the new session is still opened for the other
        // calls.
        this.#reopening ??= this.#reopen(session).finally(() => (this.#reopening = undefined));
        await settled(this.#reopening, options.signal);
      } finally {
        session.calls.delete(sending);
      }
    }
  }

  /** Ends the session, and rejects running calls. */
  async close(): Promise<void> {
    const { method, path } = this.destination;
    this.#closing.abort(new ConnectionError(`${method} ${path}: the connection has ended: it was closed`));
    const session = this.#session;
    this.#session = undefined;
    if (session?.transport instanceof HttpTransport) await session.transport.terminateSession().catch(() => {});
    await session?.peer.close();
    this.destination.close();
  }

  async #open(options: McpCallOptions): Promise<void> {
    const peer = createPeer(this.#clientInfo);
    const transport = await this.destination.transport();
    const call = { options, operation: 'mcp.connect', repeatable: true };
    try {
      await this.#run(call, true, ({ timeout }) => peer.connect(transport, { timeout }));
      this.#closing.signal.throwIfAborted();
    } catch (error) {
      await peer.close();
      // A peer that was never connected does not close its transport, so the transport is closed here.
      await transport.close();
      throw error;
    }
    this.#session = { peer, transport, calls: new Set() };
  }

  /** Running calls may still get their responses from the lost session, so the session ends after these calls. */
  async #reopen(lost: Session): Promise<void> {
    if (this.#session !== lost) return;
    await this.#open({});
    Promise.allSettled(lost.calls).then(() => lost.peer.close());
  }

  /**
   * Runs a call that observes its signal and its time limits, even if the official client ignores them.
   *
   * @param isOpening true if the call opens a session. The opening of a session may include a sign-in, which has a
   *   separate time limit.
   */
  #run<T>(call: Omit<McpCall, 'fail'>, isOpening: boolean, send: (bounds: Bounds) => Promise<T>): Promise<T> {
    const { settings } = this.destination;
    const http = this.destination instanceof HttpChannel ? this.destination : undefined;
    const { signal, timeout = settings.timeout, deadline = settings.deadline } = call.options;
    return new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const scope = new Scope().follow(signal).follow(this.#closing.signal);
      // Over HTTP, the transport has its own time limits, with more detailed errors. This limit covers the other cases.
      const limitMs = http ? deadline : Math.min(timeout, deadline);
      const code = limitMs < deadline ? 'timeout' : 'deadline';
      if (!isOpening || !http) {
        scope.limit(limitMs + (http ? GRACE_MS : 0), () => timeoutError(this.destination, code, limitMs));
      }
      scope.signal.addEventListener('abort', () => reject(scope.signal.reason), { once: true });
      const fail = (reason: unknown) => {
        reject(reason);
        scope.abort(reason);
      };
      const options = { ...call.options, signal: scope.signal };
      const begun = http?.begin(Object.assign(call, { options, fail }), isOpening);
      send({ relatedRequestId: begun?.number, signal: scope.signal, timeout: MAX_TIMER_MS })
        .then(resolve, error => reject(signal?.aborted ? signal.reason : translated(error, this.destination)))
        .finally(() => {
          scope.dispose();
          begun?.end();
        });
    });
  }
}

function toEndpoint(options: McpHttpOptions, clientInfo: ClientInfo): HttpChannel {
  const url = parseEndpoint(options.url);
  const oauth = resolveOAuth(options.auth, clientInfo.name);
  const { fetch, timeout = DEFAULT_TIMEOUT_MS } = options;
  return new HttpChannel(options, url, oauth && new OAuthSession(url, oauth, { fetch, timeout }));
}

function toProgram({ stdio, timeout, deadline, validation, hooks, logger }: McpStdioOptions): Destination {
  checkStdio(stdio);
  // These are the only options that a connection to a program uses.
  const common = { timeout, deadline, validation, hooks, logger };
  const settings = resolveOptions({ ...common, baseUrl: 'http://localhost/v2', accessToken: 'none' });
  // Errors contain only the name of the program: its folder and its arguments may contain private data.
  const [, folder = '', name = stdio.command] = /^(.*[\\/])?([^\\/]+)$/s.exec(stdio.command) ?? [];
  // The environment contains the API key. The short values of the environment, such as ports and flags, are not secret.
  const secrets = [...Object.values(stdio.env ?? {}), folder].filter(({ length }) => length >= 6);
  return {
    method: 'stdio',
    path: name,
    redactor: Redactor.of(secrets),
    observer: new Observer(settings.hooks, settings.logger),
    settings,
    transport: () => stdioTransport(stdio),
    close: () => {},
  };
}

/** Limit for one request to an authorization server, in ms. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Additional time in ms after the limit of a call. In this time, the last attempt of the call ends the call with a more
 * detailed error.
 */
const GRACE_MS = 50;

/** Settles like the promise, or rejects when the signal aborts. */
function settled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(promise, signal) : promise;
}

function timeoutError({ method, path }: Destination, code: 'timeout' | 'deadline', limitMs: number): TimeoutError {
  return new TimeoutError(`${method} ${path}: no response within ${limitMs} ms`, { code, limitMs });
}

/** Converts an error of the official client into an error of this package. */
function translated(error: unknown, { method, path, redactor }: Destination): unknown {
  // An error of our own `fetch` is passed on, even if it was wrapped.
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof TrackingError) return inner;
  }
  if (error instanceof official.ProtocolError) {
    if (error.data === STREAM_ENDED) return new ConnectionError(`${method} ${path}: ${error.message}`);
    return new McpProtocolError(redactor.text(`${method} ${path}: ${error.message}`), {
      rpcCode: error.code,
      data: redactor.value(error.data),
    });
  }
  const cause = redactor.error(error);
  const ended = error instanceof official.SdkError && ENDED[error.code];
  if (ended) return new ConnectionError(`${method} ${path}: ${ended}: ${cause.message}`, { cause });
  if ('code' in cause && typeof cause.code === 'string' && /^E[A-Z]+$/.test(cause.code)) {
    return new ConnectionError(`${method} ${path}: ${cause.message}`, { cause });
  }
  const problem = `the response cannot be read: ${firstLine(cause.message)}`;
  return unreadable({ method, path }, problem, { cause });
}

const ENDED: Readonly<Record<string, string>> = {
  CONNECTION_CLOSED: 'the connection has ended',
  NOT_CONNECTED: 'the connection has ended',
  ERA_NEGOTIATION_FAILED: 'the connection has ended',
  REQUEST_TIMEOUT: 'no response',
};

/**
 * Returns only the first line: after it, the official client lists all issues of its schemas. These issues are also in
 * the `cause`.
 */
function firstLine(message: string): string {
  return message.replace(/[:\s]*\[\s.*$/s, '') || 'it is not a message of the protocol';
}
