import { TrackingError } from '../../errors.ts';
import { Scope } from '../../internal/signal.ts';
import { Redactor } from '../../transport/redact.ts';
import { isLoopback } from '../../transport/settings.ts';
import { AuthorizationError } from '../errors.ts';
import {
  computeScopeUnion,
  exchangeAuthorization,
  IssuerMismatchError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '../peer.ts';
import { type Callback, openCallback } from './callback.ts';
import { type Authority, type Challenge, known } from './discover.ts';
import { type AuthorizationFetchOptions, authorizationFetch } from './fetch.ts';
import type { OAuthOptions } from './options.ts';
import { registeredClient } from './register.ts';
import type { SignIn } from './store.ts';
import { clientInformation, refusedToken, tokensOf } from './tokens.ts';

/** Everything that a sign-in depends on. */
export interface SignInContext {
  readonly options: OAuthOptions & { clientName: string; signInTimeout: number };
  readonly authority: Authority;
  readonly challenge: Challenge;
  /** What is known from before. */
  readonly stored: SignIn | undefined;
  readonly http: Omit<AuthorizationFetchOptions, 'redactor'>;
}

/**
 * Asks a person: registers the program, opens the browser, waits until it comes back, and takes the tokens.
 *
 * @throws {AuthorizationError} with the reason.
 */
export async function signIn(context: SignInContext): Promise<SignIn> {
  const { options, authority, challenge, stored, http } = context;
  const { openBrowser } = options;
  if (!openBrowser) {
    throw new AuthorizationError('no_browser', 'A person has to sign in. Pass oauth.openBrowser, which shows a page.');
  }
  const state = crypto.randomUUID();
  const callback = await openCallback(options.redirect, state);
  try {
    const scope = scopeOf(context);
    const redactor = Redactor.of([options.client?.secret ?? ''].filter(Boolean));
    const fetch = authorizationFetch({ ...http, redactor });
    const client = await registeredClient(options, authority, callback.url, stored, scope, fetch);
    const information = clientInformation(client, authority);
    const { authorizationUrl, codeVerifier } = await startAuthorization(authority.url, {
      ...{ ...known(authority), clientInformation: information, state, redirectUrl: callback.url },
      ...(scope !== undefined && { scope }),
    }).catch(cause => {
      throw new AuthorizationError('no_metadata', 'The authorization server has no way to sign in that is safe.', {
        cause,
      });
    });
    checkPage(authorizationUrl);
    const answer = await answered(() => openBrowser(authorizationUrl), callback, options.signInTimeout, http.signal);
    const code = codeOf(answer, state, authority);
    const secrets = Redactor.of([code, codeVerifier, client.client_secret ?? ''].filter(Boolean));
    const tokens = await exchangeAuthorization(authority.url, {
      ...{ ...known(authority), clientInformation: information, codeVerifier, authorizationCode: code },
      redirectUri: callback.url,
      ...issuerIn(answer),
      fetchFn: authorizationFetch({ ...http, redactor: secrets }),
    }).catch(error => {
      throw refusedToken(error, secrets);
    });
    return {
      issuer: authority.issuer,
      client,
      tokens: tokensOf(tokens, scope),
      resourceMetadataUrl: challenge.resourceMetadataUrl?.href,
    };
  } finally {
    await callback.close();
  }
}

/**
 * Whoever wrote the metadata has chosen the address, and `openBrowser` is likely to hand it to the operating system, which starts
 * programs for some schemes.
 */
function checkPage({ protocol, hostname }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  throw new AuthorizationError(
    'no_metadata',
    `The page to sign in has an address with ${protocol}, and is not opened.`,
  );
}

/** What the server wants, else what it offers, else what was configured; and what was allowed before, to lose none of it. */
function scopeOf({ options, authority, challenge, stored }: SignInContext): string | undefined {
  const before = stored?.issuer === authority.issuer ? stored.tokens?.scope : undefined;
  const wanted = challenge.scope
    ? computeScopeUnion(before, challenge.scope)
    : authority.scopes?.join(' ') || options.scope;
  // Without it there may be no refresh token.
  const isLasting = wanted && authority.metadata?.scopes_supported?.includes(LASTING);
  return isLasting ? computeScopeUnion(wanted, LASTING) : wanted || undefined;
}

const LASTING = 'offline_access';

/** What the browser comes back with. `open` may resolve only when the browser is closed, so nothing waits for that. */
async function answered(
  open: () => unknown,
  callback: Callback,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const scope = new Scope().follow(signal).limit(timeoutMs, () => {
    return new AuthorizationError('timeout', `Nobody has signed in within ${timeoutMs} ms.`);
  });
  try {
    const opening = (async () => open())();
    opening.catch(cause => {
      const message = 'openBrowser has failed, so nobody can sign in. Its error is the cause of this one.';
      scope.abort(new AuthorizationError('no_browser', message, { cause }));
    });
    return await callback.received(scope.signal);
  } finally {
    scope.dispose();
  }
}

/** The code with which the browser came back. What it says is believed only if it is the answer to our question. */
function codeOf(answer: URLSearchParams, state: string, { issuer, metadata }: Authority): string {
  if (answer.get('state') !== state) {
    throw new AuthorizationError('state_mismatch', 'The browser came back with an answer to another question.');
  }
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata && issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    if (error instanceof TrackingError || !(error instanceof IssuerMismatchError)) throw error;
    throw new AuthorizationError('issuer_mismatch', 'The browser came back from another authorization server.');
  }
  const code = answer.get('code');
  if (code) return code;
  const said = answer.get('error') ?? 'no code';
  throw new AuthorizationError(
    'denied',
    `The person, or the authorization server, has refused: ${said.slice(0, 200)}.`,
  );
}

function issuerIn(answer: URLSearchParams): { iss?: string } {
  const iss = answer.get('iss');
  return iss === null ? {} : { iss };
}
