import { ResponseFormatError, TrackingError } from '../errors.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Content } from './protocol.ts';

/** The tool was called and has failed. The `content` contains the reason. */
export class ToolError extends TrackingError {
  static override readonly brand: string = 'ToolError';
  /** Name of the tool. */
  readonly tool: string;
  /** The blocks that the service sent. */
  readonly content: readonly Content[];

  constructor(tool: string, content: readonly Content[], message: string) {
    super(message, { code: 'tool_failed' });
    this.tool = tool;
    this.content = content;
  }
}

/** The server refused a request of the protocol: unknown tool or prompt, invalid arguments, or unknown revision. */
export class McpProtocolError extends TrackingError {
  static override readonly brand: string = 'McpProtocolError';
  /** The JSON-RPC code: -32602 for invalid arguments, -32601 for an unknown method. */
  readonly rpcCode: number;
  /** Additional data from the server. */
  readonly data: unknown;

  constructor(message: string, options: { rpcCode: number; data?: unknown }) {
    super(message, { code: 'mcp_protocol' });
    this.rpcCode = options.rpcCode;
    this.data = options.data;
  }
}

/**
 * The reason why the sign-in failed.
 *
 * - `no_metadata`: the server does not describe the sign-in, or the document with the description cannot be read.
 * - `resource_mismatch`: the server describes the sign-in of another server.
 * - `issuer_mismatch`: the response is not from the authorization server that received the request.
 * - `state_mismatch`: the response does not belong to the request.
 * - `registration_failed`: the authorization server does not accept this program.
 * - `denied`: the person, or the authorization server, has refused the access.
 * - `token_refused`: the authorization server issued no token.
 * - `no_browser`: a person must sign in, and `openBrowser` is missing or has failed.
 * - `timeout`: the person did not complete the sign-in before the time limit.
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

/** A sign-in with OAuth has failed. */
export class AuthorizationError extends TrackingError {
  static override readonly brand: string = 'AuthorizationError';
  /** The reason. */
  readonly reason: AuthorizationFailure;

  constructor(reason: AuthorizationFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'authorization', ...options });
    this.reason = reason;
  }
}

/** The error for a response that arrived but cannot be used. */
export function unreadable(
  { method, path }: { method: string; path: string },
  problem: string,
  details: { mismatches?: readonly SchemaMismatch[]; cause?: unknown } = {},
): ResponseFormatError {
  const message = `${method} ${path}: ${problem}`;
  return new ResponseFormatError(message, { status: 200, method, path, requestId: undefined, ...details });
}
