import type { Call } from '../http/call.ts';
import { HttpError } from '../http/errors.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import type { Grants } from '../oauth/grants.ts';
import { challenge, resourceOf } from '../oauth/metadata.ts';
import { type Accounts, type Backend, runAgenda } from '../state/backend.ts';
import type { McpEdition } from './editions.ts';
import { run } from './methods.ts';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isAboutRequest,
  RpcError,
  readMessage,
  revisionOf,
  stamped,
} from './protocol.ts';
import { restOf } from './rest.ts';

/** Access to the endpoint. */
interface Access {
  /** Returns the account and the key of its rate limit. If the caller has no access: the response. */
  admit(call: Call): { key: string; account: Backend } | { refused: Reply };
  /** Counts a request. Returns a response if the request is over the limit. */
  count(call: Call, key: string): Reply | undefined;
}

/** The hosted MCP endpoint: one response for each request, no streams and no sessions. */
export function mcpRoutes(access: Access, edition: McpEdition): Route[] {
  return (['POST', 'GET', 'DELETE'] as const).map(method => ({
    method,
    path: '/mcp',
    // This route checks credentials itself, because it accepts other credentials than the REST interface.
    signed: true,
    handle: call => (method === 'POST' ? answer(call, access, edition) : { status: 405, headers: { allow: 'POST' } }),
  }));
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function answer(call: Call, access: Access, edition: McpEdition): Promise<Reply> {
  const admitted = access.admit(call);
  if ('refused' in admitted) return admitted.refused;
  runAgenda(admitted.account);
  const limited = access.count(call, admitted.key);
  if (limited) return limited;
  let body: unknown;
  try {
    body = await call.json();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return rpc(error.status, null, {
      error: { code: -32700, message: error.status === 400 ? 'Parse error' : error.message },
    });
  }
  const message = readMessage(body);
  if (message === undefined) {
    return rpc(400, null, { error: { code: INVALID_REQUEST, message: 'Invalid request' } });
  }
  const { id, method, params } = message;
  // A JSON-RPC notification gets no response message.
  if (id === undefined) return { status: 202 };
  try {
    const revision = revisionOf(message, call.request.headers.get('mcp-protocol-version'));
    const rest = restOf({ ...call, backend: admitted.account });
    return rpc(200, id, { result: stamped(revision, method, await run(method, params, rest, edition)) });
  } catch (error) {
    if (!(error instanceof RpcError)) {
      return rpc(500, null, { error: { code: INTERNAL_ERROR, message: 'Internal server error' } });
    }
    const { code, message: text, data } = error;
    return rpc(isAboutRequest(code) ? 400 : 200, id, {
      error: { code, message: text, ...(data !== undefined && { data }) },
    });
  }
}

function rpc(status: number, id: string | number | null, rest: object): Reply {
  return { status, headers: JSON_TYPE, body: { jsonrpc: '2.0', id, ...rest } };
}

/** API keys are only accepted as `Token`, and access tokens only as `Bearer`. */
export function createAccess(accounts: Accounts, grants: Grants, rateLimit: RateLimit | null): Access {
  function holder(call: Call): { key: string; account: Backend | undefined } | undefined {
    const [, scheme, credential = ''] =
      /^(Token|Bearer) (\S+)$/.exec(call.request.headers.get('authorization') ?? '') ?? [];
    if (scheme === 'Token') return { key: credential, account: accounts.withKey(credential) };
    if (scheme !== 'Bearer') return undefined;
    const held = grants.holder(credential, resourceOf(call), call.backend.now);
    return held && { key: held.key, account: accounts.named(held.account) };
  }
  return {
    admit(call) {
      const { key = '', account } = holder(call) ?? {};
      if (account !== undefined) {
        call.noteAccount(account);
        return { key, account };
      }
      const body = { error: 'Unauthorized', message: 'The credential is missing, wrong or expired.' };
      return { refused: { status: 401, headers: { ...JSON_TYPE, ...challenge(call) }, body } };
    },
    count({ backend }, key) {
      const waitMs = rateLimit?.count(key, 'default', backend.clock.elapsed()) ?? null;
      if (waitMs === null) return undefined;
      const seconds = Math.max(1, Math.ceil(waitMs / 1000));
      const body = { error: 'Too Many Requests', message: `Try again in ${seconds} s.` };
      return { status: 429, headers: { ...JSON_TYPE, 'retry-after': String(seconds) }, body };
    },
  };
}
