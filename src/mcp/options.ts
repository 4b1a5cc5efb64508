import { ConfigurationError } from '../errors.ts';
import {
  type Checks,
  checkedOptions,
  describeValue,
  kindOf,
  milliseconds,
  objectArgument,
  oneOf,
  optionalFunction,
  optionalSignal,
  wholeNumber,
} from '../internal/arguments.ts';
import type { CommonOptions, RequestOptions } from '../options.ts';
import { isLoopback } from '../transport/settings.ts';
import { VERSION } from '../version.ts';
import type { TokenStore } from './token-store.ts';

/** The options that connections over HTTP and connections to a program have in common. */
export interface McpCommonOptions
  extends Pick<CommonOptions, 'timeout' | 'deadline' | 'validation' | 'hooks' | 'logger'> {
  /**
   * The name and version that this program sends to the server.
   * @default { name: 'container-tracking-sdk', version: <its version> }
   */
  clientInfo?: ClientInfo | undefined;
  /** Aborts connecting, including a sign-in. The call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Credential: an API key. A wrong key leads to an `AuthenticationError`, never to a sign-in. */
export interface ApiKeyAuth {
  /** Sent as `Authorization: Token <key>`. */
  apiKey: string;
  /** Not allowed together with an API key. */
  oauth?: undefined;
}

/** Credential: the tokens of a person who signs in with a browser. */
export interface OAuthAuth {
  /** Not allowed together with OAuth. */
  apiKey?: undefined;
  /** Options of the sign-in. Access tokens are sent as `Authorization: Bearer <token>`. */
  oauth: OAuthOptions;
}

/** The name and version of a program. */
export interface ClientInfo {
  /** Name of the program. */
  name: string;
  /** Version of the program. */
  version: string;
}

/** A connection to the hosted endpoint. */
export interface McpHttpOptions
  extends McpCommonOptions,
    Pick<CommonOptions, 'retry' | 'rateLimit' | 'maxResponseBytes' | 'fetch' | 'headers' | 'dangerouslyAllowBrowser'> {
  /**
   * Address of the MCP endpoint, such as `https://host.example/mcp`. Plain http is accepted for loopback addresses
   * only.
   */
  url: string | URL;
  /**
   * Either an API key or OAuth, and not both. The API key is sent as `Token`, and the access tokens of OAuth are sent
   * as `Bearer`.
   */
  auth: ApiKeyAuth | OAuthAuth;
  /** Not allowed together with `url`. */
  stdio?: undefined;
}

/** The program that serves MCP on its standard input and output. */
export interface StdioOptions {
  /** Path or name of the program. */
  command: string;
  /** Arguments of the program. */
  args?: readonly string[] | undefined;
  /**
   * Environment variables of the program, in addition to the few variables that every program needs. Pass the API key
   * here.
   */
  env?: Readonly<Record<string, string>> | undefined;
  /** Folder in which the program starts. @default the folder of this program */
  cwd?: string | undefined;
  /** Destination of the program's stderr. @default 'inherit' */
  stderr?: 'inherit' | 'ignore' | undefined;
}

/** A connection to a program on this machine. */
export interface McpStdioOptions extends McpCommonOptions {
  /** The program. Connecting starts the program, and `close()` ends the program. */
  stdio: StdioOptions;
  /** Not allowed together with `stdio`. */
  url?: undefined;
  /** Not allowed together with `stdio`. */
  auth?: undefined;
}

/** Options of `connectMcp`: an address or a program, and the limits of the connection. */
export type ConnectMcpOptions = McpHttpOptions | McpStdioOptions;

/**
 * Options of a single call. They replace the options of the connection. `signal` aborts the call at any time: in the
 * queue, during a back-off, or during the response. `retry` and `priority` have an effect only over HTTP.
 */
export type McpCallOptions = Omit<RequestOptions, 'headers'>;

/** Options of the sign-in of a person. */
export interface OAuthOptions {
  /**
   * The place where tokens are stored. With a `fileTokenStore`, a person signs in once for all processes.
   * @default a store in memory, for this connection only
   */
  store?: TokenStore | undefined;
  /**
   * Shows a person the page of the authorization server. Without this function, a sign-in is not possible, so a
   * connection works only with stored tokens. The returned promise may stay pending while the browser is open. The
   * sign-in fails only if the promise rejects.
   */
  openBrowser?: ((url: URL) => void | Promise<void>) | undefined;
  /**
   * The address that the browser returns to: a server of this process on loopback, or your own page.
   * @default a free port of 127.0.0.1, path `/callback`
   */
  redirect?: LoopbackRedirect | OwnRedirect | undefined;
  /** Scopes, separated by spaces. They are requested if the server does not name any scopes. @default none */
  scope?: string | undefined;
  /** The program name that the person sees. @default the name of `clientInfo` */
  clientName?: string | undefined;
  /** The id of this program from an earlier registration. @default the program is registered */
  client?: KnownClient | undefined;
  /** Address of a public document about this program. Some servers accept this document instead of a registration. */
  clientMetadataUrl?: string | undefined;
  /** Time in ms to wait for the person. @default 300_000 */
  signInTimeout?: number | undefined;
}

/** A server on loopback that is open only while a person signs in. It needs Node, Bun or Deno. */
export interface LoopbackRedirect {
  /** The port; 0 means any free port. @default 0 */
  port?: number | undefined;
  /** The path. @default '/callback' */
  path?: string | undefined;
}

/** Your own page. */
export interface OwnRedirect {
  /** Address of the page. */
  url: string;
  /**
   * Returns the address with which the browser returned, including the query. This function is called immediately after
   * `openBrowser`, whose promise is not awaited.
   */
  received: (signal: AbortSignal) => Promise<URL | string>;
}

/** A program that is registered at the authorization server. */
export interface KnownClient {
  /** Id of the program. */
  id: string;
  /** Secret of the program, if it has one. */
  secret?: string | undefined;
}

/** The options for a sign-in, with their defaults. */
export type ResolvedOAuth = OAuthOptions & { clientName: string; signInTimeout: number };

/** Accepts any value, because another function or the settings of the REST client check this option. */
const passed = <T>(_name: string, value: T): T => value;

const PROGRAM_OPTIONS = {
  ...{ timeout: passed, deadline: passed, validation: passed, hooks: passed, logger: passed },
  ...{ url: passed, auth: passed, stdio: passed },
  clientInfo(name, value = { name: 'container-tracking-sdk', version: VERSION }) {
    const given = objectArgument(name, value, "{ name: 'my-program', version: '1.0.0' }");
    return { name: text(`${name}.name`, given.name), version: text(`${name}.version`, given.version) };
  },
  signal: (_name, value) => optionalSignal(value),
} satisfies Checks<McpStdioOptions>;

const HTTP_OPTIONS = {
  ...{ ...PROGRAM_OPTIONS, retry: passed, rateLimit: passed, maxResponseBytes: passed },
  ...{ fetch: passed, headers: passed, dangerouslyAllowBrowser: passed },
} satisfies Record<keyof McpHttpOptions, unknown>;

/**
 * Checks the options that both kinds of connection have.
 *
 * @throws {ConfigurationError} for options that cannot work. Its message does not contain values that may be secret.
 */
export function checkConnectOptions(options: ConnectMcpOptions): ClientInfo {
  objectArgument('The argument of connectMcp()', options, "{ url: 'https://host.example/mcp', auth: { apiKey } }");
  const checks = options.stdio === undefined ? HTTP_OPTIONS : PROGRAM_OPTIONS;
  const { clientInfo, signal } = checkedOptions('connectMcp', options, checks);
  signal?.throwIfAborted();
  return clientInfo;
}

const CALL_OPTIONS = {
  signal: (_name, value) => optionalSignal(value),
  timeout: (name, value) => value === undefined || milliseconds(name, value),
  deadline: (name, value) => value === undefined || milliseconds(name, value),
  ...{ retry: passed, priority: passed },
} satisfies Checks<McpCallOptions>;

/** @throws {ConfigurationError} before the call sends a request. */
export function checkCallOptions(operation: string, options: McpCallOptions): void {
  checkedOptions(operation, objectArgument('The argument for options', options, '{ signal }'), CALL_OPTIONS);
}

/** The address of the endpoint. @throws {ConfigurationError} for an address that cannot be read, or is not safe. */
export function parseEndpoint(input: unknown): URL {
  const address = input instanceof URL ? input.href : input;
  // The error has no `cause`: the `cause` would contain the input, which may include a password.
  must(
    typeof address === 'string' && URL.canParse(address),
    'url is not an absolute URL. Pass the address of the MCP endpoint, for example https://host.example/mcp.',
  );
  const url = new URL(address);
  must(!url.username && !url.password, 'url contains a user name or password. Remove them and pass auth.');
  must(
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)),
    `url uses ${url.protocol}//, which would send the credential in the clear. Use https; http is accepted for loopback addresses only.`,
  );
  must(!url.search && !url.hash, 'url has a query or a fragment. Remove what follows the path.');
  return url;
}

const OAUTH_OPTIONS = {
  store(name, value) {
    for (const method of ['read', 'write', 'exclusive'] as const) {
      const isThere = value === undefined || typeof value?.[method] === 'function';
      must(isThere, `${name} has no method ${method}(): use fileTokenStore or memoryTokenStore.`);
    }
    return value;
  },
  openBrowser: (name, value) => optionalFunction(name, value),
  redirect(name, value) {
    if (value === undefined) return value;
    if ('url' in objectArgument(name, value, '{ port: 8080 }')) checkedOptions(name, value, OWN_REDIRECT, `${name}.`);
    else checkedOptions(name, value, LOOPBACK_REDIRECT, `${name}.`);
    return value;
  },
  scope: optionalText,
  clientName: optionalText,
  client(name, value) {
    return value && checkedOptions(name, objectArgument(name, value, '{ id }'), CLIENT_OPTIONS, `${name}.`);
  },
  clientMetadataUrl(name, value) {
    const isAddress = value === undefined || URL.canParse(text(name, value));
    must(isAddress, `${name} must be the address of a document, with https://.`);
    return value;
  },
  signInTimeout: (name, value = 300_000) => milliseconds(name, value),
} satisfies Checks<OAuthOptions>;

const CLIENT_OPTIONS = { id: text, secret: optionalText } satisfies Checks<KnownClient>;

const OWN_REDIRECT = {
  url: (name, value) => must(URL.canParse(value), `${name} must be an address.`),
  received: (name, value) => must(typeof value === 'function', `${name} must be a function.`),
} satisfies Checks<OwnRedirect>;

const LOOPBACK_REDIRECT = {
  port: (name, value = 0) => must(wholeNumber(name, value, 0) <= 65_535, `${name} must be at most 65535.`),
  path(name, value = '/') {
    const origin = 'http://127.0.0.1';
    const isPath = typeof value === 'string' && value.startsWith('/') && URL.canParse(value, origin);
    // Browsers must return to exactly this path.
    const isKept = isPath && new URL(value, origin).pathname === value;
    must(isKept, `${name} must be a path such as /callback, without a query, written as in an address.`);
  },
} satisfies Checks<LoopbackRedirect>;

/**
 * The options of a sign-in, with their defaults; `undefined` with an API key.
 * @throws {ConfigurationError} for options that cannot work.
 */
export function resolveOAuth(auth: McpHttpOptions['auth'], clientName: string): ResolvedOAuth | undefined {
  const { apiKey, oauth } = objectArgument('auth', auth, '{ apiKey }');
  // The value `null` counts as missing. Otherwise, the key could come from the environment.
  must((apiKey == null) !== (oauth == null), 'auth must have exactly one of apiKey and oauth.');
  if (oauth == null) return undefined;
  const given = objectArgument('auth.oauth', oauth, '{ store, openBrowser }');
  const options = checkedOptions('auth.oauth', given, OAUTH_OPTIONS, 'auth.oauth.');
  return { ...options, clientName: options.clientName ?? clientName };
}

const PROGRAM = {
  command(name, value) {
    const isName = typeof value === 'string' && value !== '';
    must(isName, `${name} is ${describeValue(value)}; it must be the name of a program.`);
  },
  args(name, value = []) {
    const isTexts = Array.isArray(value) && value.every(argument => typeof argument === 'string');
    must(isTexts, `${name} must be an array of texts, one for each argument, such as ['mcp', '-x'].`);
  },
  env(name, value = {}) {
    must(kindOf(value) === 'Object', `${name} must be an object such as { TRACKING_API_KEY: apiKey }.`);
    for (const [variable, set] of Object.entries(value)) {
      const found = set === undefined || set === null ? String(set) : `of type ${typeof set}`;
      must(typeof set === 'string', `${name}.${variable} is ${found}; it must be a text. Leave out what is not set.`);
    }
  },
  cwd(name, value = '') {
    const isFolder = typeof value === 'string' || kindOf(value) === 'URL';
    must(isFolder, `${name} is ${describeValue(value)}; it must be the path of a folder.`);
  },
  stderr: (name, value = 'inherit') => oneOf(name, value, ['inherit', 'ignore']),
} satisfies Checks<StdioOptions>;

/** @throws {ConfigurationError} for options with which the program cannot be started. */
export function checkStdio(stdio: StdioOptions): void {
  checkedOptions('stdio', objectArgument('stdio', stdio, "{ command: 'container-tracking' }"), PROGRAM, 'stdio.');
}

/** The message does not repeat the value, which may be a secret. */
function text(name: string, value: unknown): string {
  const found = value === undefined ? 'missing' : typeof value === 'string' ? 'blank' : 'not a text';
  must(typeof value === 'string' && value.trim() !== '', `${name} is ${found}; it must be a text that is not blank.`);
  return value;
}

function optionalText(name: string, value: string | undefined): string | undefined {
  return value === undefined ? value : text(name, value);
}

function must(isRight: boolean, problem: string): asserts isRight {
  if (!isRight) throw new ConfigurationError(problem);
}
