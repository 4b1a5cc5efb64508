import type { Call } from '../http/call.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { type Backend, runAgenda } from '../state/backend.ts';
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

/** Who may use the endpoint. */
export interface Access {
  /** The account, and what the rate limit is counted by; or the answer to who may not. */
  admit(call: Call): { key: string; account: Backend } | { refused: Reply };
  /** Counts a request; the answer if it is one too many. */
  count(call: Call, key: string): Reply | undefined;
}

/** The hosted MCP endpoint: one answer a request, no streams and no sessions. */
export function mcpRoutes(access: Access): Route[] {
  return (['POST', 'GET', 'DELETE'] as const).map(method => ({
    method,
    path: '/mcp',
    // It looks at the credential itself, since it takes others than the REST interface.
    signed: true,
    handle: call => (method === 'POST' ? answer(call, access) : { status: 405, headers: { allow: 'POST' } }),
  }));
}

export const JSON_TYPE = { 'content-type': 'application/json' };

async function answer(call: Call, access: Access): Promise<Reply> {
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
  // A notification: there is nothing to say.
  if (id === undefined) return { status: 202 };
  try {
    const revision = revisionOf(message, call.request.headers.get('mcp-protocol-version'));
    return rpc(200, id, {
      result: stamped(revision, method, await run(method, params, restOf({ ...call, backend: admitted.account }))),
    });
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
