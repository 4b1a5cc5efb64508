import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  kindOf,
  milliseconds,
  objectArgument,
  oneOf,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import type { CommonOptions, RequestOptions } from '../options.ts';
import { isLoopback } from '../transport/settings.ts';
import { VERSION } from '../version.ts';
import type { TokenStore } from './token-store.ts';

/** What a connection over HTTP and one to a program have in common. */
export interface McpCommonOptions
  extends Pick<CommonOptions, 'timeout' | 'deadline' | 'validation' | 'hooks' | 'logger'> {
  /** How this program introduces itself. @default { name: 'container-tracking-sdk', version: <its version> } */
  clientInfo?: ClientInfo | undefined;
  /** Ends the connecting, a sign-in included. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** With an API key. A wrong key is an `AuthenticationError`, and never leads to a sign-in. */
export interface ApiKeyAuth {
  /** Sent as `Authorization: Token <key>`. */
  apiKey: string;
  /** Not beside an API key. */
  oauth?: undefined;
}

/** With what a person allows in a browser. */
export interface OAuthAuth {
  /** Not beside OAuth. */
  apiKey?: undefined;
  /** How a person signs in. Access tokens are sent as `Authorization: Bearer <token>`. */
  oauth: OAuthOptions;
}

/** How a program introduces itself. */
export interface ClientInfo {
  /** Its name. */
  name: string;
  /** Its version. */
  version: string;
}

/** A connection to the hosted endpoint. */
export interface McpHttpOptions
  extends McpCommonOptions,
    Pick<CommonOptions, 'retry' | 'rateLimit' | 'maxResponseBytes' | 'fetch' | 'headers' | 'dangerouslyAllowBrowser'> {
  /** Address of the MCP endpoint, such as `https://host.example/mcp`. Plain http for loopback only. */
  url: string | URL;
  /** Exactly one of an API key, sent as `Token`, and OAuth, whose access tokens are sent as `Bearer`. */
  auth: ApiKeyAuth | OAuthAuth;
  /** Not beside an address. */
  stdio?: undefined;
}

/** The program that serves MCP on its standard input and output. */
export interface StdioOptions {
  /** The program. */
  command: string;
  /** Its arguments. */
  args?: readonly string[] | undefined;
  /** Its environment, beside the few variables that every program needs. The API key belongs here. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The folder in which it starts. @default that of this program */
  cwd?: string | undefined;
  /** Where what it writes to stderr goes. @default 'inherit' */
  stderr?: 'inherit' | 'ignore' | undefined;
}

/** A connection to a program on this machine. */
export interface McpStdioOptions extends McpCommonOptions {
  /** The program, which is started now and ended by `close()`. */
  stdio: StdioOptions;
  /** Not beside a program. */
  url?: undefined;
  /** Not beside a program. */
  auth?: undefined;
}

/** Where to connect to, and how. */
export type ConnectMcpOptions = McpHttpOptions | McpStdioOptions;

/**
 * Options of a single call, in place of the connection's. `signal` aborts it wherever it is: in the queue, in a back-off, in the
 * response. `retry` and `priority` have an effect over HTTP only.
 */
export type McpCallOptions = Omit<RequestOptions, 'headers'>;

/** How a person signs in, and where that is kept. */
export interface OAuthOptions {
  /**
   * Keeps tokens. With a `fileTokenStore` a person signs in once for all processes.
   * @default a store in memory, for this connection alone
   */
  store?: TokenStore | undefined;
  /**
   * Shows the person the page of the authorization server. Without it nobody can sign in: a connection then works only
   * with what the store has. Its promise may stay open as long as the browser does; only if it rejects, the sign-in fails.
   */
  openBrowser?: ((url: URL) => void | Promise<void>) | undefined;
  /**
   * Where the browser comes back to: a server of this process on loopback, or a page of your own.
   * @default a free port of 127.0.0.1, path `/callback`
   */
  redirect?: LoopbackRedirect | OwnRedirect | undefined;
  /** What to ask for, where the server does not say: words with spaces between. @default nothing */
  scope?: string | undefined;
  /** The name that the person sees. @default the name of `clientInfo` */
  clientName?: string | undefined;
  /** How this program was registered before. @default it registers itself */
  client?: KnownClient | undefined;
  /** Address of a public document about this program, which some servers take in place of a registration. */
  clientMetadataUrl?: string | undefined;
  /** How long to wait for the person, in ms. @default 300_000 */
  signInTimeout?: number | undefined;
}

/** A server on loopback, open only while a person signs in. Node, Bun or Deno. */
export interface LoopbackRedirect {
  /** The port; 0 stands for any free port. @default 0 */
  port?: number | undefined;
  /** The path. @default '/callback' */
  path?: string | undefined;
}

/** A page of your own. */
export interface OwnRedirect {
  /** Its address. */
  url: string;
  /**
   * Gives the address that the browser came back with, query included. Called right after `openBrowser`, whose promise is not
   * awaited.
   */
  received: (signal: AbortSignal) => Promise<URL | string>;
}

/** A program that the authorization server knows. */
export interface KnownClient {
  /** Its id. */
  id: string;
  /** Its secret, where it has one. */
  secret?: string | undefined;
}

/** The options for a sign-in, complete. */
export type ResolvedOAuth = OAuthOptions & { clientName: string; signInTimeout: number };

const COMMON = { timeout: true, deadline: true, validation: true, hooks: true, logger: true } as const;
const BOTH = { ...COMMON, clientInfo: true, signal: true, url: true, auth: true, stdio: true } as const;
const LIMITS = { retry: true, rateLimit: true, maxResponseBytes: true } as const;

const HTTP_NAMES = optionNames<McpHttpOptions>({
  ...{ ...BOTH, ...LIMITS, fetch: true, headers: true, dangerouslyAllowBrowser: true },
});
const STDIO_NAMES = optionNames<McpStdioOptions>(BOTH);
const PROGRAM_NAMES = optionNames<StdioOptions>({ command: true, args: true, env: true, cwd: true, stderr: true });
const CALL_NAMES = optionNames<McpCallOptions>({
  ...{ signal: true, timeout: true, deadline: true, retry: true, priority: true },
});
const OAUTH_NAMES = optionNames<OAuthOptions>({
  ...{ store: true, openBrowser: true, redirect: true, scope: true, clientName: true, client: true },
  ...{ clientMetadataUrl: true, signInTimeout: true },
});

/**
 * What holds for both kinds of connection.
 *
 * @throws {ConfigurationError} for options that cannot work. What may be a secret is not repeated in its message.
 */
export function checkConnectOptions(options: ConnectMcpOptions): ClientInfo {
  objectArgument('The argument of connectMcp()', options, "{ url: 'https://host.example/mcp', auth: { apiKey } }");
  refuseUnknownNames('connectMcp', options, options.stdio === undefined ? HTTP_NAMES : STDIO_NAMES);
  const { clientInfo = { name: 'container-tracking-sdk', version: VERSION }, signal } = options;
  const { name, version } = objectArgument('clientInfo', clientInfo, "{ name: 'my-program', version: '1.0.0' }");
  checkText('clientInfo.name', name);
  checkText('clientInfo.version', version);
  optionalSignal(signal)?.throwIfAborted();
  return clientInfo;
}

/** @throws {ConfigurationError} before the call costs a request. */
export function checkCallOptions(operation: string, options: McpCallOptions): void {
  refuseUnknownNames(operation, objectArgument('The argument for options', options, '{ signal }'), CALL_NAMES);
  const { signal, timeout, deadline } = options;
  optionalSignal(signal);
  if (timeout !== undefined) milliseconds('timeout', timeout);
  if (deadline !== undefined) milliseconds('deadline', deadline);
}

/** The address of the endpoint. @throws {ConfigurationError} for one that cannot be read, or is not safe. */
export function parseEndpoint(input: unknown): URL {
  const text = input instanceof URL ? input.href : input;
  // Without the cause, which holds the input: a password may stand in it.
  must(
    typeof text === 'string' && URL.canParse(text),
    'url is not an absolute URL. Pass the address of the MCP endpoint, for example https://host.example/mcp.',
  );
  const url = new URL(text);
  must(!url.username && !url.password, 'url holds a user name or password. Remove them and pass auth.');
  must(
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)),
    `url uses ${url.protocol}//, which would send the credential in the clear. Use https; http is accepted for loopback addresses only.`,
  );
  must(!url.search && !url.hash, 'url has a query or a fragment. Remove what follows the path.');
  return url;
}

/** The options of a sign-in, complete; `undefined` with an API key. @throws {ConfigurationError} for what cannot work. */
export function resolveOAuth(auth: McpHttpOptions['auth'], clientName: string): ResolvedOAuth | undefined {
  const { apiKey, oauth } = objectArgument('auth', auth, '{ apiKey }');
  // A null counts as missing: the key would come from the environment.
  must((apiKey == null) !== (oauth == null), 'auth must have exactly one of apiKey and oauth.');
  if (oauth == null) return undefined;
  const options = objectArgument('auth.oauth', oauth, '{ store, openBrowser }');
  refuseUnknownNames('auth.oauth', options, OAUTH_NAMES);
  const { store, redirect, openBrowser, signInTimeout = 300_000, client, clientMetadataUrl } = options;
  for (const method of ['read', 'write', 'exclusive'] as const) {
    const problem = `auth.oauth.store has no method ${method}(): use fileTokenStore or memoryTokenStore.`;
    must(store === undefined || typeof store?.[method] === 'function', problem);
  }
  if (redirect !== undefined) checkRedirect(objectArgument('auth.oauth.redirect', redirect, '{ port: 8080 }'));
  if (client !== undefined) {
    refuseUnknownNames('auth.oauth.client', objectArgument('auth.oauth.client', client, '{ id }'), ['id', 'secret']);
    checkText('auth.oauth.client.id', client.id);
    if (client.secret !== undefined) checkText('auth.oauth.client.secret', client.secret);
  }
  for (const name of ['scope', 'clientName', 'clientMetadataUrl'] as const) {
    if (options[name] !== undefined) checkText(`auth.oauth.${name}`, options[name]);
  }
  must(
    clientMetadataUrl === undefined || URL.canParse(clientMetadataUrl),
    'auth.oauth.clientMetadataUrl must be the address of a document, with https://.',
  );
  optionalFunction('auth.oauth.openBrowser', openBrowser);
  milliseconds('auth.oauth.signInTimeout', signInTimeout);
  return { ...options, clientName: options.clientName ?? clientName, signInTimeout };
}

function checkRedirect(redirect: LoopbackRedirect | OwnRedirect): void {
  if ('url' in redirect) {
    refuseUnknownNames('auth.oauth.redirect', redirect, ['url', 'received']);
    const isOwn = typeof redirect.received === 'function' && URL.canParse(redirect.url);
    must(isOwn, 'auth.oauth.redirect must have url, an address, and received, a function.');
    return;
  }
  refuseUnknownNames('auth.oauth.redirect', redirect, ['port', 'path']);
  const { port = 0, path = '/' } = redirect;
  const origin = 'http://127.0.0.1';
  const isPath = typeof path === 'string' && path.startsWith('/') && URL.canParse(path, origin);
  must(
    // Browsers must come back to this path as it is.
    wholeNumber('auth.oauth.redirect.port', port, 0) <= 65_535 && isPath && new URL(path, origin).pathname === path,
    'auth.oauth.redirect must have a port up to 65535, and a path such as /callback, without a query, written as in an address.',
  );
}

/** @throws {ConfigurationError} for a program that cannot be started as it is meant. */
export function checkStdio(stdio: StdioOptions): void {
  refuseUnknownNames('stdio', objectArgument('stdio', stdio, "{ command: 'container-tracking' }"), PROGRAM_NAMES);
  const { command, args = [], env = {}, cwd = '', stderr = 'inherit' } = stdio;
  const isName = typeof command === 'string' && command !== '';
  must(isName, `stdio.command is ${describeValue(command)}; it must be the name of a program.`);
  must(
    Array.isArray(args) && args.every(value => typeof value === 'string'),
    "stdio.args must be an array of texts, one for each argument, such as ['mcp', '-x'].",
  );
  must(kindOf(env) === 'Object', 'stdio.env must be an object such as { TRACKING_API_KEY: apiKey }.');
  for (const [name, value] of Object.entries(env)) {
    const found = value === undefined || value === null ? String(value) : `of type ${typeof value}`;
    const problem = `stdio.env.${name} is ${found}; it must be a text. Leave out what is not set.`;
    must(typeof value === 'string', problem);
  }
  const isFolder = typeof cwd === 'string' || kindOf(cwd) === 'URL';
  must(isFolder, `stdio.cwd is ${describeValue(cwd)}; it must be the path of a folder.`);
  oneOf('stdio.stderr', stderr, ['inherit', 'ignore']);
}

/** The message does not repeat the value, which may be a secret. */
function checkText(name: string, value: unknown): void {
  const found = value === undefined ? 'missing' : typeof value === 'string' ? 'blank' : 'not a text';
  const isText = typeof value === 'string' && value.trim() !== '';
  must(isText, `${name} is ${found}; it must be a text that is not blank.`);
}

function must(isRight: boolean, problem: string): asserts isRight {
  if (!isRight) throw new ConfigurationError(problem);
}
