import type { Ids } from '../base/random.ts';
import { HOUR, MINUTE } from '../base/time.ts';

/** How long an access token is valid, by the service's clock. */
const ACCESS_TOKEN_MS = HOUR;
const CODE_MS = 10 * MINUTE;

/** A program that has registered. */
export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
}

/** What a person has allowed a program. */
interface Grant {
  id: string;
  client: OAuthClient;
  scope: string;
  resource: string;
  /** The name of the account that the person signed in to. */
  account: string;
  /** The only refresh token that is valid. */
  refreshToken: string;
  isRevoked: boolean;
}

/** What has to be shown again for a code. */
export interface CodeRequest {
  client: OAuthClient;
  redirectUri: string;
  challenge: string;
  scope: string;
  resource: string;
  /** The name of the account that the person signed in to. */
  account: string;
}

/** What the token endpoint answers with. */
export interface IssuedTokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** What has to be saved of the registrations, codes and tokens. */
export interface GrantsState {
  clients: Map<string, OAuthClient>;
  codes: Map<string, CodeRequest & { until: number }>;
  accessTokens: Map<string, { grant: Grant; until: number }>;
  refreshTokens: Map<string, Grant>;
}

/** Registrations, codes and tokens. All times are those of the service's clock. */
export interface Grants {
  register(name: string, redirectUris: string[]): OAuthClient;
  client(id: string): OAuthClient | undefined;
  /** A code for the tokens of what a person has allowed. */
  allow(request: CodeRequest, now: number): string;
  /** What a code was given for. It is used up then. */
  takeCode(code: string, now: number): CodeRequest | undefined;
  issue(request: CodeRequest, now: number): IssuedTokens;
  /** New tokens for a refresh token, which is used up then. A second use of it revokes all that came of it. */
  refresh(refreshToken: string, clientId: string, now: number): IssuedTokens | undefined;
  /** What has to be saved. */
  readonly state: GrantsState;
  /** Puts back what was saved. */
  restore(saved: { [K in keyof GrantsState]: [string, unknown][] }): void;
  /** The account of an access token, and what its rate limit is counted by, as long as it is valid. */
  holder(accessToken: string, resource: string, now: number): { key: string; account: string } | undefined;
}

export function createGrants(ids: Ids): Grants {
  const state: GrantsState = {
    clients: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
  };
  const { clients, codes, accessTokens, refreshTokens } = state;

  function tokensOf(grant: Grant, now: number): IssuedTokens {
    const accessToken = `at-${ids.next('access_token')}`;
    grant.refreshToken = `rt-${ids.next('refresh_token')}`;
    accessTokens.set(accessToken, { grant, until: now + ACCESS_TOKEN_MS });
    refreshTokens.set(grant.refreshToken, grant);
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_MS / 1000,
      refresh_token: grant.refreshToken,
      scope: grant.scope,
    };
  }

  return {
    state,
    restore(saved) {
      for (const name of ['clients', 'codes', 'accessTokens', 'refreshTokens'] as const) {
        const entries: Map<string, unknown> = state[name];
        for (const [key, value] of saved[name]) entries.set(key, value);
      }
    },
    register(name, redirectUris) {
      const client = { id: ids.next('oauth_client'), name, redirectUris };
      clients.set(client.id, client);
      return client;
    },
    client: id => clients.get(id),
    allow(request, now) {
      const code = `code-${ids.next('authorization_code')}`;
      codes.set(code, { ...request, until: now + CODE_MS });
      return code;
    },
    takeCode(code, now) {
      const request = codes.get(code);
      codes.delete(code);
      return request && now < request.until ? request : undefined;
    },
    issue: ({ client, scope, resource, account }, now) =>
      tokensOf({ id: ids.next('grant'), client, scope, resource, account, refreshToken: '', isRevoked: false }, now),
    refresh(refreshToken, clientId, now) {
      const grant = refreshTokens.get(refreshToken);
      if (grant === undefined || grant.isRevoked || grant.client.id !== clientId) return undefined;
      if (grant.refreshToken === refreshToken) return tokensOf(grant, now);
      // Whoever comes second may have stolen it.
      grant.isRevoked = true;
      return undefined;
    },
    holder(accessToken, resource, now) {
      const token = accessTokens.get(accessToken);
      if (token === undefined || token.grant.isRevoked || token.grant.resource !== resource) return undefined;
      const { client, account } = token.grant;
      return now < token.until ? { key: `oauth ${client.id}`, account } : undefined;
    },
  };
}
