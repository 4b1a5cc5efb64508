import { rawBytes } from '../notification/raw-body.ts';

/** The text or bytes that a body parser may have kept. */
export function findKeptBody(...places: unknown[]): unknown {
  return places.find(value => typeof value === 'string' || ArrayBuffer.isView(value));
}

/** The bytes of a body that a parser has kept, unless there are too many. */
export function bytesWithin(body: unknown, limit: number): Uint8Array<ArrayBuffer> | 'too_large' {
  const bytes = rawBytes(body);
  return bytes.length > limit ? 'too_large' : bytes;
}
