import { isRecord } from '../../jsonapi/document.ts';
import { isHeaderValue } from '../base/header.ts';
import { md5 } from '../base/md5.ts';
import { iso } from '../base/time.ts';
import { readBody } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import {
  addUpload,
  downloadHeaders,
  type NewUpload,
  readAddress,
  STORAGE_PATH,
  signedAddress,
  storageHeaders,
} from '../service/uploads.ts';
import type { Backend } from '../state/backend.ts';
import type { Upload } from '../state/store.ts';

export const directUploadRoutes: Route[] = [
  {
    method: 'POST',
    path: '/rails/active_storage/direct_uploads',
    async handle(call) {
      const { backend, url } = call;
      const upload = addUpload(backend, parseBlob(await call.json()));
      const { id, filename, contentType, byteSize, checksum, signedId, createdAt } = upload;
      const body = {
        id,
        key: `sandbox/${id.replaceAll('-', '')}`,
        filename,
        content_type: contentType,
        metadata: {},
        service_name: 'storage',
        byte_size: byteSize,
        checksum,
        created_at: iso(createdAt),
        signed_id: signedId,
        direct_upload: {
          url: signedAddress(backend, url.origin, 'put', upload),
          headers: storageHeaders(upload),
        },
      };
      return { status: 200, body };
    },
  },
  { method: 'PUT', path: `${STORAGE_PATH}/:id`, signed: true, isAddressOf, handle: receive },
  {
    method: 'GET',
    path: `${STORAGE_PATH}/:id`,
    signed: true,
    isAddressOf,
    handle(call) {
      const upload = uploadAt(call, 'get');
      if (!('id' in upload)) return upload;
      if (upload.bytes === null) return refusal(404, 'NoSuchKey');
      return { status: 200, headers: downloadHeaders(upload), body: upload.bytes };
    },
  },
];

function isAddressOf({ store }: Backend, { id = '' }: Record<string, string>): boolean {
  return store.uploads.get(id) !== undefined;
}

/** The texts of these errors in the real service are not published. */
function parseBlob(body: unknown): NewUpload {
  const blob = isRecord(body) && isRecord(body.blob) ? body.blob : {};
  const { filename, content_type: contentType, byte_size: byteSize, checksum } = blob;
  const isValid =
    typeof filename === 'string' &&
    filename !== '' &&
    typeof contentType === 'string' &&
    isHeaderValue(contentType) &&
    Number.isSafeInteger(byteSize) &&
    Number(byteSize) >= 0 &&
    typeof checksum === 'string' &&
    /^[A-Za-z0-9+/]{22}==$/.test(checksum);
  if (!isValid)
    throw new HttpError(422, [{ status: '422', detail: 'The blob lacks a field, or has one that is not valid.' }]);
  return { filename, contentType, byteSize: Number(byteSize), checksum, bytes: null };
}

/** Receives the bytes of a file, and checks that they are the announced ones. */
async function receive(call: Call): Promise<Reply> {
  const { headers } = call.request;
  if (headers.has('authorization')) return refusal(400, 'InvalidArgument', 'Only one way to authenticate is allowed');
  const upload = uploadAt(call, 'put');
  if (!('id' in upload)) return upload;
  const isAsSigned = Object.entries(storageHeaders(upload)).every(([name, value]) => headers.get(name) === value);
  if (!isAsSigned) return refusal(403, 'SignatureDoesNotMatch', 'The headers are not those that were signed');
  const bytes = await readBody(call.request, upload.byteSize);
  if (bytes?.length !== upload.byteSize) return refusal(400, 'IncompleteBody', 'The size is not the one announced');
  if ((md5(bytes) ?? upload.checksum) !== upload.checksum) {
    return refusal(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received');
  }
  upload.bytes = bytes;
  return { status: 204 };
}

function uploadAt({ backend, query, param }: Call, purpose: 'put' | 'get'): Upload | Reply {
  const address = readAddress(backend, purpose, param('id'), query);
  if (address === undefined) return refusal(403, 'SignatureDoesNotMatch');
  return address.isExpired ? refusal(403, 'AccessDenied', 'Request has expired') : address.upload;
}

/** An error answer of the storage, which is XML. */
function refusal(status: number, code: string, message = ''): Reply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: new TextEncoder().encode(xml) };
}
