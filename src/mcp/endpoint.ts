import { ConfigurationError } from '../errors.ts';
import type { Fetch } from '../options.ts';
import { accessTokenCredentials, type Credentials } from '../transport/auth.ts';
import { isLoopback, resolveOptions, type Settings } from '../transport/settings.ts';
import type { McpHttpOptions } from './options.ts';

/** What the transport of the REST client needs to know to carry MCP. */
export interface Endpoint {
  readonly settings: Settings;
  /** The same for the rate limit, which holds for MCP and for the REST interface of the same host together. */
  readonly budget: Settings;
  /** The path of the endpoint below the base URL, with its slash. */
  readonly path: string;
}

/** Who has signed in. */
export interface Holder {
  /** The access token of the next request. */
  readonly token: () => string;
  /** Connections with the same one share a rate limit. */
  readonly identity: Credentials['identity'];
}

/**
 * The options as the REST client's own, so that they mean the same and are checked by the same rules.
 *
 * @param holder where there is no API key.
 * @throws {ConfigurationError} for what cannot work.
 */
export function resolveEndpoint(options: McpHttpOptions, url: URL, holder: Holder | undefined): Endpoint {
  const { timeout, deadline, validation, hooks, logger, retry, rateLimit, maxResponseBytes, fetch, headers } = options;
  const budget = resolveOptions({
    ...{ timeout, deadline, validation, hooks, logger, retry, rateLimit, maxResponseBytes, fetch, headers },
    ...(holder ? { accessToken: holder.token } : { apiKey: options.auth.apiKey }),
    dangerouslyAllowBrowser: options.dangerouslyAllowBrowser,
    baseUrl: `${url.origin}/v2`,
  });
  const credentials = holder ? signedIn(holder) : budget.credentials;
  const settings = { ...budget, baseUrl: url.origin, credentials };
  return { settings, budget: { ...budget, credentials }, path: url.pathname };
}

/** The address of the endpoint. @throws {ConfigurationError} for one that is no address, or not safe. */
export function parseEndpoint(input: unknown): URL {
  const text = input instanceof URL ? input.href : input;
  // Without the cause, which holds the input: a password may stand in it.
  if (typeof text !== 'string' || !URL.canParse(text)) {
    throw new ConfigurationError(
      'url is not an absolute URL. Pass the address of the MCP endpoint, for example https://host.example/mcp.',
    );
  }
  const url = new URL(text);
  if (url.username || url.password) {
    throw new ConfigurationError('url holds a user name or password. Remove them and pass auth.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError(
      `url uses ${url.protocol}//, which would send the credential in the clear. Use https; http is accepted for loopback addresses only.`,
    );
  }
  if (url.search || url.hash)
    throw new ConfigurationError('url has a query or a fragment. Remove what follows the path.');
  return url;
}

/** The token of who is signed in. Another one after a 401 is not the pipeline's business: a person may have to sign in. */
function signedIn({ token, identity }: Holder): Credentials {
  const credentials = accessTokenCredentials(token);
  return {
    current: () => credentials.current(),
    renewable: false,
    identity,
    get redactor() {
      return credentials.redactor;
    },
  };
}

/** The headers of an answer, before anything reads its body. */
export type Inspect = (response: Response, sent: string) => void;

/** The `fetch` of the settings, with a look at each answer and what it was sent with. */
export function inspected(fetch: Fetch | undefined, inspect: Inspect): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init);
    inspect(response, new Headers(init?.headers).get('authorization') ?? '');
    return response;
  };
}
