import { ConfigurationError } from '../errors.ts';
import { objectArgument, optionalSignal, refuseUnknownNames } from '../internal/arguments.ts';
import { Observer } from '../transport/observer.ts';
import { Redactor } from '../transport/redact.ts';
import { resolveOptions, type Settings } from '../transport/settings.ts';
import { VERSION } from '../version.ts';
import { checkClientInfo, checkStdio } from './check-options.ts';
import { type Channel, Connection } from './connection.ts';
import { Pipeline } from './http/pipeline.ts';
import { parseEndpoint, resolveEndpoint } from './http/settings.ts';
import { resolveOAuth } from './oauth/options.ts';
import { Session } from './oauth/session.ts';
import type { ClientInfo } from './options.ts';
import {
  type ConnectMcpOptions,
  HTTP_NAMES,
  type McpHttpOptions,
  type McpStdioOptions,
  STDIO_NAMES,
} from './options.ts';
import { createPeer, httpTransport, stdioTransport } from './peer.ts';
import { ResultCheck } from './result-check.ts';

/** A connection with what its results are checked by. */
export interface OpenConnection {
  readonly connection: Connection;
  readonly check: ResultCheck;
}

/** @throws {ConfigurationError} for options that cannot work. */
export async function openConnection(options: ConnectMcpOptions): Promise<OpenConnection> {
  objectArgument('The argument of connectMcp()', options, "{ url: 'https://host.example/mcp', auth: { apiKey } }");
  const isStdio = options.stdio !== undefined;
  refuseUnknownNames('connectMcp', options, isStdio ? STDIO_NAMES : HTTP_NAMES);
  const { clientInfo = { name: 'container-tracking-sdk', version: VERSION }, signal } = options;
  checkClientInfo(clientInfo);
  optionalSignal(signal)?.throwIfAborted();
  const { channel, validation } = isStdio ? await stdioChannel(options) : httpChannel(options, clientInfo);
  const connection = await Connection.open(createPeer(clientInfo), channel, { signal });
  return { connection, check: new ResultCheck(validation, channel.observer, channel) };
}

interface Opened {
  readonly channel: Channel;
  readonly validation: Settings['validation'];
}

function httpChannel(options: McpHttpOptions, clientInfo: ClientInfo): Opened {
  const url = parseEndpoint(options.url);
  const { apiKey, oauth } = objectArgument('auth', options.auth, '{ apiKey }');
  // A null is none too: the key would come from the environment.
  if ((apiKey == null) === (oauth == null)) {
    throw new ConfigurationError('auth must have exactly one of apiKey and oauth.');
  }
  const { fetch, timeout = DEFAULT_TIMEOUT_MS } = options;
  const session = oauth && new Session({ url, options: resolveOAuth(oauth, clientInfo.name), fetch, timeout });
  const endpoint = resolveEndpoint(options, url, session);
  const { settings } = endpoint;
  const pipeline = new Pipeline(endpoint, session);
  const channel: Channel = {
    method: 'POST',
    path: endpoint.path,
    get redactor() {
      return settings.credentials.redactor;
    },
    transport: httpTransport(url, pipeline.fetch),
    observer: pipeline.observer,
    pipeline,
    timeout: settings.timeout,
    deadline: settings.deadline,
    close: () => session?.close(),
  };
  return { channel, validation: settings.validation };
}

async function stdioChannel({ stdio, timeout, deadline, validation, hooks, logger }: McpStdioOptions): Promise<Opened> {
  checkStdio(stdio);
  // Of these options only the ones that were passed are read.
  const common = { timeout, deadline, validation, hooks, logger };
  const settings = resolveOptions({ ...common, baseUrl: 'http://localhost/v2', accessToken: 'none' });
  const { folder, name } = splitPath(stdio.command);
  const secrets = [...Object.values(stdio.env ?? {}), folder];
  const channel: Channel = {
    method: 'stdio',
    path: name,
    redactor: Redactor.of(secrets.filter(value => value.length >= LONG_ENOUGH)),
    transport: await stdioTransport(stdio),
    observer: new Observer(settings.hooks, settings.logger),
    pipeline: undefined,
    timeout: settings.timeout,
    deadline: settings.deadline,
    close: () => {},
  };
  return { channel, validation: settings.validation };
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
