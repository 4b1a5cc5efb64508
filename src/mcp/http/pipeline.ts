import { APIError } from '../../errors.ts';
import { Scope } from '../../internal/signal.ts';
import { isRecord, parseJson } from '../../jsonapi/document.ts';
import { NOTHING_INCLUDED } from '../../jsonapi/tree.ts';
import type { Fetch, RequestOptions } from '../../options.ts';
import { deadlineError, type Exchange, eventFields, timeLeft } from '../../transport/call.ts';
import { limiterOf } from '../../transport/create.ts';
import { PLAIN_JSON, type ResolvedEndpoint } from '../../transport/endpoint.ts';
import { formatError } from '../../transport/format-error.ts';
import type { Observer } from '../../transport/observer.ts';
import { rawPath } from '../../transport/path.ts';
import { Transport } from '../../transport/transport.ts';
import type { McpCall } from '../call.ts';
import { isJSONRPCErrorResponse } from '../peer.ts';
import { bounded, EventStreams } from './event-stream.ts';
import { type Endpoint, type Inspect, inspected } from './settings.ts';

/** Names the call that a request is made for. It is taken off before anything is sent. */
const CALL_HEADER = 'x-mcp-call';

const NOTHING_EXPECTED = {
  types: [],
  schema: undefined,
  tree: NOTHING_INCLUDED,
  asked: false,
  anonymous: false,
} as const;

/** Gets a token before a request, and another one after it was refused. */
export interface Authorizer {
  /** Resolves when there is a token to send. */
  ready(signal: AbortSignal): Promise<void>;
  /** Looks at an answer, for what it says about the token that was sent. */
  readonly inspect: Inspect;
  /** Whether there is now another token than the one that was refused, so that the request is worth another try. */
  renewed(refusal: APIError, tries: number, signal: AbortSignal): Promise<boolean>;
}

/**
 * The pipeline of the REST client as a `fetch` for MCP: budget, credential, retries, redaction, timeout and deadline are
 * those of every other request.
 */
export class Pipeline {
  readonly observer: Observer;
  readonly #endpoint: Endpoint;
  readonly #transport: Transport;
  readonly #streams = new EventStreams();
  readonly #calls = new Map<string, McpCall>();
  /** What the requests are made for that open the connection: they do not say so. */
  #connecting: McpCall | undefined;
  readonly #authorizer: Authorizer | undefined;
  #last = 0;

  constructor(endpoint: Endpoint, authorizer: Authorizer | undefined) {
    const { settings } = endpoint;
    const fetch = this.#streams.kept(inspected(settings.fetch, authorizer?.inspect ?? (() => {})));
    this.#endpoint = endpoint;
    this.#transport = new Transport({ ...settings, fetch }, limiterOf(endpoint.budget));
    this.#authorizer = authorizer;
    this.observer = this.#transport.observer;
  }

  /** The headers by which the requests of a call are known, until it is over. The first call opens the connection. */
  open(call: McpCall): { headers: Record<string, string>; close: () => void } {
    this.#connecting ??= call;
    this.#last += 1;
    const id = `${this.#last}`;
    this.#calls.set(id, call);
    return { headers: { [CALL_HEADER]: id }, close: () => this.#calls.delete(id) };
  }

  /** Aborts what waits. */
  close(): void {
    this.#transport.close();
  }

  /** Sends a message of the protocol. Has the signature of the global one. */
  readonly fetch: Fetch = async (_url, init = {}) => {
    const headers = new Headers(init.headers);
    const call = this.#calls.get(headers.get(CALL_HEADER) ?? '') ?? this.#connecting;
    headers.delete(CALL_HEADER);
    // The endpoint has nothing to say unasked, so there is no stream to open, and no session to end.
    if (init.method !== 'POST' || typeof init.body !== 'string' || !call) return new Response(null, { status: 405 });
    const message = parseJson(init.body) as Message;
    // The request was aborted, which says the same. An answer to a question of the server is no reason to spend a request:
    // this client has nothing to ask for.
    if (message.method === 'notifications/cancelled' || message.method === undefined) {
      return new Response(null, { status: 202 });
    }

    const scope = new Scope().follow(call.options.signal).follow(init.signal ?? undefined);
    try {
      const exchange = await this.#exchange(call, message, init.body, headers, scope.signal);
      call.about = eventFields(exchange.call);
      return this.#answer(exchange, message, call, init.signal ?? undefined);
    } catch (error) {
      const answer = error instanceof APIError ? protocolAnswer(error, message) : undefined;
      if (!answer) throw error;
      return answer;
    } finally {
      scope.dispose();
    }
  };

  async #exchange(
    call: McpCall,
    message: Message,
    body: string,
    headers: Headers,
    signal: AbortSignal,
  ): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      await this.#authorizer?.ready(signal);
      try {
        return await this.#transport.call(this.#request(call, message, body, headers, signal), exchange => exchange);
      } catch (error) {
        if (!(error instanceof APIError) || !(await this.#authorizer?.renewed(error, tries, signal))) throw error;
      }
    }
  }

  #request(call: McpCall, message: Message, body: string, headers: Headers, signal: AbortSignal): ResolvedEndpoint {
    const { timeout, deadline, retry, priority } = call.options;
    const options: RequestOptions = { timeout, deadline, retry, priority, signal, headers: plain(headers) };
    return {
      method: 'POST',
      path: this.#endpoint.path,
      template: rawPath(this.#endpoint.path),
      operation: call.operation ?? `mcp.${message.method}`,
      query: '',
      filters: '',
      body,
      contentType: PLAIN_JSON,
      repeatable: call.repeatable,
      expected: NOTHING_EXPECTED,
      options,
    };
  }

  /** The answer as the protocol's client takes it. */
  #answer(exchange: Exchange, message: Message, call: McpCall, peerSignal: AbortSignal | undefined): Response {
    const { response, text } = exchange;
    const { status } = response;
    const stream = this.#streams.of(response);
    if (message.id === undefined) {
      stream?.cancel().catch(() => {});
      return new Response(null, { status: 202 });
    }
    const { headers } = response;
    if (!stream) {
      const type = /json\s*(;|$)/i.test(headers.get('content-type') ?? '') ? 'application/json' : undefined;
      if (type === undefined || !isAnswer(text, message)) {
        throw formatError(exchange, 'the body is not an answer of the protocol');
      }
      return new Response(text, { status, headers: { ...kept(headers), 'content-type': type } });
    }
    const body = bounded(stream, {
      signal: call.options.signal,
      peerSignal,
      timeLeft: timeLeft(exchange.call),
      deadlineError: () => deadlineError(exchange.call),
      maxBytes: this.#endpoint.settings.maxResponseBytes,
      request: exchange.call.endpoint,
      id: message.id,
      failed: call.fail,
    });
    return new Response(body, { status, headers: { ...kept(headers), 'content-type': 'text/event-stream' } });
  }
}

interface Message {
  /** An answer has none. */
  readonly method?: string;
  /** A notification has none. */
  readonly id?: string | number;
}

/** What the protocol's client reads beside the body. Length and coding are those of other bytes. */
function kept(headers: Headers): Record<string, string> {
  const session = headers.get('mcp-session-id');
  return session === null ? {} : { 'mcp-session-id': session };
}

function plain(headers: Headers): Record<string, string> {
  headers.delete('content-type');
  return Object.fromEntries(headers);
}

function isAnswer(text: string, { id }: Message): boolean {
  try {
    const answer = parseJson(text);
    return isRecord(answer) && answer.jsonrpc === '2.0' && answer.id === id;
  } catch {
    return false;
  }
}

/**
 * The answer to give in place of an error: the server has refused in the words of the protocol, or does not know the newest
 * revision, which the client tries first. What is about the credential or the budget is an error always.
 */
function protocolAnswer(error: APIError, message: Message): Response | undefined {
  const { status, body } = error;
  if (status < 400 || status >= 500 || [401, 403, 408, 429].includes(status)) return undefined;
  if (message.method === 'server/discover') return Response.json(body ?? null, { status });
  // With status 200, since the official client reads no other. Not every server says which request it refuses.
  const refusal = { jsonrpc: '2.0', id: message.id, error: isRecord(body) ? body.error : undefined };
  return message.id !== undefined && isJSONRPCErrorResponse(refusal) ? Response.json(refusal) : undefined;
}
