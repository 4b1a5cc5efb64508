import { ResponseFormatError, TrackingError } from '../errors.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Content } from './protocol.ts';

/** The tool was called and has failed: the service says why in `content`. */
export class ToolError extends TrackingError {
  static override readonly brand: string = 'ToolError';
  /** The name of the tool. */
  readonly tool: string;
  /** The blocks that the service sent. */
  readonly content: readonly Content[];

  constructor(tool: string, content: readonly Content[], message: string) {
    super(message, { code: 'tool_failed' });
    this.tool = tool;
    this.content = content;
  }
}

/** The server refused a request of the protocol: no such tool or prompt, arguments that do not fit, an unknown revision. */
export class McpProtocolError extends TrackingError {
  static override readonly brand: string = 'McpProtocolError';
  /** The JSON-RPC code: -32602 for arguments that do not fit, -32601 for an unknown method. */
  readonly rpcCode: number;
  /** The data that the server sends with the message. */
  readonly data: unknown;

  constructor(message: string, options: { rpcCode: number; data?: unknown }) {
    super(message, { code: 'mcp_protocol' });
    this.rpcCode = options.rpcCode;
    this.data = options.data;
  }
}

/**
 * The reason why nobody could be signed in.
 *
 * - `no_metadata`: the server does not describe the sign-in, or its document cannot be read.
 * - `resource_mismatch`: it describes the sign-in of another server.
 * - `issuer_mismatch`: the response is not from the authorization server that got the request.
 * - `state_mismatch`: the response does not belong to the request.
 * - `registration_failed`: the authorization server does not take this program.
 * - `denied`: the person, or the authorization server, has refused.
 * - `token_refused`: the authorization server gave no token.
 * - `no_browser`: a person has to sign in, and there is no `openBrowser`, or it has failed.
 * - `timeout`: nobody has signed in in time.
 */
export type AuthorizationFailure =
  | 'no_metadata'
  | 'resource_mismatch'
  | 'issuer_mismatch'
  | 'state_mismatch'
  | 'registration_failed'
  | 'denied'
  | 'token_refused'
  | 'no_browser'
  | 'timeout';

/** Nobody could be signed in with OAuth. */
export class AuthorizationError extends TrackingError {
  static override readonly brand: string = 'AuthorizationError';
  /** The reason. */
  readonly reason: AuthorizationFailure;

  constructor(reason: AuthorizationFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'authorization', ...options });
    this.reason = reason;
  }
}

/** The error for a response that arrived and cannot be used. */
export function unreadable(
  { method, path }: { method: string; path: string },
  problem: string,
  details: { mismatches?: readonly SchemaMismatch[]; cause?: unknown } = {},
): ResponseFormatError {
  const message = `${method} ${path}: ${problem}`;
  return new ResponseFormatError(message, { status: 200, method, path, requestId: undefined, ...details });
}
