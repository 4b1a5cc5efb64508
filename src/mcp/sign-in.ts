import { TrackingError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import { isLoopback } from '../transport/origin.ts';
import { type AuthorizationHttp, authorizationFetch, redactorOf } from './authorization-fetch.ts';
import { AuthorizationError, type AuthorizationFailure } from './errors.ts';
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  type OAuthProtectedResourceMetadata,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from './official-client.ts';
import type { ResolvedOAuth } from './options.ts';
import { type Callback, openCallback } from './sign-in-callback.ts';
import type { RegisteredClient, SignIn, Tokens } from './token-store.ts';

/** What an MCP server says about how to sign in, in the header of a refusal. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

/** Asks without a credential, since only a refusal says where to begin. */
export async function requestChallenge(url: URL, http: AuthorizationHttp): Promise<Challenge> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' });
  return extractWWWAuthenticateParams(await authorizationFetch(http)(url, { method: 'POST', headers, body }));
}

/** The authorization server of an MCP server, over the parts of the official client. */
export class AuthorizationServer {
  /** Its name, which everything from it has to bear. */
  readonly issuer: string;
  readonly #url: string;
  /** How it works; none for one that is older than such documents. */
  readonly #metadata: AuthorizationServerMetadata | undefined;
  /** What the MCP server says may be requested. */
  readonly #scopes: readonly string[] | undefined;
  /** What every request to it holds, as far as it is known. The resource is in the server's own spelling. */
  readonly #known: { metadata?: AuthorizationServerMetadata; resource?: string; fetchFn: Fetch };
  readonly #http: AuthorizationHttp;

  /** @throws {AuthorizationError} where the documents are not readable, or about somebody else. */
  static async discover(
    url: URL,
    { resourceMetadataUrl }: Challenge,
    http: AuthorizationHttp,
  ): Promise<AuthorizationServer> {
    const fetchFn = authorizationFetch(http);
    // A server that is older than these documents has none. Where there was no response, the next request rejects too.
    const about = await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl && { resourceMetadataUrl },
      fetchFn,
    ).catch(() => undefined);
    if (about && !checkResourceAllowed({ requestedResource: url, configuredResource: about.resource })) {
      const message = `The server at ${url.origin} says how to sign in to ${about.resource}, which is not where it is.`;
      throw new AuthorizationError('resource_mismatch', message);
    }
    const server = about?.authorization_servers?.[0] ?? new URL('/', url).href;
    const unreadable = 'The document about the authorization server cannot be read.';
    const metadata = await discoverAuthorizationServerMetadata(server, { fetchFn }).catch(
      failing('no_metadata', unreadable, http),
    );
    return new AuthorizationServer(server, metadata, about, http);
  }

  private constructor(
    url: string,
    metadata: AuthorizationServerMetadata | undefined,
    about: OAuthProtectedResourceMetadata | undefined,
    http: AuthorizationHttp,
  ) {
    this.issuer = metadata?.issuer ?? url;
    this.#url = url;
    this.#metadata = metadata;
    this.#scopes = about?.scopes_supported;
    this.#known = {
      ...(metadata && { metadata }),
      ...(about && { resource: about.resource }),
      fetchFn: authorizationFetch(http),
    };
    this.#http = http;
  }

  /**
   * New tokens for a refresh token; `undefined` where it is worth nothing any more.
   *
   * @throws {AuthorizationError} for another refusal, and an error of its own without a response: the refresh token may still be
   * good then.
   */
  async refresh({ client, tokens }: SignIn): Promise<Tokens | undefined> {
    try {
      const refreshToken = tokens?.refreshToken ?? '';
      const clientInformation = this.#informationOf(client);
      const issued = await refreshAuthorization(this.#url, { ...this.#known, clientInformation, refreshToken });
      return tokensOf(issued, tokens?.scope);
    } catch (error) {
      if (error instanceof OAuthError && FINAL.has(error.code)) return undefined;
      return failing('token_refused', NO_TOKEN, this.#http)(error);
    }
  }

  /**
   * Asks a person: registers the program, opens the browser, waits until it comes back, and takes the tokens.
   *
   * @param stored what is known from before.
   * @throws {AuthorizationError} with the reason.
   */
  async signIn(options: ResolvedOAuth, challenge: Challenge, stored: SignIn | undefined): Promise<SignIn> {
    const { openBrowser } = options;
    if (!openBrowser) {
      throw new AuthorizationError(
        'no_browser',
        'A person has to sign in. Pass oauth.openBrowser, which shows a page.',
      );
    }
    const { secrets } = this.#http;
    const state = crypto.randomUUID();
    const callback = await openCallback(options.redirect, state);
    try {
      const scope = this.#scopeFor(options, challenge, stored);
      secrets.add(options.client?.secret);
      const client = await this.#clientFor(options, callback.url, stored, scope);
      const clientInformation = this.#informationOf(client);
      const request = { ...this.#known, clientInformation, state, redirectUrl: callback.url, ...(scope && { scope }) };
      const { authorizationUrl, codeVerifier } = await startAuthorization(this.#url, request).catch(
        failing('no_metadata', 'The authorization server has no way to sign in that is safe.', this.#http),
      );
      checkPage(authorizationUrl);
      const returned = await this.#opened(() => openBrowser(authorizationUrl), callback, options.signInTimeout);
      if (returned.get('state') !== state) {
        throw new AuthorizationError('state_mismatch', 'The browser came back with the response to another request.');
      }
      const authorizationCode = this.#codeOf(returned);
      for (const secret of [authorizationCode, codeVerifier, client.client_secret]) secrets.add(secret);
      const issued = await exchangeAuthorization(this.#url, {
        ...{ ...this.#known, clientInformation, codeVerifier, authorizationCode, redirectUri: callback.url },
        ...(returned.has('iss') && { iss: returned.get('iss') as string }),
      }).catch(failing('token_refused', NO_TOKEN, this.#http));
      const resourceMetadataUrl = challenge.resourceMetadataUrl?.href;
      return { issuer: this.issuer, client, tokens: tokensOf(issued, scope), resourceMetadataUrl };
    } finally {
      await callback.close();
    }
  }

  /** What the protocol's own words for a program are. */
  #informationOf({ redirect_uri: _, ...information }: RegisteredClient) {
    return { ...information, issuer: this.issuer };
  }

  /** What the server wants, else what it offers, else what was configured; and what was allowed before, to lose none of it. */
  #scopeFor(options: ResolvedOAuth, challenge: Challenge, stored: SignIn | undefined): string | undefined {
    const wanted = challenge.scope
      ? computeScopeUnion(stored?.tokens?.scope, challenge.scope)
      : this.#scopes?.join(' ') || options.scope;
    // Without it there may be no refresh token.
    const isLasting = wanted && this.#metadata?.scopes_supported?.includes(LASTING);
    return isLasting ? computeScopeUnion(wanted, LASTING) : wanted || undefined;
  }

  /** The program as the server knows it: registered before, by a document of its own, by an earlier sign-in, or now. */
  async #clientFor(
    { client, clientMetadataUrl, clientName }: ResolvedOAuth,
    redirect_uri: string,
    stored: SignIn | undefined,
    scope: string | undefined,
  ): Promise<RegisteredClient> {
    if (client) return { client_id: client.id, client_secret: client.secret, redirect_uri };
    const { client_id_metadata_document_supported, token_endpoint_auth_methods_supported } = this.#metadata ?? {};
    if (clientMetadataUrl !== undefined && client_id_metadata_document_supported === true) {
      return { client_id: clientMetadataUrl, redirect_uri };
    }
    // Another port is another address for many servers.
    if (stored?.client.redirect_uri === redirect_uri) return stored.client;
    // A program on a person's machine can keep no secret, so it requests none where it may.
    const [method = 'none'] = token_endpoint_auth_methods_supported ?? [];
    const clientMetadata = {
      client_name: clientName,
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: token_endpoint_auth_methods_supported?.includes('none') ? 'none' : method,
      application_type: redirect_uri.startsWith('http://') ? 'native' : 'web',
    };
    const { client_id, client_secret, token_endpoint_auth_method } = await registerClient(this.#url, {
      ...{ ...this.#known, clientMetadata, ...(scope && { scope }) },
    }).catch(failing('registration_failed', 'The authorization server does not register this program.', this.#http));
    return { client_id, client_secret, token_endpoint_auth_method, redirect_uri };
  }

  /** What the browser comes back with. `open` may resolve only when the browser is closed, so nothing waits for that. */
  async #opened(open: () => unknown, callback: Callback, timeoutMs: number): Promise<URLSearchParams> {
    const scope = new Scope().follow(this.#http.signal).limit(timeoutMs, () => {
      return new AuthorizationError('timeout', `Nobody has signed in within ${timeoutMs} ms.`);
    });
    try {
      (async () => open())().catch(cause => {
        const message = 'openBrowser has failed, so nobody can sign in. Its error is the cause of this one.';
        scope.abort(new AuthorizationError('no_browser', message, { cause }));
      });
      return await callback.received(scope.signal);
    } finally {
      scope.dispose();
    }
  }

  /** The code with which the browser came back. A refusal is shown only if it is from the server that was opened. */
  #codeOf(returned: URLSearchParams): string {
    const iss = returned.get('iss') ?? undefined;
    const issParameterSupported = this.#metadata?.authorization_response_iss_parameter_supported === true;
    try {
      validateAuthorizationResponseIssuer({ iss, expectedIssuer: this.#metadata?.issuer, issParameterSupported });
    } catch (error) {
      failing('issuer_mismatch', 'The browser came back from another authorization server.', this.#http)(error);
    }
    const code = returned.get('code');
    if (code) return code;
    const said = (returned.get('error') ?? 'no code').slice(0, 200);
    throw new AuthorizationError('denied', `The person, or the authorization server, has refused: ${said}.`);
  }
}

const LASTING = 'offline_access';
const NO_TOKEN = 'The authorization server gave no token.';

/** Refusals after which the refresh token is worth nothing. */
const FINAL = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target']);

/** Throws what the official client has thrown as an error of this package, without secrets. */
function failing(reason: AuthorizationFailure, message: string, http: AuthorizationHttp): (error: unknown) => never {
  return error => {
    if (error instanceof TrackingError) throw error;
    if (error instanceof IssuerMismatchError && reason !== 'issuer_mismatch') {
      throw new AuthorizationError(
        'issuer_mismatch',
        'The document about the authorization server describes another one.',
      );
    }
    const redactor = redactorOf(http);
    const said = error instanceof OAuthError ? ` It says: ${redactor.text(error.code)}.` : '';
    const status = error instanceof RegistrationRejectedError ? ` Its status is ${error.status}.` : '';
    const remedy = reason === 'registration_failed' ? ' Register it there by hand, and pass oauth.client.' : '';
    throw new AuthorizationError(reason, message + said + status + remedy, { cause: redactor.error(error) });
  };
}

/**
 * Whoever wrote the metadata has chosen the address, and `openBrowser` is likely to hand it to the operating system, which starts
 * programs for some schemes.
 */
function checkPage({ protocol, hostname }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  const message = `The page to sign in has an address with ${protocol}, and is not opened.`;
  throw new AuthorizationError('no_metadata', message);
}

/** A token is renewed before it expires: at the latest so long before, in ms, so that it does not expire on the way. */
const MARGIN_MS = 30_000;

/** @param requested what was requested, which a response that does not say otherwise allows. */
function tokensOf({ access_token, refresh_token, expires_in, scope }: OAuthTokens, requested?: string): Tokens {
  const life = expires_in === undefined ? undefined : expires_in * 1000;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    renewAt: life === undefined ? undefined : Date.now() + life - Math.min(MARGIN_MS, life / 10),
    scope: scope ?? requested,
  };
}
