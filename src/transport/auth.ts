import { ConfigurationError } from '../errors.ts';
import { environment } from '../internal/runtime.ts';
import type { AccessToken } from '../options.ts';
import { Redactor, Spellings } from './redact.ts';

/** The credential of one attempt. */
export interface Credential {
  /** Value of the Authorization header. */
  readonly header: string;
  /** Masks this credential, and the credentials that other attempts may use at the same time. */
  readonly redactor: Redactor;
}

export interface Credentials {
  /** The credential, or a function that returns the credential of the next attempt. */
  readonly current: Credential | (() => Promise<Credential>);
  /** True if the next attempt may get a different credential. One more attempt after a 401 then makes sense. */
  readonly renewable: boolean;
  /** Clients with the same identity share one rate limit. */
  readonly identity: string | (() => unknown);
  /** Masks the credentials that are in use. */
  readonly redactor: Redactor;
}

/** `Authorization: Token <key>`: the scheme of API keys. */
export function apiKeyCredentials(apiKey: string): Credentials {
  return fixed('Token', headerSafe(apiKey, 'apiKey'));
}

/** `Authorization: Bearer <token>`: the scheme of OAuth access tokens. */
export function accessTokenCredentials(accessToken: AccessToken): Credentials {
  if (typeof accessToken === 'function') return renewable(accessToken);
  return fixed('Bearer', headerSafe(accessToken, 'accessToken'));
}

function fixed(scheme: string, secret: string): Credentials {
  const header = `${scheme} ${secret}`;
  const redactor = Redactor.of([secret]);
  return { current: { header, redactor }, renewable: false, identity: header, redactor };
}

/** Number of tokens that are masked, because a response may contain the token of another recent attempt. */
const RECENT_TOKENS = 4;

function renewable(accessToken: () => string | Promise<string>): Credentials {
  const recent = new Map<string, { credential: Credential; spellings: Spellings }>();
  const spellings = () => [...recent.values()].map(({ spellings }) => spellings);
  return {
    renewable: true,
    identity: accessToken,
    get redactor() {
      return new Redactor(spellings());
    },
    async current() {
      const token = headerSafe(await accessToken(), 'The result of accessToken()');
      const known = recent.get(token);
      if (known) return known.credential;
      const own = new Spellings(token);
      const credential = { header: `Bearer ${token}`, redactor: new Redactor([own, ...spellings()]) };
      recent.set(token, { credential, spellings: own });
      if (recent.size > RECENT_TOKENS) recent.delete(recent.keys().next().value as string);
      return credential;
    },
  };
}

/** The name of a credential for messages: the variable, if the value is from the environment. */
export function credentialName(name: string, value: unknown): string {
  return value && value === environment('TRACKING_API_KEY') ? 'TRACKING_API_KEY' : name;
}

/** The value is checked here, because the error of `fetch` for a wrong value contains the value. */
function headerSafe(value: unknown, name: string): string {
  if (typeof value === 'string' && /^(?!(Token|Bearer)$|["'])[\x21-\x7e]+$/.test(value)) return value;
  throw new ConfigurationError(`${credentialName(name, value)} ${faultOf(value)}. Pass the credential alone.`);
}

function faultOf(value: unknown): string {
  if (typeof value !== 'string') return 'is not a string';
  if (value === '') return 'is empty';
  // The quote comes from an env file or from a shell.
  if (/^["']/.test(value)) return 'begins with a quote';
  if (/^(Token|Bearer)\b/.test(value)) return 'begins with Token or Bearer';
  return 'holds a space, line break or non-ASCII text';
}
