import { TrackingError } from '../../errors.ts';
import type { Fetch } from '../../options.ts';
import type { Redactor } from '../../transport/redact.ts';
import { AuthorizationError } from '../errors.ts';
import { OAuthError, refreshAuthorization } from '../peer.ts';
import { type Authority, known } from './discover.ts';
import type { RegisteredClient, SignIn, Tokens } from './store.ts';

/** The answer of a token endpoint. */
interface TokenAnswer {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
  scope?: string | undefined;
}

/** A token is renewed before it expires: at the latest so long before, in ms, so that it does not expire on the way. */
const MARGIN_MS = 30_000;

/** @param asked what was asked for, which an answer that does not say otherwise allows. */
export function tokensOf({ access_token, refresh_token, expires_in, scope }: TokenAnswer, asked?: string): Tokens {
  const life = expires_in === undefined ? undefined : expires_in * 1000;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    renewAt: life === undefined ? undefined : Date.now() + life - Math.min(MARGIN_MS, life / 10),
    scope: scope ?? asked,
  };
}

/** Whether the tokens can be used now, as far as is known here. */
export function isFresh({ renewAt }: Tokens): boolean {
  return renewAt === undefined || Date.now() < renewAt;
}

/** What the protocol's own words for a program are. */
export function clientInformation(client: RegisteredClient, { issuer }: Authority) {
  const { redirect_uri: _, ...information } = client;
  return { ...information, issuer };
}

/** Refusals after which the refresh token is worth nothing. */
const FINAL = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target']);

/**
 * New tokens for a refresh token; `undefined` where the authorization server does not take it any more.
 *
 * @throws {AuthorizationError} for another refusal, and an error of its own where there is no answer: the refresh token may
 * still be good then.
 */
export async function refreshed(
  { client, tokens }: SignIn,
  authority: Authority,
  fetch: Fetch,
  redactor: Redactor,
): Promise<Tokens | undefined> {
  try {
    const answer = await refreshAuthorization(authority.url, {
      ...known(authority),
      clientInformation: clientInformation(client, authority),
      refreshToken: tokens?.refreshToken ?? '',
      fetchFn: fetch,
    });
    return tokensOf(answer, tokens?.scope);
  } catch (error) {
    if (error instanceof OAuthError && FINAL.has(error.code)) return undefined;
    throw refusedToken(error, redactor);
  }
}

/** The error where the token endpoint gave no token. */
export function refusedToken(error: unknown, redactor: Redactor): unknown {
  if (error instanceof TrackingError) return error;
  const said = error instanceof OAuthError ? `: ${redactor.text(error.code)}` : ', or not readably';
  const cause = redactor.error(error);
  return new AuthorizationError('token_refused', `The authorization server gave no token${said}.`, { cause });
}
