import { ConnectionError, ResponseFormatError, TrackingError } from '../errors.ts';
import type { Redactor } from '../transport/redact.ts';
import { McpProtocolError } from './errors.ts';
import { ProtocolError, peerCode } from './peer.ts';

/** Where a connection leads, for messages. */
export interface Destination {
  readonly method: string;
  readonly path: string;
  /** Masks the credentials that what comes from there may repeat. */
  readonly redactor: Redactor;
}

/** An error of ours for whatever the official client has thrown. */
export function translated(error: unknown, { method, path, redactor }: Destination): unknown {
  // What our own `fetch` has thrown passes, also where it was wrapped.
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof TrackingError) return inner;
  }
  if (error instanceof ProtocolError) {
    return new McpProtocolError(redactor.text(`${method} ${path}: ${error.message}`), {
      rpcCode: error.code,
      data: redactor.value(error.data),
    });
  }
  const cause = redactor.error(error);
  switch (peerCode(error)) {
    case 'CONNECTION_CLOSED':
    case 'NOT_CONNECTED':
    case 'ERA_NEGOTIATION_FAILED':
      return new ConnectionError(`${method} ${path}: the connection has ended: ${cause.message}`, { cause });
    case 'REQUEST_TIMEOUT':
      return new ConnectionError(`${method} ${path}: no answer: ${cause.message}`, { cause });
    default:
  }
  if ('code' in cause && typeof cause.code === 'string' && /^E[A-Z]+$/.test(cause.code)) {
    return new ConnectionError(`${method} ${path}: ${cause.message}`, { cause });
  }
  return new ResponseFormatError(`${method} ${path}: the answer cannot be read: ${firstLine(cause.message)}`, {
    status: 200,
    method,
    path,
    requestId: undefined,
    cause,
  });
}

/** The official client adds the issues of its schemas in full. They are in the cause. */
function firstLine(message: string): string {
  return message.replace(/[:\s]*\[\s.*$/s, '') || 'it is no message of the protocol';
}
