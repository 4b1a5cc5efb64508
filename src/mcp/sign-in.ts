import { ConfigurationError, ConnectionError, TimeoutError, TrackingError } from '../errors.ts';
import { innermost } from '../internal/connection-hints.ts';
import { builtin } from '../internal/runtime.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import { failureOf } from '../transport/failure.ts';
import { Redactor } from '../transport/redact.ts';
import { readErrorText } from '../transport/response.ts';
import { isLoopback } from '../transport/settings.ts';
import { AuthorizationError, type AuthorizationFailure } from './errors.ts';
import { official } from './official-client.ts';
import type { LoopbackRedirect, ResolvedOAuth } from './options.ts';
import type { RegisteredClient, SignIn, Tokens } from './token-store.ts';

/** The authorization server of an MCP server. */
export interface Authority {
  /** Name of the authorization server. All responses of this server must contain the name. */
  readonly issuer: string;
  readonly url: string;
  /**
   * The values for every request to the authorization server: the metadata of this server, if there are any, and the
   * resource as the MCP server spells it.
   */
  readonly known: { metadata?: official.AuthorizationServerMetadata; resource?: string; fetchFn: Fetch };
  /** The scopes that the MCP server offers. */
  readonly scopes: readonly string[] | undefined;
  readonly http: AuthorizationHttp;
}

/** The data with which a sign-in starts. It is in the response header with which an MCP server refuses a request. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

/** Sends a request without a credential: the server refuses it, and sends the data with which a sign-in starts. */
export async function requestChallenge(url: URL, http: AuthorizationHttp): Promise<Challenge> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' });
  return official.extractWWWAuthenticateParams(await authorizationFetch(http)(url, { method: 'POST', headers, body }));
}

/** @throws {AuthorizationError} if the documents cannot be read, or describe another server. */
export async function discover(url: URL, challenge: Challenge, http: AuthorizationHttp): Promise<Authority> {
  const { resourceMetadataUrl } = challenge;
  const fetchFn = authorizationFetch(http);
  // Every error is ignored, because an older server does not have these documents. If there was no response, the next
  // request rejects too.
  const about = await official
    .discoverOAuthProtectedResourceMetadata(url, resourceMetadataUrl && { resourceMetadataUrl }, fetchFn)
    .catch(() => undefined);
  const { resource, scopes_supported: scopes, authorization_servers } = about ?? {};
  if (
    resource !== undefined &&
    !official.checkResourceAllowed({ requestedResource: url, configuredResource: resource })
  ) {
    const message = `The server at ${url.origin} describes the sign-in of another server, ${resource}.`;
    throw new AuthorizationError('resource_mismatch', message);
  }
  const server = authorization_servers?.[0] ?? new URL('/', url).href;
  const unreadable = 'The document about the authorization server cannot be read.';
  const metadata = await official
    .discoverAuthorizationServerMetadata(server, { fetchFn })
    .catch(failing('no_metadata', unreadable, http));
  const known = { ...(metadata && { metadata }), ...(resource !== undefined && { resource }), fetchFn };
  return { issuer: metadata?.issuer ?? server, url: server, known, scopes, http };
}

/**
 * New tokens for a refresh token; `undefined` if the refresh token is no longer valid.
 *
 * @throws {AuthorizationError} for another refusal. If there was no response, a different error is thrown, because the
 *   refresh token may still be valid.
 */
export async function refresh(authority: Authority, { client, tokens }: SignIn): Promise<Tokens | undefined> {
  const { url, known, http } = authority;
  const clientInformation = informationOf(client, authority);
  try {
    const refreshToken = tokens?.refreshToken ?? '';
    return tokensOf(
      await official.refreshAuthorization(url, { ...known, clientInformation, refreshToken }),
      tokens?.scope,
    );
  } catch (error) {
    if (error instanceof official.OAuthError && FINAL.has(error.code)) return undefined;
    return failing('token_refused', NO_TOKEN, http)(error);
  }
}

/** Refusals after which the refresh token is no longer valid. */
const FINAL = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target']);

const NO_TOKEN = 'The authorization server issued no token.';

/**
 * Signs a person in: registers the program, opens the browser, waits until the browser returns, and requests the
 * tokens.
 *
 * @param stored the earlier sign-in.
 * @throws {AuthorizationError} whose `reason` is the cause.
 */
export async function signIn(
  authority: Authority,
  options: ResolvedOAuth,
  challenge: Challenge,
  stored: SignIn | undefined,
): Promise<SignIn> {
  const { issuer, url, known, http } = authority;
  const { openBrowser } = options;
  if (!openBrowser) {
    throw new AuthorizationError('no_browser', 'A person has to sign in. Pass oauth.openBrowser, which shows a page.');
  }
  const state = crypto.randomUUID();
  const callback = await openCallback(options.redirect, state);
  try {
    const scope = scopeFor(authority, options, challenge, stored);
    http.secrets.add(options.client?.secret);
    const client = await clientFor(authority, options, callback.url, stored, scope);
    const clientInformation = informationOf(client, authority);
    const request = { ...known, clientInformation, state, redirectUrl: callback.url, ...(scope && { scope }) };
    const { authorizationUrl, codeVerifier } = await official
      .startAuthorization(url, request)
      .catch(failing('no_metadata', 'The authorization server does not support a safe way to sign in.', http));
    checkPage(authorizationUrl);
    const returned = await opened(() => openBrowser(authorizationUrl), callback, options.signInTimeout, http.signal);
    if (returned.get('state') !== state) {
      throw new AuthorizationError('state_mismatch', 'The browser returned with the response to another request.');
    }
    const iss = returned.get('iss') ?? undefined;
    const authorizationCode = codeIn(returned, iss, authority);
    for (const secret of [authorizationCode, codeVerifier, client.client_secret]) http.secrets.add(secret);
    const exchange = { ...known, clientInformation, codeVerifier, authorizationCode, redirectUri: callback.url };
    const issued = await official
      .exchangeAuthorization(url, { ...exchange, ...(iss !== undefined && { iss }) })
      .catch(failing('token_refused', NO_TOKEN, http));
    const resourceMetadataUrl = challenge.resourceMetadataUrl?.href;
    return { issuer, client, tokens: tokensOf(issued, scope), resourceMetadataUrl };
  } finally {
    await callback.close();
  }
}

/** The program, with the property names of the protocol. */
function informationOf({ redirect_uri: _, ...information }: RegisteredClient, { issuer }: Authority) {
  return { ...information, issuer };
}

/**
 * The scope to request. If the server requires a scope: this scope and the previously allowed scope. Otherwise the
 * scopes that the server offers, or the option `scope` if the server offers none.
 */
function scopeFor(
  { scopes, known: { metadata } }: Authority,
  options: ResolvedOAuth,
  challenge: Challenge,
  stored: SignIn | undefined,
): string | undefined {
  const wanted = challenge.scope
    ? official.computeScopeUnion(stored?.tokens?.scope, challenge.scope)
    : scopes?.join(' ') || options.scope;
  // Without this scope, there may be no refresh token.
  const lasting = 'offline_access';
  const isOffered = metadata?.scopes_supported?.includes(lasting);
  return wanted && isOffered ? official.computeScopeUnion(wanted, lasting) : wanted || undefined;
}

/**
 * The program as the server knows it: from an earlier registration, from its public document, or from an earlier
 * sign-in. Otherwise the program is registered now.
 */
async function clientFor(
  { url, known, http }: Authority,
  { client, clientMetadataUrl, clientName }: ResolvedOAuth,
  redirect_uri: string,
  stored: SignIn | undefined,
  scope: string | undefined,
): Promise<RegisteredClient> {
  if (client) return { client_id: client.id, client_secret: client.secret, redirect_uri };
  if (clientMetadataUrl !== undefined && known.metadata?.client_id_metadata_document_supported === true) {
    return { client_id: clientMetadataUrl, redirect_uri };
  }
  // The registration of an earlier sign-in is used only for the same address: many servers do not accept another port.
  if (stored?.client.redirect_uri === redirect_uri) return stored.client;
  const methods = known.metadata?.token_endpoint_auth_methods_supported ?? [];
  const clientMetadata = {
    client_name: clientName,
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A program on a person's machine cannot keep a secret, so it does not request a secret if the server allows this.
    token_endpoint_auth_method: methods.includes('none') ? 'none' : (methods[0] ?? 'none'),
    application_type: redirect_uri.startsWith('http://') ? 'native' : 'web',
  };
  const { client_id, client_secret, token_endpoint_auth_method } = await official
    .registerClient(url, { ...known, clientMetadata, ...(scope && { scope }) })
    .catch(failing('registration_failed', 'The authorization server does not register this program.', http));
  return { client_id, client_secret, token_endpoint_auth_method, redirect_uri };
}

/**
 * The address comes from the metadata of a server. `openBrowser` probably passes it to the operating system, which
 * starts programs for some schemes.
 */
function checkPage({ protocol, hostname }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  const message = `The page for the sign-in is not opened, because its address uses ${protocol}.`;
  throw new AuthorizationError('no_metadata', message);
}

/**
 * The parameters with which the browser returned. The promise of `openBrowser` is not awaited, because it may resolve
 * only when the browser is closed.
 */
async function opened(
  open: () => unknown,
  callback: Callback,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const scope = new Scope().follow(signal).limit(timeoutMs, () => {
    return new AuthorizationError('timeout', `Nobody has signed in within ${timeoutMs} ms.`);
  });
  try {
    (async () => open())().catch(cause => {
      const message = 'openBrowser has failed, so nobody can sign in. Its error is the cause.';
      scope.abort(new AuthorizationError('no_browser', message, { cause }));
    });
    return await callback.received(scope.signal);
  } finally {
    scope.dispose();
  }
}

/**
 * The code with which the browser returned. A refusal is reported only if it is from the server whose page was opened.
 */
function codeIn(returned: URLSearchParams, iss: string | undefined, { known: { metadata }, http }: Authority): string {
  const issParameterSupported = metadata?.authorization_response_iss_parameter_supported === true;
  try {
    official.validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
  } catch (error) {
    failing('issuer_mismatch', 'The browser returned from another authorization server.', http)(error);
  }
  const code = returned.get('code');
  if (code) return code;
  const said = (returned.get('error') ?? 'no code').slice(0, 200);
  throw new AuthorizationError('denied', `The person, or the authorization server, has refused: ${said}.`);
}

/**
 * Time in ms. A token is renewed this long before its expiry, so that it does not expire during a request. If a tenth
 * of the token's lifetime is shorter, that time is used instead.
 */
const MARGIN_MS = 30_000;

/** @param requested the requested scope. If the response has no scope, the whole requested scope is allowed. */
function tokensOf(
  { access_token, refresh_token, expires_in, scope }: official.OAuthTokens,
  requested?: string,
): Tokens {
  const life = expires_in === undefined ? undefined : expires_in * 1000;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    renewAt: life === undefined ? undefined : Date.now() + life - Math.min(MARGIN_MS, life / 10),
    scope: scope ?? requested,
  };
}

/** Converts an error of the official client into an error of this package, without secrets, and throws it. */
function failing(reason: AuthorizationFailure, message: string, http: AuthorizationHttp): (error: unknown) => never {
  return error => {
    if (error instanceof TrackingError) throw error;
    if (error instanceof official.IssuerMismatchError && reason !== 'issuer_mismatch') {
      const problem = 'The document about the authorization server describes another server.';
      throw new AuthorizationError('issuer_mismatch', problem);
    }
    const redactor = redactorOf(http);
    const said = error instanceof official.OAuthError ? ` Its error code is ${redactor.text(error.code)}.` : '';
    const status = error instanceof official.RegistrationRejectedError ? ` Its status is ${error.status}.` : '';
    const remedy = reason === 'registration_failed' ? ' Register it there by hand, and pass oauth.client.' : '';
    throw new AuthorizationError(reason, message + said + status + remedy, { cause: redactor.error(error) });
  };
}

/** The limits of requests to authorization servers. */
export interface AuthorizationHttp {
  readonly fetch: Fetch | undefined;
  /** Upper bound in ms for one request, including its response. */
  readonly timeout: number;
  /** Aborts running requests. */
  readonly signal: AbortSignal;
  /** True if the MCP server is on this machine. A remote server must not cause requests to programs on this machine. */
  readonly isLocal: boolean;
  /** Values that errors must not show. */
  readonly secrets: Set<string | undefined>;
}

function redactorOf({ secrets }: AuthorizationHttp): Redactor {
  return Redactor.of([...secrets].filter(secret => secret !== undefined && secret !== '') as string[]);
}

/**
 * A `fetch` for authorization servers. It makes one attempt, and reads the whole response within the timeout.
 * Redirects, and responses such as 429 or 503, are errors. After an error, all later requests fail too. Otherwise the
 * official client would continue as if a document did not exist, and start a sign-in.
 */
function authorizationFetch(http: AuthorizationHttp): Fetch {
  let failure: unknown;
  return async (input, init) => {
    if (failure !== undefined) throw failure;
    try {
      return await send(http, new URL(input instanceof Request ? input.url : input), init);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
}

async function send(http: AuthorizationHttp, url: URL, init: RequestInit | undefined): Promise<Response> {
  const { fetch = globalThis.fetch, timeout, signal, isLocal } = http;
  const { method = 'GET' } = init ?? {};
  const where = `${method} ${url.origin}${url.pathname}`;
  const problem = unsafe(url, isLocal);
  if (problem) throw new AuthorizationError('no_metadata', `${where}: not sent, since the address ${problem}`);
  const late = () =>
    new TimeoutError(`${where}: no complete response within ${timeout} ms`, { code: 'timeout', limitMs: timeout });
  const scope = new Scope().follow(signal).limit(timeout, late);
  try {
    const sending = fetch(url.href, { ...init, redirect: 'manual', signal: scope.signal });
    const response = await abortable(sending, scope.signal);
    const text = await readErrorText(response, scope.signal);
    const { status } = response;
    if (status < 200 || (status >= 300 && status < 400) || status === 429 || status >= 500) {
      const redactor = redactorOf(http);
      throw failureOf({ response, text, method, url: url.href, path: url.pathname, attempts: 1, redactor });
    }
    // Length and encoding are left out: they describe the bytes before decoding.
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return new Response(status === 204 ? null : text, { status, headers });
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    if (error instanceof TrackingError) throw error;
    const cause = redactorOf(http).error(error);
    throw new ConnectionError(`${where}: no response: ${innermost(cause) || cause.name}`, { cause });
  } finally {
    scope.dispose();
  }
}

/** The reason why requests must not be sent to the address; `undefined` if they may be sent. */
function unsafe({ protocol, hostname }: URL, isLocal: boolean): string | undefined {
  if (isLoopback(hostname)) return isLocal ? undefined : 'is on this machine, and the MCP server is not';
  return protocol === 'https:' ? undefined : 'is not https';
}

/** The address that the browser returns to, and its parameters. */
interface Callback {
  /** Address of the callback. */
  readonly url: string;
  /** The parameters with which the browser returned. Rejects with the reason of the signal. */
  received(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** @param state the value that a request and its response share. */
async function openCallback(redirect: ResolvedOAuth['redirect'] = {}, state: string): Promise<Callback> {
  if (!('url' in redirect)) return listen(redirect, state);
  const { url, received } = redirect;
  return {
    url,
    received: async signal => new URL(await abortable(received(signal), signal), url).searchParams,
    close: async () => {},
  };
}

const PAGE = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Signed in</title></head>
<body><p>You can close this window. The program shows the result.</p></body></html>
`;

const OTHER = 'This page belongs to another sign-in. Continue on the page that the program opened last.\n';

/**
 * A server for one response. Other pages and programs on this machine can send requests to it, but these requests
 * change nothing.
 */
async function listen({ port = 0, path = '/callback' }: LoopbackRedirect, state: string): Promise<Callback> {
  const http = builtin('node:http');
  if (!http) {
    throw new ConfigurationError(
      'A sign-in on loopback needs Node 20.16, 22.3 or later, Bun or Deno 2. Elsewhere pass redirect: { url, received }.',
    );
  }
  let arrived: (query: URLSearchParams) => void = () => {};
  const query = new Promise<URLSearchParams>(resolve => (arrived = resolve));
  const server = http.createServer((request, response) => {
    const url = parseTarget(request.url);
    // Browsers also request an icon. This request is not the callback.
    if (request.method !== 'GET' || url?.pathname !== path) return void response.writeHead(404).end();
    // Such a request may come from a tab of an earlier sign-in.
    if (url.searchParams.get('state') !== state) {
      return void response.writeHead(400, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(OTHER);
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    response.end(PAGE, () => arrived(url.searchParams));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => {
      const message = `The sign-in cannot listen on port ${port} of 127.0.0.1. Pass another redirect.port.`;
      reject(new ConfigurationError(message, { cause }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return {
    url: `${LOOPBACK}:${boundPort}${path}`,
    received: signal => abortable(query, signal),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The address of a request; `undefined` for a target that is not an address, such as `//`. */
function parseTarget(target = '/'): URL | undefined {
  return URL.canParse(target, LOOPBACK) ? new URL(target, LOOPBACK) : undefined;
}

const LOOPBACK = 'http://127.0.0.1';
