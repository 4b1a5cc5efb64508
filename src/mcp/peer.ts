/** The official client of the protocol: the only file that imports it. */
import { Client, SdkError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { Fetch } from '../options.ts';
import type { StdioOptions } from './options.ts';

export {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  isJSONRPCErrorResponse,
  isJSONRPCResponse,
  isStrictScopeSuperset,
  OAuthError,
  type OAuthProtectedResourceMetadata,
  ProtocolError,
  RegistrationRejectedError,
  refreshAuthorization,
  registerClient,
  SdkError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';

/** A client that speaks the newest revision of the protocol, and the one before to a server that knows no other. */
export function createPeer(clientInfo: { name: string; version: string }): Client {
  return new Client(clientInfo, { versionNegotiation: { mode: 'auto' } });
}

export function httpTransport(url: URL, fetch: Fetch): Transport {
  return new StreamableHTTPClientTransport(url, {
    fetch,
    // `fetch` refuses them itself.
    redirectPolicy: 'follow',
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

/** Node only: loaded when it is used. */
export async function stdioTransport(options: StdioOptions): Promise<Transport> {
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { command, args = [], env, cwd, stderr = 'inherit' } = options;
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr,
    ...(cwd !== undefined && { cwd }),
  });
}

/** The code of an error that the official client itself has made. */
export function peerCode(error: unknown): string | undefined {
  return error instanceof SdkError ? error.code : undefined;
}

export type Peer = Client;
export type PeerTransport = Transport;
