import { WebhookVerificationError } from '../errors.ts';

/** The bytes of a delivery as they came: a `Buffer` is an `ArrayBufferView`. A string counts as its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

const NOT_RAW = `The signed bytes are gone: something has read or parsed the body before.
Express: express.raw({ type: '*/*' }) on this route, before express.json(). Fastify: register receiver.fastify.
Next.js pages/api: bodyParser: false. Elsewhere: await request.arrayBuffer().`;

export function notRaw(): WebhookVerificationError {
  return new WebhookVerificationError('not_raw', NOT_RAW);
}

/**
 * The bytes, in a copy of their own: what is verified must not change before it is read, and `Buffer` memory is shared.
 *
 * @throws {WebhookVerificationError} `not_raw` for anything that is not bytes or text.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // Not instanceof: a buffer may come from another realm.
  if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body))) {
    return new Uint8Array(new Uint8Array(body as ArrayBuffer));
  }
  throw notRaw();
}
