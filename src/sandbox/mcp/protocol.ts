import { isRecord } from '../../jsonapi/document.ts';

/** The newest revision has no handshake: every request names its revision. */
const MODERN = '2026-07-28';

/** The revisions whose handshake is `initialize`, the newest first. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const SUPPORTED = [MODERN, ...LEGACY];

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

export const SERVER_INFO = { name: 'container-tracking', version: '1.0.0' };

export interface Message {
  id?: string | number;
  method: string;
  params: Record<string, unknown>;
}

/** An error of a method. It is sent instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

export function readMessage(value: unknown): Message | undefined {
  if (!isRecord(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return undefined;
  const { id, method, params } = value;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  return { method, params: isRecord(params) ? params : {}, ...(isRequest && { id }) };
}

/**
 * The revision of a request. @throws {RpcError} for an unknown revision, or a revision that differs from the header.
 */
export function revisionOf({ params, method }: Message, header: string | null): string {
  const meta = isRecord(params._meta) ? params._meta[VERSION_KEY] : undefined;
  const requested = meta ?? header ?? LEGACY[0];
  if (method !== 'initialize' && !SUPPORTED.includes(String(requested))) {
    throw new RpcError(UNSUPPORTED_VERSION, 'Unsupported protocol version', { supported: SUPPORTED, requested });
  }
  if (meta !== undefined && header !== null && meta !== header) {
    throw new RpcError(HEADER_MISMATCH, 'The header MCP-Protocol-Version and the message name different versions');
  }
  return String(requested);
}

/** True if an error is about the HTTP request, and not about the called method. */
export function isAboutRequest(code: number): boolean {
  return code === HEADER_MISMATCH || code === UNSUPPORTED_VERSION || code === INVALID_REQUEST;
}

/** Methods whose results may be cached, in the newest revision. */
const CACHEABLE = /^(server\/discover|tools\/list|prompts\/list|resources\/)/;

/** A result with the members that the revision requires. */
export function stamped(revision: string, method: string, result: Record<string, unknown>): Record<string, unknown> {
  if (revision !== MODERN) return result;
  return {
    resultType: 'complete',
    ...(CACHEABLE.test(method) && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    _meta: { [SERVER_KEY]: SERVER_INFO },
  };
}
