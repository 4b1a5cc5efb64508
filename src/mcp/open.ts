import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  kindOf,
  objectArgument,
  oneOf,
  optionalSignal,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import { Observer } from '../transport/observer.ts';
import { Redactor } from '../transport/redact.ts';
import { resolveOptions } from '../transport/settings.ts';
import { VERSION } from '../version.ts';
import { Connection, type Destination } from './connection.ts';
import { parseEndpoint, resolveEndpoint } from './endpoint.ts';
import { HttpChannel } from './http.ts';
import { checkText, resolveOAuth } from './oauth/options.ts';
import { Session } from './oauth/session.ts';
import {
  type ClientInfo,
  type ConnectMcpOptions,
  HTTP_NAMES,
  type McpHttpOptions,
  type McpStdioOptions,
  STDIO_NAMES,
  STDIO_OPTION_NAMES,
  type StdioOptions,
} from './options.ts';
import { stdioTransport } from './peer.ts';

/** @throws {ConfigurationError} for options that cannot work. What may be a secret is not repeated in its message. */
export async function openConnection(options: ConnectMcpOptions): Promise<Connection> {
  objectArgument('The argument of connectMcp()', options, "{ url: 'https://host.example/mcp', auth: { apiKey } }");
  const isStdio = options.stdio !== undefined;
  refuseUnknownNames('connectMcp', options, isStdio ? STDIO_NAMES : HTTP_NAMES);
  const { clientInfo = { name: 'container-tracking-sdk', version: VERSION }, signal } = options;
  const { name, version } = objectArgument('clientInfo', clientInfo, "{ name: 'my-program', version: '1.0.0' }");
  checkText('clientInfo.name', name);
  checkText('clientInfo.version', version);
  optionalSignal(signal)?.throwIfAborted();
  const destination = isStdio ? toProgram(options) : toEndpoint(options, clientInfo);
  return Connection.open(destination, clientInfo, signal);
}

function toEndpoint(options: McpHttpOptions, clientInfo: ClientInfo): Destination {
  const url = parseEndpoint(options.url);
  const { apiKey, oauth } = objectArgument('auth', options.auth, '{ apiKey }');
  // A null counts as missing: the key would come from the environment.
  if ((apiKey == null) === (oauth == null)) {
    throw new ConfigurationError('auth must have exactly one of apiKey and oauth.');
  }
  const { fetch, timeout = DEFAULT_TIMEOUT_MS } = options;
  const session = oauth && new Session({ url, options: resolveOAuth(oauth, clientInfo.name), fetch, timeout });
  const endpoint = resolveEndpoint(options, url, session);
  const { settings } = endpoint;
  const http = new HttpChannel(url, endpoint, session);
  return {
    method: 'POST',
    path: endpoint.path,
    get redactor() {
      return settings.credentials.redactor;
    },
    observer: http.observer,
    validation: settings.validation,
    timeout: settings.timeout,
    deadline: settings.deadline,
    http,
    transport: async () => http.connect(),
    close: () => session?.close(),
  };
}

function toProgram({ stdio, timeout, deadline, validation, hooks, logger }: McpStdioOptions): Destination {
  checkStdio(stdio);
  // Of these options only the ones that were passed are read.
  const common = { timeout, deadline, validation, hooks, logger };
  const settings = resolveOptions({ ...common, baseUrl: 'http://localhost/v2', accessToken: 'none' });
  const { folder, name } = splitPath(stdio.command);
  const secrets = [...Object.values(stdio.env ?? {}), folder];
  return {
    method: 'stdio',
    path: name,
    redactor: Redactor.of(secrets.filter(value => value.length >= LONG_ENOUGH)),
    observer: new Observer(settings.hooks, settings.logger),
    validation: settings.validation,
    timeout: settings.timeout,
    deadline: settings.deadline,
    http: undefined,
    transport: () => stdioTransport(stdio),
    close: () => {},
  };
}

/** @throws {ConfigurationError} for a program that cannot be started as it is meant. */
function checkStdio(stdio: StdioOptions): void {
  refuseUnknownNames('stdio', objectArgument('stdio', stdio, "{ command: 'container-tracking' }"), STDIO_OPTION_NAMES);
  const { command, args, env, cwd, stderr } = stdio;
  if (typeof command !== 'string' || command === '') {
    throw new ConfigurationError(`stdio.command is ${describeValue(command)}; it must be the name of a program.`);
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(value => typeof value === 'string'))) {
    throw new ConfigurationError("stdio.args must be an array of texts, one for each argument, such as ['mcp', '-x'].");
  }
  if (env !== undefined) checkEnvironment(env);
  if (cwd !== undefined && typeof cwd !== 'string' && kindOf(cwd) !== 'URL') {
    throw new ConfigurationError(`stdio.cwd is ${describeValue(cwd)}; it must be the path of a folder.`);
  }
  if (stderr !== undefined) oneOf('stdio.stderr', stderr, ['inherit', 'ignore']);
}

function checkEnvironment(env: object): void {
  if (kindOf(env) !== 'Object') {
    throw new ConfigurationError('stdio.env must be an object such as { TRACKING_API_KEY: apiKey }.');
  }
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === 'string') continue;
    const found = value === undefined || value === null ? String(value) : `of type ${typeof value}`;
    throw new ConfigurationError(`stdio.env.${name} is ${found}; it must be a text. Leave out what is not set.`);
  }
}

/** Errors tell the name of the program only: its folder and its arguments may be more than a log should know. */
function splitPath(command: string): { folder: string; name: string } {
  const [, folder = '', name = command] = /^(.*[\\/])?([^\\/]+)$/s.exec(command) ?? [];
  return { folder, name };
}

/** For one request to an authorization server. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** The environment holds the API key, and also ports and flags. */
const LONG_ENOUGH = 6;
