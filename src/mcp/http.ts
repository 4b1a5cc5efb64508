import { APIError, NotFoundError } from '../errors.ts';
import { Scope, startTimer } from '../internal/signal.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';
import { NOTHING_INCLUDED } from '../jsonapi/include.ts';
import type { Fetch } from '../options.ts';
import { accessTokenCredentials } from '../transport/auth.ts';
import { type Exchange, eventFields } from '../transport/call.ts';
import { limiterOf } from '../transport/create.ts';
import { PLAIN_JSON, type ResolvedEndpoint, rawPath } from '../transport/endpoint.ts';
import { formatError } from '../transport/failure.ts';
import type { Observer } from '../transport/observer.ts';
import type { Redactor } from '../transport/redact.ts';
import { resolveOptions, type Settings } from '../transport/settings.ts';
import { Transport } from '../transport/transport.ts';
import { unreadable } from './errors.ts';
import type { OAuthSession } from './oauth.ts';
import { HttpTransport, official } from './official-client.ts';
import type { McpCallOptions, McpHttpOptions } from './options.ts';

/** One call through a connection, with the data that its requests share. */
export interface McpCall {
  /** Options whose signal also aborts when the call ends for another reason. */
  readonly options: McpCallOptions;
  /** The name for hooks, such as `mcp.get_container`. */
  readonly operation: string;
  /** True if a second request has no further effect. */
  readonly repeatable: boolean;
  /** Rejects the call. */
  readonly fail: (reason: unknown) => void;
  /** The fields of the call for hooks, after its first response. */
  about?: ReturnType<typeof eventFields> | undefined;
  /** True if the server has lost the session, and has not read the request. */
  isSessionLost?: boolean;
  /** Ends the rest of a stream whose response has arrived. */
  endStream?: () => void;
}

/**
 * Time in ms for a server to end a stream after the response. Most servers end the stream immediately, so that the
 * connection is free for the next request.
 */
const REST_MS = 1000;

/**
 * Options of requests that do not belong to a call: GET opens the event stream of a session, and DELETE ends the
 * session.
 */
const UNASKED: Readonly<Record<string, McpCallOptions>> = {
  GET: { retry: false, priority: 'bulk' },
  DELETE: { retry: false, timeout: 5000, deadline: 5000 },
};

const NOTHING_EXPECTED = {
  types: [],
  schema: undefined,
  tree: NOTHING_INCLUDED,
  asked: false,
  anonymous: false,
} as const;

/** MCP over HTTP, with the rate limit, credential, retries, redaction and time limits of the REST client. */
export class HttpChannel {
  readonly method = 'POST';
  readonly path: string;
  readonly settings: Settings;
  readonly observer: Observer;
  readonly #url: URL;
  readonly #transport: Transport;
  readonly #oauth: OAuthSession | undefined;
  readonly #calls = new Map<unknown, McpCall>();
  /** The call that opens a session. The requests of this call do not contain the number of the call. */
  #opening: McpCall | undefined;
  #last = 0;

  /**
   * The options have the same meaning as in the REST client, and are checked by the same rules.
   *
   * @param oauth present if there is no API key.
   * @throws {ConfigurationError} for options that cannot work.
   */
  constructor(options: McpHttpOptions, url: URL, oauth: OAuthSession | undefined) {
    const { timeout, deadline, validation, hooks, logger, retry, rateLimit, maxResponseBytes, fetch, headers } =
      options;
    const resolved = resolveOptions({
      ...{ timeout, deadline, validation, hooks, logger, retry, rateLimit, maxResponseBytes, fetch, headers },
      ...(oauth ? { accessToken: oauth.token } : { apiKey: options.auth.apiKey }),
      dangerouslyAllowBrowser: options.dangerouslyAllowBrowser,
      // One rate limit applies to MCP and to the REST interface of the same host together.
      baseUrl: `${url.origin}/v2`,
    });
    const credentials = oauth ? signedIn(oauth) : resolved.credentials;
    this.settings = { ...resolved, baseUrl: url.origin, credentials };
    this.path = url.pathname;
    this.#url = url;
    this.#oauth = oauth;
    const inspecting = oauth ? inspected(fetch, oauth) : fetch;
    this.#transport = new Transport({ ...this.settings, fetch: inspecting }, limiterOf({ ...resolved, credentials }));
    this.observer = this.#transport.observer;
  }

  get redactor(): Redactor {
    return this.settings.credentials.redactor;
  }

  async transport(): Promise<HttpTransport> {
    // In each session, the request numbers start again from the beginning, so each session has its own map.
    const requests = new Map<unknown, McpCall>();
    const fetch: Fetch = (_url, init = {}) => this.#send(init, requests);
    return new HttpTransport(this.#url, fetch, (request, number) => {
      const call = this.#calls.get(number) ?? this.#opening;
      if (call) requests.set(request, call);
    });
  }

  /**
   * Begins a call and returns its number. The official client passes the number on to its transport with each request.
   */
  begin(call: McpCall, isOpening: boolean): { number: number; end: () => void } {
    this.#last += 1;
    const number = this.#last;
    this.#calls.set(number, call);
    if (isOpening) this.#opening = call;
    return {
      number,
      end: () => {
        this.#calls.delete(number);
        if (this.#opening === call) this.#opening = undefined;
        call.endStream?.();
      },
    };
  }

  /** Aborts waiting requests. */
  close(): void {
    this.#transport.close();
    this.#oauth?.close();
  }

  /** Sends a message of the official client, or opens or ends its session. */
  async #send(init: RequestInit, requests: Map<unknown, McpCall>): Promise<Response> {
    const headers = new Headers(init.headers);
    const message: Message = typeof init.body === 'string' ? (parseJson(init.body) as Message) : {};
    const isRequest = message.id !== undefined && message.method !== undefined;
    const call = isRequest ? requests.get(message.id) : undefined;
    requests.delete(message.id);
    const scope = new Scope().follow(call?.options.signal).follow(init.signal ?? undefined);
    let isStreaming = false;
    try {
      const endpoint = this.#resolved(init, message, headers, call, scope.signal);
      const exchange = await this.#exchange(endpoint, scope.signal);
      if (call) call.about = eventFields(exchange.call);
      isStreaming = exchange.response.body !== null && isEventStream(exchange.response);
      if (isStreaming) return this.#streamed(exchange, call, scope);
      return isRequest ? answered(exchange, message) : new Response(null, { status: exchange.response.status });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      if (call && error instanceof NotFoundError && headers.has('mcp-session-id')) call.isSessionLost = true;
      // If the server does not offer the stream, or cannot delete the session, the call has not failed.
      const answer = init.method === 'POST' ? protocolAnswer(error, message) : new Response(null, { status: 405 });
      if (!answer) throw error;
      return answer;
    } finally {
      if (!isStreaming) scope.dispose();
    }
  }

  async #exchange(endpoint: ResolvedEndpoint, signal: AbortSignal): Promise<Exchange> {
    // The end of a session must not cause a sign-in.
    const oauth = endpoint.method === 'DELETE' ? undefined : this.#oauth;
    for (let tries = 1; ; tries += 1) {
      await oauth?.ready(signal);
      try {
        return await this.#transport.call(endpoint, exchange => exchange);
      } catch (error) {
        if (!(error instanceof APIError) || !(await oauth?.renewed(error, tries, signal))) throw error;
      }
    }
  }

  #resolved(
    { method = 'GET', body }: RequestInit,
    message: Message,
    headers: Headers,
    call: McpCall | undefined,
    signal: AbortSignal,
  ): ResolvedEndpoint {
    const { timeout, deadline, retry, priority } = call?.options ?? UNASKED[method] ?? {};
    headers.delete('content-type');
    return {
      method: method as ResolvedEndpoint['method'],
      path: this.path,
      template: rawPath(this.path),
      operation: call?.operation ?? `mcp.${message.method ?? (message.id === undefined ? method : 'response')}`,
      query: '',
      filters: '',
      body: typeof body === 'string' ? body : undefined,
      contentType: method === 'POST' ? PLAIN_JSON : undefined,
      repeatable: call?.repeatable ?? message.id === undefined,
      isUnread: isEventStream,
      expected: NOTHING_EXPECTED,
      options: { timeout, deadline, retry, priority, signal, headers: Object.fromEntries(headers) },
    };
  }

  /**
   * The response with its stream of events. The stream ends when its call ends, or when it is longer than
   * `maxResponseBytes`.
   */
  #streamed({ response, call: { endpoint } }: Exchange, call: McpCall | undefined, scope: Scope): Response {
    const { maxResponseBytes } = this.settings;
    let bytes = 0;
    let stopTimer = () => {};
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= maxResponseBytes) return controller.enqueue(chunk);
        const problem = `the event stream is longer than maxResponseBytes, which is ${maxResponseBytes} bytes`;
        const error = unreadable(endpoint, problem);
        call?.fail(error);
        throw error;
      },
    });
    if (call) {
      call.endStream = () => {
        stopTimer = startTimer(REST_MS, () => scope.abort());
      };
    }
    (response.body as ReadableStream<Uint8Array>)
      .pipeTo(counted.writable, { signal: scope.signal })
      .catch(() => {})
      .finally(() => {
        stopTimer();
        if (call) delete call.endStream;
        scope.dispose();
      });
    return new Response(counted.readable, { status: response.status, headers: kept(response.headers) });
  }
}

/** The token of the signed-in person. The transport does not renew it after a 401, because a person may have to sign in. */
function signedIn({ token, identity }: OAuthSession): Settings['credentials'] {
  const credentials = accessTokenCredentials(token);
  return {
    current: credentials.current,
    renewable: false,
    identity,
    get redactor() {
      return credentials.redactor;
    },
  };
}

function inspected(fetch: Fetch | undefined, oauth: OAuthSession): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init);
    oauth.inspect(response, new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '') ?? '');
    return response;
  };
}

interface Message {
  /** Absent in a response. */
  readonly method?: string;
  /** Absent in a notification. */
  readonly id?: string | number;
}

/** True for a stream of events, which stays open until the server has sent everything. */
function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/**
 * The headers that the official client reads. Length and encoding are left out: they describe the bytes before
 * decoding.
 */
function kept(headers: Headers): Record<string, string> {
  const names = ['content-type', 'mcp-session-id'];
  return Object.fromEntries(names.flatMap(name => (headers.has(name) ? [[name, headers.get(name) as string]] : [])));
}

/** @throws {ResponseFormatError} for a body that the official client would silently ignore. */
function answered(exchange: Exchange, { id }: Message): Response {
  const { response, text } = exchange;
  const { status, headers } = response;
  if (!/json\s*(;|$)/i.test(headers.get('content-type') ?? '') || !isAnswer(text, id)) {
    throw formatError(exchange, 'the body is not a response of the protocol');
  }
  return new Response(text, { status, headers: { ...kept(headers), 'content-type': PLAIN_JSON } });
}

function isAnswer(text: string, id: unknown): boolean {
  try {
    const answers = [parseJson(text)].flat();
    return answers.some(answer => isRecord(answer) && answer.jsonrpc === '2.0' && answer.id === id);
  } catch {
    return false;
  }
}

/**
 * Returns a response in place of an HTTP error in two cases: the server has refused the request with an error of the
 * protocol, or it does not support the newest revision, which the client tries first. An error about the credential,
 * the budget or a lost session stays an error.
 */
function protocolAnswer(error: APIError, message: Message): Response | undefined {
  const { status, body } = error;
  if (status < 400 || status >= 500 || [401, 403, 408, 429].includes(status)) return undefined;
  if (message.method === 'server/discover') return Response.json(body ?? null, { status });
  // The status is 200, because the official client does not read a response with another status. The id is added,
  // because not every server sends it.
  const refusal = { jsonrpc: '2.0', id: message.id, error: isRecord(body) ? body.error : undefined };
  return message.id !== undefined && official.isJSONRPCErrorResponse(refusal) ? Response.json(refusal) : undefined;
}
