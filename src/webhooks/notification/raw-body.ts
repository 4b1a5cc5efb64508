import { WebhookVerificationError } from '../verify/verification-error.ts';

/** The unchanged bytes of a delivery. A `Buffer` is an `ArrayBufferView`; a string is read as its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

const NOT_RAW = `The signed bytes are gone: the body was read before.
Express: the route before express.json(), or keep rawBody. Fastify: receiver.fastify.
Next.js pages/api: bodyParser: false. Hono: c.req.raw. Else: request.arrayBuffer().`;

export function notRaw(): WebhookVerificationError {
  return new WebhookVerificationError('not_raw', NOT_RAW);
}

/**
 * A copy of the bytes: verified bytes must not change before they are parsed, and the memory of a `Buffer` is shared.
 *
 * @throws {WebhookVerificationError} `not_raw` for anything that is not bytes or text.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  try {
    if (typeof body === 'string') return new TextEncoder().encode(body);
    // This code does not use instanceof, because a buffer may come from another realm.
    if (ArrayBuffer.isView(body) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body))) {
      const { buffer, byteOffset, byteLength } = body as Uint8Array<ArrayBuffer>;
      return new Uint8Array(buffer ?? body, byteOffset, byteLength).slice();
    }
  } catch {
    // The buffer was transferred, so its bytes are gone.
  }
  throw notRaw();
}
