import type { Ids } from '../base/random.ts';
import { HOUR, MINUTE } from '../base/time.ts';

/** Lifetime of an access token, in ms of the service's clock. */
const ACCESS_TOKEN_MS = HOUR;
const CODE_MS = 10 * MINUTE;

/** A program that has registered. */
export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
}

/** The access that a person has allowed to a program. */
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

/** The data of a sign-in for which a code was issued. */
export interface CodeRequest {
  client: OAuthClient;
  redirectUri: string;
  challenge: string;
  scope: string;
  resource: string;
  /** The name of the account that the person signed in to. */
  account: string;
}

/** The response of the token endpoint. */
export interface IssuedTokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** The part of the registrations, codes and tokens that is saved. */
export interface GrantsState {
  clients: Map<string, OAuthClient>;
  codes: Map<string, CodeRequest & { until: number }>;
  accessTokens: Map<string, { grant: Grant; until: number }>;
  refreshTokens: Map<string, Grant>;
}

/** Registrations, codes and tokens. All times are times of the service's clock. */
export interface Grants {
  register(name: string, redirectUris: string[]): OAuthClient;
  client(id: string): OAuthClient | undefined;
  /** Returns a code. The program can exchange the code for the tokens of the access that the person has allowed. */
  allow(request: CodeRequest, now: number): string;
  /** Returns the request that a code belongs to. A code can be used once. */
  takeCode(code: string, now: number): CodeRequest | undefined;
  issue(request: CodeRequest, now: number): IssuedTokens;
  /**
   * Exchanges a refresh token for new tokens. A refresh token can be used once. A second use revokes all tokens of the
   * sign-in.
   */
  refresh(refreshToken: string, clientId: string, now: number): IssuedTokens | undefined;
  /** The state to save. */
  readonly state: GrantsState;
  /** Restores a saved state. */
  restore(saved: { [K in keyof GrantsState]: [string, unknown][] }): void;
  /** The account of an access token and the key of its rate limit. `undefined` if the token is not valid. */
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
      // The second user of a refresh token may have stolen it. Therefore the whole sign-in is revoked.
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
