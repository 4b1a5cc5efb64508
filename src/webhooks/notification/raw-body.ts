import { WebhookVerificationError } from '../../errors.ts';

/** The bytes of a delivery as they came: a `Buffer` is an `ArrayBufferView`. A string counts as its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

const NOT_RAW = `The signed bytes are gone: the body was read before.
Express: express.raw({ type: '*/*' }) before express.json(). Fastify: receiver.fastify.
Next.js pages/api: bodyParser: false. Hono: c.req.raw. Else: request.arrayBuffer().`;

export function notRaw(): WebhookVerificationError {
  return new WebhookVerificationError('not_raw', NOT_RAW);
}

/**
 * The bytes, in a copy of their own: what is verified must not change before it is read, and `Buffer` memory is shared.
 *
 * @throws {WebhookVerificationError} `not_raw` for anything that is not bytes or text.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  try {
    if (typeof body === 'string') return new TextEncoder().encode(body);
    // Not instanceof: a buffer may come from another realm.
    if (ArrayBuffer.isView(body) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body))) {
      const { buffer, byteOffset, byteLength } = body as Uint8Array<ArrayBuffer>;
      return new Uint8Array(buffer ?? body, byteOffset, byteLength).slice();
    }
  } catch {
    // The memory was transferred to somebody else.
  }
  throw notRaw();
}

/** Text or bytes, in one of the places where something that has read the body may have kept them. */
export function keptIn(...places: unknown[]): unknown {
  return places.find(value => typeof value === 'string' || ArrayBuffer.isView(value));
}

export function limited(body: unknown, limit: number): Uint8Array<ArrayBuffer> | 'too_large' {
  const bytes = rawBytes(body);
  return bytes.length > limit ? 'too_large' : bytes;
}
