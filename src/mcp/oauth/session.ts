import { type APIError, TrackingError } from '../../errors.ts';
import { abortable } from '../../internal/signal.ts';
import { Redactor } from '../../transport/redact.ts';
import { isLoopback } from '../../transport/settings.ts';
import type { Inspect } from '../endpoint.ts';
import type { Authorizer } from '../http.ts';
import { isStrictScopeSuperset } from '../peer.ts';
import { askForChallenge, type Challenge, challengeOf, discover } from './discover.ts';
import { type AuthorizationFetchOptions, authorizationFetch } from './fetch.ts';
import type { OAuthOptions } from './options.ts';
import { signIn } from './sign-in.ts';
import { memoryTokenStore, type SignIn, type TokenStore, type Tokens } from './store.ts';
import { isFresh, refreshed } from './tokens.ts';

/** What of the connection a sign-in needs. */
export interface SessionSettings extends Pick<AuthorizationFetchOptions, 'fetch' | 'timeout'> {
  readonly url: URL;
  readonly options: OAuthOptions & { clientName: string; signInTimeout: number };
}

/** Answers to requests that were under way meanwhile come late: more tokens than these are not under way. */
const MANY = 8;

/**
 * The access token of a connection. It is got from the store, by a refresh, or from a person, in this order; however many
 * calls need one, it is got once.
 */
export class Session implements Authorizer {
  readonly #url: URL;
  readonly #options: SessionSettings['options'];
  readonly #store: TokenStore;
  readonly #http: Omit<AuthorizationFetchOptions, 'redactor'>;
  readonly #closing = new AbortController();
  #tokens: Tokens | undefined;
  #renewing: Promise<void> | undefined;
  /** The token that was got last from the authorization server, and not from the store. */
  #given: string | undefined;
  /** Whether that one was taken by the MCP server since. */
  #isTaken = false;
  /** What could not be written, in place of what the store had then: the refresh token of that is spent. */
  #unwritten: { signIn: SignIn; instead: string | undefined } | undefined;
  /** The tokens that were refused last. */
  readonly #refused = new Set<string>();
  #challenge: Challenge | undefined;
  /** What the token was refused for lack of, and what a person was asked for because of that. */
  #missingScope: string | undefined;
  #askedScope: string | undefined;

  constructor({ url, options, fetch, timeout }: SessionSettings) {
    this.#url = url;
    this.#options = options;
    this.#store = options.store ?? memoryTokenStore();
    this.#http = { fetch, timeout, signal: this.#closing.signal, isLocal: isLoopback(url.hostname) };
  }

  /** The service counts the requests of one sign-in together, whichever connection makes them. */
  get identity(): string | (() => unknown) {
    const { id } = this.#store;
    return id === undefined ? this.token : `sign-in ${id}`;
  }

  /** The token for a request. */
  readonly token = (): string => this.#tokens?.accessToken ?? '';

  async ready(signal: AbortSignal): Promise<void> {
    if (!this.#tokens || !isFresh(this.#tokens)) await abortable(this.#renew(), signal);
  }

  readonly inspect: Inspect = (response, sent) => {
    const token = sent.replace(/^Bearer /, '');
    if (response.ok) this.#isTaken ||= token === this.#given;
    if (response.status !== 401 && response.status !== 403) return;
    const challenge = challengeOf(response);
    if (response.status === 403) {
      if (challenge.error !== 'insufficient_scope') return;
      this.#missingScope = challenge.scope;
    }
    this.#refused.add(token);
    if (this.#refused.size > MANY) this.#refused.delete([...this.#refused][0] as string);
    this.#challenge = challenge;
  };

  async renewed({ status }: APIError, tries: number, signal: AbortSignal): Promise<boolean> {
    if (tries > 2 || !this.#mayRenew(status)) return false;
    await abortable(this.#renew(), signal);
    return true;
  }

  /** A server that refuses what it has just given would have a person sign in again and again. */
  #mayRenew(status: number): boolean {
    if (status === 401) return this.#given === undefined || this.#isTaken || !this.#refused.has(this.#given);
    if (status !== 403 || this.#missingScope === undefined) return false;
    // Another call may be asking now.
    if (this.#renewing) return true;
    if (this.#missingScope === this.#askedScope) return false;
    this.#askedScope = this.#missingScope;
    return true;
  }

  close(): void {
    this.#closing.abort(new TrackingError('The connection was closed during a sign-in.', { code: 'closed' }));
  }

  /** One at a time: a refresh token is good for one use. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#store
      .exclusive(this.#url.href, () => this.#next(), this.#closing.signal)
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #next(): Promise<void> {
    // A store may pay no heed to the signal.
    this.#closing.signal.throwIfAborted();
    const read = await this.#store.read(this.#url.href);
    const instead = read?.tokens?.accessToken;
    const stored = this.#unwritten?.instead === instead ? (this.#unwritten?.signIn ?? read) : read;
    const { tokens } = stored ?? {};
    // Somebody else was faster.
    if (tokens && !this.#refused.has(tokens.accessToken) && isFresh(tokens)) {
      this.#tokens = tokens;
      return;
    }
    const next = await this.#got(stored);
    // Before it is written, which may fail.
    this.#unwritten = { signIn: next, instead };
    this.#tokens = next.tokens;
    this.#given = next.tokens?.accessToken;
    this.#isTaken = false;
    this.#challenge = undefined;
    this.#missingScope = undefined;
    await this.#store.write(this.#url.href, next);
    this.#unwritten = undefined;
  }

  /** By a refresh, or from a person. */
  async #got(stored: SignIn | undefined): Promise<SignIn> {
    const redactor = Redactor.of([stored?.tokens?.refreshToken, stored?.client.client_secret].filter(isText));
    const fetch = authorizationFetch({ ...this.#http, redactor });
    const challenge = this.#challenge ?? knownChallenge(stored) ?? (await askForChallenge(this.#url, fetch));
    const authority = await discover(this.#url, challenge, fetch);
    // A token is never shown to another authorization server than the one that it is from.
    const own = stored?.issuer === authority.issuer ? stored : undefined;
    // A refresh gives no more than what was allowed.
    if (own?.tokens?.refreshToken && !isStrictScopeSuperset(this.#missingScope, own.tokens.scope)) {
      const tokens = await refreshed(own, authority, fetch, redactor);
      if (tokens) return { ...own, tokens };
      // It is worth nothing now, whatever comes of the sign-in.
      await this.#store.write(this.#url.href, { ...own, tokens: undefined });
    }
    return signIn({ options: this.#options, authority, challenge, stored: own, http: this.#http });
  }
}

/** Where an earlier sign-in began. */
function knownChallenge(stored: SignIn | undefined): Challenge | undefined {
  if (!stored) return undefined;
  const { resourceMetadataUrl: url } = stored;
  return url !== undefined && URL.canParse(url) ? { resourceMetadataUrl: new URL(url) } : {};
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
