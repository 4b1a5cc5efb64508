import { optionNames } from '../internal/arguments.ts';
import type { CommonOptions, RetryOptions } from '../options.ts';
import type { Priority } from '../rate-limit/limiter.ts';
import type { OAuthOptions } from './oauth/options.ts';

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

/** Options of a single call. */
export interface McpCallOptions {
  /** Aborts the call wherever it is: in the queue, in a back-off, in the answer. It rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Limit for one attempt in ms, in place of the connection's. */
  timeout?: number | undefined;
  /** Limit for the whole call in ms, in place of the connection's. */
  deadline?: number | undefined;
  /** In place of the connection's; what is left out is the connection's. Over HTTP only. */
  retry?: false | RetryOptions | undefined;
  /** Whether the call goes before bulk work in the queue of the rate limit. Over HTTP only. @default 'interactive' */
  priority?: Priority | undefined;
}

const COMMON: Record<keyof McpCommonOptions, true> = {
  timeout: true,
  deadline: true,
  validation: true,
  hooks: true,
  logger: true,
  clientInfo: true,
  signal: true,
};

export const HTTP_NAMES = optionNames<McpHttpOptions>({
  ...COMMON,
  url: true,
  auth: true,
  stdio: true,
  retry: true,
  rateLimit: true,
  maxResponseBytes: true,
  fetch: true,
  headers: true,
  dangerouslyAllowBrowser: true,
});

export const STDIO_NAMES = optionNames<McpStdioOptions>({ ...COMMON, stdio: true, url: true, auth: true });

export const STDIO_OPTION_NAMES = optionNames<StdioOptions>({
  command: true,
  args: true,
  env: true,
  cwd: true,
  stderr: true,
});
