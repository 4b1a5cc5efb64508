import { APIError, NotFoundError, ResponseFormatError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';
import { NOTHING_INCLUDED } from '../jsonapi/include.ts';
import type { Fetch, RequestOptions } from '../options.ts';
import { type Exchange, eventFields } from '../transport/call.ts';
import { limiterOf } from '../transport/create.ts';
import { PLAIN_JSON, type ResolvedEndpoint, rawPath } from '../transport/endpoint.ts';
import { formatError } from '../transport/failure.ts';
import type { Observer } from '../transport/observer.ts';
import { Transport } from '../transport/transport.ts';
import { type Endpoint, type Inspect, inspected } from './endpoint.ts';
import type { McpCallOptions } from './options.ts';
import { HttpTransport, isJSONRPCErrorResponse } from './peer.ts';

/** One call of the user of a connection, and what its requests share. */
export interface McpCall {
  /** Its signal aborts when the call ends for another reason too. */
  readonly options: McpCallOptions;
  /** The name that hooks see, such as `mcp.get_container`. */
  readonly operation: string;
  /** A second request does no more than the first. */
  readonly repeatable: boolean;
  /** Rejects the call. */
  readonly fail: (reason: unknown) => void;
  /** The fields by which hooks know the call, after its first response. */
  about?: ReturnType<typeof eventFields> | undefined;
  /** The server does not know the session any more, and has not read the request. */
  isSessionLost?: boolean;
  /** Ends the rest of a stream that has brought the response. */
  endStream?: () => void;
}

/** Gets a token before a request, and another one after it was refused. */
export interface Authorizer {
  /** Resolves when there is a token to send. */
  ready(signal: AbortSignal): Promise<void>;
  /** Reads what a response says about the token that was sent. */
  readonly inspect: Inspect;
  /** True if there is now another token than the one that was refused, so that the request is worth another attempt. */
  renewed(refusal: APIError, tries: number, signal: AbortSignal): Promise<boolean>;
}

/** Most servers end a stream right after the response, which leaves its connection to the next request. Others have so long, in ms. */
const REST_MS = 1000;

/** Options of requests that no call asks for: the stream of a session, and its end, which nobody waits for long. */
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
  readonly observer: Observer;
  readonly #endpoint: Endpoint;
  readonly #url: URL;
  readonly #transport: Transport;
  readonly #authorizer: Authorizer | undefined;
  readonly #calls = new Map<unknown, McpCall>();
  /** The call that opens a session. Its requests do not say so. */
  #opening: McpCall | undefined;
  #last = 0;

  constructor(url: URL, endpoint: Endpoint, authorizer: Authorizer | undefined) {
    const { settings } = endpoint;
    const fetch = authorizer ? inspected(settings.fetch, authorizer.inspect) : settings.fetch;
    this.#url = url;
    this.#endpoint = endpoint;
    this.#transport = new Transport({ ...settings, fetch }, limiterOf(endpoint.budget));
    this.#authorizer = authorizer;
    this.observer = this.#transport.observer;
  }

  /** A transport for one session. */
  connect(): HttpTransport {
    // Each session numbers its requests anew.
    const requests = new Map<unknown, McpCall>();
    const fetch: Fetch = (_url, init = {}) => this.#send(init, requests);
    return new HttpTransport(this.#url, fetch, (request, number) => {
      const call = this.#calls.get(number) ?? this.#opening;
      if (call) requests.set(request, call);
    });
  }

  /** Begins a call. Its requests bear the number, which the official client passes on to its transport. */
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

  /** Aborts what waits. */
  close(): void {
    this.#transport.close();
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
      // A stream that is not offered, or a session that cannot be deleted, is not a failure of a call.
      const answer = init.method === 'POST' ? protocolAnswer(error, message) : new Response(null, { status: 405 });
      if (!answer) throw error;
      return answer;
    } finally {
      if (!isStreaming) scope.dispose();
    }
  }

  async #exchange(endpoint: ResolvedEndpoint, signal: AbortSignal): Promise<Exchange> {
    // Nobody signs in to end a session.
    const authorizer = endpoint.method === 'DELETE' ? undefined : this.#authorizer;
    for (let tries = 1; ; tries += 1) {
      await authorizer?.ready(signal);
      try {
        return await this.#transport.call(endpoint, exchange => exchange);
      } catch (error) {
        if (!(error instanceof APIError) || !(await authorizer?.renewed(error, tries, signal))) throw error;
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
    const options: RequestOptions = { timeout, deadline, retry, priority };
    headers.delete('content-type');
    return {
      method: method as ResolvedEndpoint['method'],
      path: this.#endpoint.path,
      template: rawPath(this.#endpoint.path),
      operation: call?.operation ?? `mcp.${message.method ?? (message.id === undefined ? method : 'response')}`,
      query: '',
      filters: '',
      body: typeof body === 'string' ? body : undefined,
      contentType: method === 'POST' ? PLAIN_JSON : undefined,
      repeatable: call?.repeatable ?? message.id === undefined,
      isUnread: isEventStream,
      expected: NOTHING_EXPECTED,
      options: { ...options, signal, headers: Object.fromEntries(headers) },
    };
  }

  /** A response that is a stream of events, as long as its call lasts and as `maxResponseBytes` allows. */
  #streamed({ response, call: { endpoint } }: Exchange, call: McpCall | undefined, scope: Scope): Response {
    const { maxResponseBytes } = this.#endpoint.settings;
    const { method, path } = endpoint;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= maxResponseBytes) return controller.enqueue(chunk);
        const message = `${method} ${path}: the event stream is longer than maxResponseBytes, which is ${maxResponseBytes} bytes`;
        const error = new ResponseFormatError(message, { status: 200, method, path, requestId: undefined });
        call?.fail(error);
        throw error;
      },
    });
    let rest: ReturnType<typeof setTimeout> | undefined;
    if (call) {
      call.endStream = () => {
        rest = setTimeout(() => scope.abort(), REST_MS);
      };
    }
    (response.body as ReadableStream<Uint8Array>)
      .pipeTo(counted.writable, { signal: scope.signal })
      .catch(() => {})
      .finally(() => {
        clearTimeout(rest);
        if (call) delete call.endStream;
        scope.dispose();
      });
    return new Response(counted.readable, { status: response.status, headers: kept(response.headers) });
  }
}

interface Message {
  /** A response has none. */
  readonly method?: string;
  /** A notification has none. */
  readonly id?: string | number;
}

/** A stream of events stay open as long as the server has something to say. */
function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** The headers that the official client reads. Length and coding are those of other bytes. */
function kept(headers: Headers): Record<string, string> {
  const names = ['content-type', 'mcp-session-id'];
  return Object.fromEntries(names.flatMap(name => (headers.has(name) ? [[name, headers.get(name) as string]] : [])));
}

/** @throws {ResponseFormatError} for a body that the official client would pass over without a word. */
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
 * The response to give in place of an error: the server has refused in the words of the protocol, or does not know the newest
 * revision, which the client tries first. An error about the credential, the budget or a lost session stays an error.
 */
function protocolAnswer(error: APIError, message: Message): Response | undefined {
  const { status, body } = error;
  if (status < 400 || status >= 500 || [401, 403, 408, 429].includes(status)) return undefined;
  if (message.method === 'server/discover') return Response.json(body ?? null, { status });
  // With status 200, since the official client reads no other. Not every server says which request it refuses.
  const refusal = { jsonrpc: '2.0', id: message.id, error: isRecord(body) ? body.error : undefined };
  return message.id !== undefined && isJSONRPCErrorResponse(refusal) ? Response.json(refusal) : undefined;
}
