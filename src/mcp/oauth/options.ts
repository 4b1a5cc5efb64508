import { ConfigurationError } from '../../errors.ts';
import {
  milliseconds,
  objectArgument,
  optionalFunction,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../../internal/arguments.ts';
import type { TokenStore } from './store.ts';

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

const NAMES = optionNames<OAuthOptions>({
  store: true,
  openBrowser: true,
  redirect: true,
  scope: true,
  clientName: true,
  client: true,
  clientMetadataUrl: true,
  signInTimeout: true,
});

/** The options, complete. @throws {ConfigurationError} for what cannot work. */
export function resolveOAuth(
  given: OAuthOptions,
  clientName: string,
): OAuthOptions & { clientName: string; signInTimeout: number } {
  const options = objectArgument('auth.oauth', given, '{ store, openBrowser }');
  refuseUnknownNames('auth.oauth', options, NAMES);
  const { store, redirect, openBrowser, signInTimeout = 300_000, client, clientMetadataUrl } = options;
  for (const method of ['read', 'write', 'exclusive'] as const) {
    if (store === undefined || typeof store?.[method] === 'function') continue;
    throw new ConfigurationError(`auth.oauth.store has no method ${method}(): use fileTokenStore or memoryTokenStore.`);
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
  if (clientMetadataUrl !== undefined && !URL.canParse(clientMetadataUrl)) {
    throw new ConfigurationError('auth.oauth.clientMetadataUrl must be the address of a document, with https://.');
  }
  optionalFunction('auth.oauth.openBrowser', openBrowser);
  milliseconds('auth.oauth.signInTimeout', signInTimeout);
  return { ...options, clientName: options.clientName ?? clientName, signInTimeout };
}

/** The message does not repeat the value, which may be a secret. @throws {ConfigurationError} for a value that is not a text, or blank. */
export function checkText(name: string, value: unknown): void {
  if (typeof value === 'string' && value.trim() !== '') return;
  const found = value === undefined ? 'missing' : typeof value === 'string' ? 'blank' : 'no text';
  throw new ConfigurationError(`${name} is ${found}; it must be a text that is not blank.`);
}

function checkRedirect(redirect: LoopbackRedirect | OwnRedirect): void {
  if ('url' in redirect) {
    refuseUnknownNames('auth.oauth.redirect', redirect, ['url', 'received']);
    if (typeof redirect.received === 'function' && URL.canParse(redirect.url)) return;
    throw new ConfigurationError('auth.oauth.redirect must have url, an address, and received, a function.');
  }
  refuseUnknownNames('auth.oauth.redirect', redirect, ['port', 'path']);
  const { port = 0, path = '/' } = redirect;
  if (wholeNumber('auth.oauth.redirect.port', port, 0) <= 65_535 && isPath(path)) return;
  throw new ConfigurationError(
    'auth.oauth.redirect must have a port up to 65535, and a path such as /callback, without a query, written as in an address.',
  );
}

/** Whether browsers come back to this path as it is. */
function isPath(path: unknown): boolean {
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, LOOPBACK)) return false;
  return new URL(path, LOOPBACK).pathname === path;
}

const LOOPBACK = 'http://127.0.0.1';
