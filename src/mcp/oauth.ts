import { type APIError, TrackingError } from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import { isLoopback } from '../transport/settings.ts';
import { official } from './official-client.ts';
import type { ResolvedOAuth } from './options.ts';
import { type AuthorizationHttp, type Challenge, discover, refresh, requestChallenge, signIn } from './sign-in.ts';
import { memoryTokenStore, type SignIn, type TokenStore, type Tokens } from './token-store.ts';

/**
 * The access token of a connection. It comes from the store, from a refresh, or from a sign-in, in this order. It is fetched
 * once for all calls that need it.
 */
export class OAuthSession {
  readonly #url: URL;
  readonly #options: ResolvedOAuth;
  readonly #store: TokenStore;
  readonly #http: Omit<AuthorizationHttp, 'secrets'>;
  readonly #closing = new AbortController();
  #tokens: Tokens | undefined;
  #renewing: Promise<void> | undefined;
  /**
   * The last token from the authorization server, not from the store. `isTaken`: the MCP server has
   * accepted it.
   */
  #issued: { token: string | undefined; isTaken: boolean } | undefined;
  /**
   * A sign-in that could not be written. It replaces the sign-in in the store, because the refresh token of the stored
   * sign-in is used up.
   */
  #unwritten: { signIn: SignIn; instead: string | undefined } | undefined;
  /** The last refused token. */
  #refused: string | undefined;
  #challenge: Challenge | undefined;
  /** The scope that the refused token lacks, and the last scope that was requested in a sign-in for that reason. */
  #missingScope: string | undefined;
  #requestedScope: string | undefined;

  constructor(url: URL, options: ResolvedOAuth, http: Pick<AuthorizationHttp, 'fetch' | 'timeout'>) {
    this.#url = url;
    this.#options = options;
    this.#store = options.store ?? memoryTokenStore();
    this.#http = { ...http, signal: this.#closing.signal, isLocal: isLoopback(url.hostname) };
  }

  /** The service counts the requests of one sign-in together, over all connections. */
  get identity(): string | (() => unknown) {
    const { id } = this.#store;
    return id === undefined ? this.token : `sign-in ${id}`;
  }

  /** The token of the next request. */
  readonly token = (): string => this.#tokens?.accessToken ?? '';

  /** Resolves when there is a token to send. */
  async ready(signal: AbortSignal): Promise<void> {
    if (!this.#tokens || !isFresh(this.#tokens)) await abortable(this.#renew(), signal);
  }

  /** Reads from the status and headers of a response whether the token was accepted. The body is read later. */
  inspect(response: Response, token: string): void {
    const { status, ok } = response;
    if (ok && this.#issued?.token === token) this.#issued.isTaken = true;
    if (status !== 401 && status !== 403) return;
    const { error, ...challenge } = official.extractWWWAuthenticateParams(response);
    if (status === 403) {
      if (error !== 'insufficient_scope') return;
      this.#missingScope = challenge.scope;
    }
    this.#refused = token;
    this.#challenge = challenge;
  }

  /** True if the token now differs from the refused token, so that the request can be sent again. */
  async renewed({ status }: APIError, tries: number, signal: AbortSignal): Promise<boolean> {
    if (tries > 2 || !this.#mayRenew(status)) return false;
    await abortable(this.#renew(), signal);
    return true;
  }

  /** False if the server refuses a token that was just issued: otherwise there would be one sign-in after another. */
  #mayRenew(status: number): boolean {
    if (status === 401) return !this.#issued || this.#issued.isTaken || this.#issued.token !== this.#refused;
    if (status !== 403 || this.#missingScope === undefined) return false;
    // Another call may be renewing the token now.
    if (this.#renewing) return true;
    if (this.#missingScope === this.#requestedScope) return false;
    this.#requestedScope = this.#missingScope;
    return true;
  }

  close(): void {
    this.#closing.abort(new TrackingError('The connection was closed during a sign-in.', { code: 'closed' }));
  }

  /** Renews the token. Only one process at a time does this, because a refresh token can be used only once. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#store
      .exclusive(this.#url.href, () => this.#next(), this.#closing.signal)
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #next(): Promise<void> {
    // A store may ignore the signal, so the signal is checked again here.
    this.#closing.signal.throwIfAborted();
    const read = await this.#store.read(this.#url.href);
    const instead = read?.tokens?.accessToken;
    const stored = this.#unwritten?.instead === instead ? (this.#unwritten?.signIn ?? read) : read;
    // Another process was faster.
    if (stored?.tokens && stored.tokens.accessToken !== this.#refused && isFresh(stored.tokens)) {
      this.#tokens = stored.tokens;
      return;
    }
    const next = await this.#refreshedOrSignedIn(stored);
    // The sign-in is kept in memory before it is written, because the write may fail.
    this.#unwritten = { signIn: next, instead };
    this.#tokens = next.tokens;
    this.#issued = { token: next.tokens?.accessToken, isTaken: false };
    this.#challenge = undefined;
    this.#missingScope = undefined;
    await this.#store.write(this.#url.href, next);
    this.#unwritten = undefined;
  }

  async #refreshedOrSignedIn(stored: SignIn | undefined): Promise<SignIn> {
    const http = { ...this.#http, secrets: new Set([stored?.tokens?.refreshToken, stored?.client.client_secret]) };
    const challenge = this.#challenge ?? storedChallenge(stored) ?? (await requestChallenge(this.#url, http));
    const authority = await discover(this.#url, challenge, http);
    // A token is sent only to the authorization server that issued it.
    const own = stored?.issuer === authority.issuer ? stored : undefined;
    // A refresh cannot add scopes to the scopes that a person has allowed.
    if (own?.tokens?.refreshToken && !official.isStrictScopeSuperset(this.#missingScope, own.tokens.scope)) {
      const tokens = await refresh(authority, own);
      if (tokens) return { ...own, tokens };
      // The refresh token is now useless, even if the sign-in fails.
      await this.#store.write(this.#url.href, { ...own, tokens: undefined });
    }
    return signIn(authority, this.#options, challenge, own);
  }
}

/** True if the tokens need no renewal yet. It is still possible that the server has revoked the tokens. */
function isFresh({ renewAt }: Tokens): boolean {
  return renewAt === undefined || Date.now() < renewAt;
}

/** The data with which an earlier sign-in started: the address of the metadata. */
function storedChallenge(stored: SignIn | undefined): Challenge | undefined {
  const { resourceMetadataUrl: url } = stored ?? {};
  return stored && (url !== undefined && URL.canParse(url) ? { resourceMetadataUrl: new URL(url) } : {});
}
