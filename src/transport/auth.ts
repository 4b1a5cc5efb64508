import { ConfigurationError } from '../errors.ts';

/** An access token, or a function that gives the current one. The function is asked before every attempt. */
export type AccessToken = string | (() => string | Promise<string>);

export interface Credentials {
  /** Value of the Authorization header for the next attempt. */
  authorization(): Promise<string>;
  /** Whether asking again may give another credential, so that a 401 is worth one more attempt. */
  readonly renewable: boolean;
  /** What must not appear in anything that is printed. */
  readonly secrets: readonly string[];
  /** What the rate limit of these credentials is shared by. */
  readonly identity: string | (() => unknown);
}

/** `Authorization: Token <key>`: the scheme of API keys (SPEC.md, Authentication). */
export function apiKeyCredentials(apiKey: string): Credentials {
  const key = headerSafe(apiKey, 'apiKey');
  return fixed(`Token ${key}`, key);
}

/** `Authorization: Bearer <token>`: the scheme of OAuth access tokens (SPEC.md, Authentication). */
export function accessTokenCredentials(accessToken: AccessToken): Credentials {
  if (typeof accessToken !== 'function') {
    const token = headerSafe(accessToken, 'accessToken');
    return fixed(`Bearer ${token}`, token);
  }
  let secrets: readonly string[] = [];
  return {
    renewable: true,
    identity: accessToken,
    get secrets() {
      return secrets;
    },
    async authorization() {
      const token = headerSafe(await accessToken(), 'The result of accessToken()');
      // The one before may still be in use by another attempt.
      if (!secrets.includes(token)) secrets = [token, ...secrets].slice(0, 4);
      return `Bearer ${token}`;
    },
  };
}

function fixed(authorization: string, secret: string): Credentials {
  return { authorization: async () => authorization, renewable: false, secrets: [secret], identity: authorization };
}

/** A header value with a line break would fail later, in an error that prints it. */
function headerSafe(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new ConfigurationError(`${name} is ${typeof value === 'string' ? 'empty' : `not a string`}.`);
  }
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ConfigurationError(
      `${name} holds a space, a line break or a character outside ASCII. Was it copied with its surroundings?`,
    );
  }
  if (/^(Token|Bearer)$/.test(value))
    throw new ConfigurationError(`${name} is only the scheme word; pass the credential.`);
  return value;
}
