import type { Caller } from '../caller.ts';
import { json } from './answers.ts';
import type { Callers } from './callers.ts';
import { metadataUrl } from './metadata.ts';
import type { OAuthOptions, ServiceCredential } from './options.ts';

/**
 * Who calls, by the header `Authorization`: `Token` for API keys, `Bearer` for access tokens, never one for the other. Or the
 * answer that refuses the request.
 */
export async function authenticate(
  request: Request,
  callers: Callers,
  oauth: OAuthOptions | undefined,
): Promise<Caller | Response> {
  const [, scheme = '', credential = ''] =
    /^([a-z]+) +([\x21-\x7e]+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  switch (scheme.toLowerCase()) {
    case 'token': {
      const caller = await callers.withKey(credential);
      if (caller === 'too_many') return json(429, { error: 'Too many unknown API keys. Try again.' }, { 'retry-after': '60' });
      return caller === 'refused' ? unauthorized('The API key is not valid.', oauth, 'invalid_token') : caller;
    }
    case 'bearer':
      return oauth ? withToken(credential, request, callers, oauth) : unauthorized(KEYS_ONLY, oauth, 'invalid_token');
    default:
      return unauthorized(oauth ? 'Send an access token, or an API key as Token.' : KEYS_ONLY, oauth);
  }
}

const KEYS_ONLY = 'Send the header "Authorization: Token <API key>".';

async function withToken(token: string, request: Request, callers: Callers, oauth: OAuthOptions) {
  let credential: ServiceCredential | null;
  try {
    credential = await oauth.verify(token, { resource: oauth.resource, signal: request.signal });
  } catch {
    // Without a challenge: the token may be good.
    return json(502, { error: 'The access token cannot be checked now. Try again.' });
  }
  if (!credential) return unauthorized('The access token is not valid.', oauth, 'invalid_token');
  return callers.trusted(
    'apiKey' in credential ? { apiKey: credential.apiKey } : { accessToken: credential.accessToken },
  );
}

function unauthorized(message: string, oauth: OAuthOptions | undefined, error?: string): Response {
  const challenge = [
    'Bearer realm="mcp"',
    error && `error="${error}"`,
    oauth && `resource_metadata="${metadataUrl(oauth)}"`,
  ];
  return json(401, { error: 'Unauthorized', message }, { 'www-authenticate': challenge.filter(Boolean).join(', ') });
}
