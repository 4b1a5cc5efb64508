import { TrackingError } from '../../errors.ts';
import type { Fetch } from '../../options.ts';
import { AuthorizationError } from '../errors.ts';
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
} from '../peer.ts';

/** What an MCP server says about how to sign in, in the header of a refusal. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

/** The authorization server of an MCP server. */
export interface Authority {
  /** Its name, which everything from it has to bear. */
  readonly issuer: string;
  readonly url: string;
  /** How it works; none for one that is older than such documents. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** What tokens are asked for, in the server's own spelling. */
  readonly resource: string | undefined;
  /** What the MCP server says may be asked for. */
  readonly scopes: readonly string[] | undefined;
}

/** What every question to it holds, as far as it is known. */
export function known({ metadata, resource }: Authority) {
  return { ...(metadata && { metadata }), ...(resource !== undefined && { resource }) };
}

/** Asks without a credential, since only a refusal says where to begin. */
export async function askForChallenge(url: URL, fetch: Fetch): Promise<Challenge> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' }),
  });
  return challengeOf(response);
}

export function challengeOf(response: Response): Challenge & { error?: string | undefined } {
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope, error };
}

/** @throws {AuthorizationError} where the documents are missing, not readable, or about somebody else. */
export async function discover(url: URL, { resourceMetadataUrl }: Challenge, fetch: Fetch): Promise<Authority> {
  const about = await protectedResource(url, resourceMetadataUrl, fetch);
  if (about && !checkResourceAllowed({ requestedResource: url, configuredResource: about.resource })) {
    const message = `The server at ${url.origin} says how to sign in to ${about.resource}, which is not where it is.`;
    throw new AuthorizationError('resource_mismatch', message);
  }
  const server = about?.authorization_servers?.[0] ?? new URL('/', url).href;
  const metadata = await authorizationServer(server, fetch);
  return {
    issuer: metadata?.issuer ?? server,
    url: server,
    metadata,
    resource: about?.resource,
    scopes: about?.scopes_supported,
  };
}

/** A server that is older than these documents has none. */
async function protectedResource(
  url: URL,
  resourceMetadataUrl: URL | undefined,
  fetch: Fetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(url, resourceMetadataUrl && { resourceMetadataUrl }, fetch);
  } catch (error) {
    if (error instanceof TrackingError) throw error;
    return undefined;
  }
}

async function authorizationServer(server: string, fetch: Fetch): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(server, { fetchFn: fetch });
  } catch (error) {
    if (error instanceof TrackingError) throw error;
    const isOther = error instanceof IssuerMismatchError;
    const problem = isOther ? 'describes another one' : 'cannot be read';
    throw new AuthorizationError(
      isOther ? 'issuer_mismatch' : 'no_metadata',
      `The document about the authorization server ${new URL(server).origin} ${problem}.`,
    );
  }
}
