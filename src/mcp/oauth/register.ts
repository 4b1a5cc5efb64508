import { TrackingError } from '../../errors.ts';
import type { Fetch } from '../../options.ts';
import { AuthorizationError } from '../errors.ts';
import { RegistrationRejectedError, registerClient } from '../peer.ts';
import { type Authority, known } from './discover.ts';
import type { OAuthOptions } from './options.ts';
import type { RegisteredClient, SignIn } from './store.ts';

/**
 * The program as the authorization server knows it: registered before, by a document of its own, by an earlier sign-in, or
 * now.
 */
export async function registeredClient(
  options: OAuthOptions & { clientName: string },
  authority: Authority,
  redirectUri: string,
  stored: SignIn | undefined,
  scope: string | undefined,
  fetch: Fetch,
): Promise<RegisteredClient> {
  const { client, clientMetadataUrl, clientName } = options;
  const { issuer, url, metadata } = authority;
  if (client) return { client_id: client.id, client_secret: client.secret, redirect_uri: redirectUri };
  if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { client_id: clientMetadataUrl, redirect_uri: redirectUri };
  }
  // Another port is another address for many servers.
  if (stored?.issuer === issuer && stored.client.redirect_uri === redirectUri) return stored.client;
  try {
    const { client_id, client_secret, token_endpoint_auth_method } = await registerClient(url, {
      ...known(authority),
      clientMetadata: {
        client_name: clientName,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: authMethod(metadata?.token_endpoint_auth_methods_supported),
        application_type: redirectUri.startsWith('http://') ? 'native' : 'web',
      },
      ...(scope !== undefined && { scope }),
      fetchFn: fetch,
    });
    return { client_id, client_secret, token_endpoint_auth_method, redirect_uri: redirectUri };
  } catch (error) {
    if (error instanceof TrackingError) throw error;
    const status = error instanceof RegistrationRejectedError ? ` It answered ${error.status}.` : '';
    throw new AuthorizationError(
      'registration_failed',
      `The authorization server does not register this program.${status} Register it there by hand, and pass oauth.client.`,
    );
  }
}

/** A program on a person's machine can keep no secret, so it asks for none where it may. */
function authMethod(supported: readonly string[] | undefined): string {
  return supported === undefined || supported.includes('none') ? 'none' : (supported[0] ?? 'none');
}
