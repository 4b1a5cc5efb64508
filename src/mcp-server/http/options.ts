import { TrackingClient } from '../../client.ts';
import { ConfigurationError } from '../../errors.ts';
import {
  describeValue,
  nonBlankStrings,
  objectArgument,
  optionalFunction,
  optionNames,
  refuseUnknownNames,
  wholeNumberOrInfinity,
} from '../../internal/arguments.ts';
import type { CommonOptions } from '../../options.ts';
import { type ServerSettings, serverSettings, TOOL_OPTION_NAMES, type ToolOptions } from '../options.ts';

/** Settings of the clients that a handler makes. Each caller has its own client. */
export type ClientSettings = CommonOptions;

/** The credential with which the requests of a caller are sent to the tracking service. */
export type ServiceCredential =
  | {
      /** An API key of the service. */
      apiKey: string;
    }
  | {
      /** An access token that the tracking service accepts. */
      accessToken: string;
    };

/** Settings for callers with OAuth access tokens. */
export interface OAuthOptions {
  /** The public address of this server, for which the access tokens are issued: `https://mcp.example`. */
  resource: string;
  /** The addresses of the servers that issue the tokens. */
  authorizationServers: readonly string[];
  /** The scopes that a client may request. @default the metadata list no scopes */
  scopesSupported?: readonly string[] | undefined;
  /**
   * Checks an access token (its signature, its expiry, and that it was issued for `resource`), and returns the credential of
   * this user for the tracking service. Return `null` to refuse the token. If the function throws, the caller gets 502, and
   * the token may still be valid.
   */
  verify(token: string, context: { resource: string; signal: AbortSignal }): Promise<ServiceCredential | null>;
}

/** Options of {@link createMcpHandler}. */
export interface McpHandlerOptions extends ToolOptions {
  /**
   * A client, or settings of a client. Each caller gets its own client, with these settings and the credential of the
   * caller. If you pass a client, its credential is not used.
   * @default { } and the environment variable `TRACKING_BASE_URL`
   */
  client?: TrackingClient | ClientSettings | undefined;
  /**
   * The host names, without ports, that a request may have, instead of the default ones; `false` for any host. Other
   * requests get 403. Otherwise, a web page could reach a server on this machine under a host name that belongs to the
   * page.
   * @default ['localhost', '127.0.0.1', '[::1]'] and the host of `oauth.resource`
   */
  allowedHosts?: readonly string[] | false | undefined;
  /**
   * Hosts, without ports, or origins of web pages that may send requests; `false` for any page. Only the host is
   * compared. A request without the header `Origin` is not from a web page, and is accepted.
   * @default the same as `allowedHosts`
   */
  allowedOrigins?: readonly string[] | false | undefined;
  /**
   * The only path that is served, such as `/mcp`; other paths get 404. Set it if your program does not use the path to
   * select the requests for this handler.
   * @default any path
   */
  path?: string | undefined;
  /** Accepts callers that have an access token. Without this option, only API keys are accepted. */
  oauth?: OAuthOptions | undefined;
  /** The longest body that is read, in bytes. @default 1_048_576 */
  maxBodyBytes?: number | undefined;
  /**
   * Maximum number of callers whose clients are kept. If there are more callers, the handler drops the caller that has
   * sent no request for the longest time.
   * @default 1_000
   */
  maxCallers?: number | undefined;
}

export interface HandlerSettings extends ServerSettings {
  clientFor(credential: ServiceCredential): TrackingClient;
  allowedHosts: string[] | undefined;
  allowedOrigins: string[] | undefined;
  path: string | undefined;
  oauth: OAuthOptions | undefined;
  maxBodyBytes: number;
  maxCallers: number;
}

const OPTION_NAMES = [
  ...TOOL_OPTION_NAMES,
  ...optionNames<Omit<McpHandlerOptions, keyof ToolOptions>>({
    client: true,
    allowedHosts: true,
    allowedOrigins: true,
    path: true,
    oauth: true,
    maxBodyBytes: true,
    maxCallers: true,
  }),
];

const OAUTH_NAMES = optionNames<OAuthOptions>({
  resource: true,
  authorizationServers: true,
  scopesSupported: true,
  verify: true,
});

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** @throws {ConfigurationError} for an unknown option, or a value that cannot work. */
export function checkHandlerOptions(options: McpHandlerOptions): HandlerSettings {
  refuseUnknownNames(
    'createMcpHandler',
    objectArgument('The argument of createMcpHandler()', options, '{ readOnly: true }'),
    OPTION_NAMES,
  );
  const oauth = options.oauth && checkOAuth(options.oauth);
  const ownHosts = oauth ? [...LOOPBACK, new URL(oauth.resource).hostname] : LOOPBACK;
  const allowedHosts = hostsOf('allowedHosts', options.allowedHosts, ownHosts);
  return {
    ...serverSettings(options),
    clientFor: clientMaker(options.client ?? {}),
    allowedHosts,
    allowedOrigins: hostsOf('allowedOrigins', options.allowedOrigins, allowedHosts),
    path: checkPath(options.path),
    oauth,
    maxBodyBytes: wholeNumberOrInfinity(1, 'maxBodyBytes', options.maxBodyBytes ?? 1_048_576),
    maxCallers: wholeNumberOrInfinity(1, 'maxCallers', options.maxCallers ?? 1_000),
  };
}

function checkPath(path: string | undefined): string | undefined {
  if (path === undefined || (typeof path === 'string' && /^\/[^?#]*$/.test(path))) return path;
  throw new ConfigurationError(`path is ${describeValue(path)}; it must begin with /, for example /mcp.`);
}

function clientMaker(given: TrackingClient | ClientSettings): HandlerSettings['clientFor'] {
  if (given instanceof TrackingClient) return credential => given.withOptions(credential);
  const settings = { ...objectArgument('client', given, "{ baseUrl: 'https://host.example/v2' }") };
  // Throws for wrong settings now, and not at the first request.
  new TrackingClient({ ...settings, apiKey: 'not-sent' });
  return credential => new TrackingClient({ ...settings, ...credential });
}

function hostsOf(
  name: string,
  given: readonly string[] | false | undefined,
  usual: string[] | undefined,
): string[] | undefined {
  if (given === undefined) return usual;
  return given === false ? undefined : nonBlankStrings(name, given).map(value => hostOf(name, value));
}

/** The host of a name or an origin. The port of a request is not compared. */
function hostOf(name: string, value: string): string {
  const host = /^https?:\/\//.test(value) && URL.canParse(value) ? new URL(value).hostname : value;
  if (/^(?:\[[\da-f:.]+\]|[^/:\s]+)$/i.test(host)) return host;
  throw new ConfigurationError(
    `${name} has ${describeValue(value)}; it must be a host without a port, such as mcp.example.`,
  );
}

function checkOAuth(oauth: OAuthOptions): OAuthOptions {
  refuseUnknownNames('oauth', objectArgument('oauth', oauth, "{ resource: 'https://mcp.example', … }"), OAUTH_NAMES);
  const { resource, authorizationServers, scopesSupported = [], verify } = oauth;
  if (typeof verify !== 'function')
    throw new ConfigurationError('oauth.verify is missing; it must be a function that checks a token.');
  if (nonBlankStrings('oauth.authorizationServers', authorizationServers).length === 0) {
    throw new ConfigurationError('oauth.authorizationServers is empty; name the server that issues the tokens.');
  }
  nonBlankStrings('oauth.scopesSupported', scopesSupported);
  for (const address of [resource, ...authorizationServers]) {
    if (!URL.canParse(address))
      throw new ConfigurationError(
        `oauth has ${JSON.stringify(address)}, which is no address; use https://host.example.`,
      );
  }
  return {
    ...oauth,
    resource: resource.replace(/\/+$/, ''),
    authorizationServers: authorizationServers.map(address => address.replace(/\/+$/, '')),
    scopesSupported,
    verify: optionalFunction('oauth.verify', verify),
  };
}
