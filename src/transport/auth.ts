import { ConfigurationError } from '../errors.ts';
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
  /** True if the next attempt may get a different credential, so that one more attempt makes sense after a 401. */
  readonly renewable: boolean;
  /** Clients with the same identity share one rate limit. */
  readonly identity: string | (() => unknown);
  /** Masks the credentials that are in use. */
  readonly redactor: Redactor;
}

/** `Authorization: Token <key>`: the scheme of API keys. */
export function apiKeyCredentials(apiKey: string): Credentials {
  const key = headerSafe(apiKey, 'apiKey');
  return fixed(`Token ${key}`, key);
}

/** `Authorization: Bearer <token>`: the scheme of OAuth access tokens. */
export function accessTokenCredentials(accessToken: AccessToken): Credentials {
  if (typeof accessToken === 'function') return renewable(accessToken);
  const token = headerSafe(accessToken, 'accessToken');
  return fixed(`Bearer ${token}`, token);
}

function fixed(header: string, secret: string): Credentials {
  const credential = { header, redactor: new Redactor([new Spellings(secret)]) };
  return { current: credential, renewable: false, identity: header, redactor: credential.redactor };
}

/** Number of tokens that are masked: a response may contain the token of another recent attempt. */
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

/** The value is checked here, because the error that `fetch` throws for a wrong value contains the value. */
function headerSafe(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new ConfigurationError(`${name} is ${typeof value === 'string' ? 'empty' : `not a string`}.`);
  }
  // A value that begins with a quote is not valid either: the quote comes from an env file or from a shell.
  if (!/^(?!(Token|Bearer)$|["'])[\x21-\x7e]+$/.test(value)) {
    throw new ConfigurationError(
      `${name} holds a space, a line break, a quote, the word Token or Bearer, or non-ASCII text. Pass the credential alone.`,
    );
  }
  return value;
}
