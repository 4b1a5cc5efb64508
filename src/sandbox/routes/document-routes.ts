import { isRecord } from '../../jsonapi/document.ts';
import type { DocumentSchemaAttributes } from '../../model/index.ts';
import { isHeaderValue } from '../base/checks.ts';
import { iso } from '../base/time.ts';
import { document, emailSubmission } from '../entities/document-entities.ts';
import { type Call, PREFIX, readBody, text, textOrNull } from '../http/call.ts';
import { blank, HttpError, invalid, named, notFound, unprocessable } from '../http/errors.ts';
import { createdAt, includeOf, list, ok, one, type Reply } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import {
  addDocument,
  addUpload,
  downloadHeaders,
  md5,
  type NewUpload,
  readAddress,
  STORAGE_PATH,
  signedAddress,
  startStep,
  storageHeaders,
  withSameBytes,
} from '../service/document-processing.ts';
import type { Backend } from '../state/backend.ts';
import type { Document, Upload } from '../state/store.ts';
import { type DocumentType, documentTypes, SCHEMA_VERSION, structureOf, typeNamed } from '../world/document-types.ts';

export const documentRoutes = routesFrom({
  'GET /documents'(call) {
    const tree = treeOf(call);
    const records = sorted(search(call), call.query.get('sort') ?? '-created_at');
    return list(call, records, record => document(call.backend, record, tree), { tree, meta: 'total and size' });
  },
  'POST /documents': create,
  'GET /documents/types': () => ok({ document_types: documentTypes.map(typeInList) }),
  'GET /documents/types/:code'(call) {
    const type = typeNamed(call.param('code'));
    if (!type?.description) throw notFound();
    return ok({ document_type: typeInDetail(type) });
  },
  'GET /documents/:id': call => answer(call, requestedDocument(call)),
  async 'PATCH /documents/:id'(call) {
    const record = requestedDocument(call);
    const tree = treeOf(call);
    const { attributes } = await call.input();
    const { extracted_data_manual: data } = attributes;
    record.manualType = textOrNull(record.manualType, attributes, 'document_type_manual');
    if (isRecord(data) || data === null) record.manualData = data;
    record.updatedAt = call.backend.now;
    return answer(call, record, tree);
  },
  'DELETE /documents/:id'(call) {
    call.backend.store.documents.remove(requestedDocument(call).id);
    return { status: 204 };
  },
  'GET /documents/:id/download_url'(call) {
    const { upload } = requestedDocument(call);
    return ok({ download_url: signedAddress(call.backend, call.url.origin, 'get', upload) });
  },
  'POST /documents/:id/reextract': call => accepted(call, 'extract'),
  'POST /documents/:id/reclassify': call => accepted(call, 'classify'),
  'POST /documents/:id/relink': call => accepted(call, 'link'),
  'POST /documents/:id/rotate': rotate,
  'GET /document_schemas/:id'(call) {
    const id = call.param('id');
    const [code = '', version] = id.split('@');
    const type = typeNamed(code);
    if (type === undefined || version !== SCHEMA_VERSION) {
      throw notFound(`Couldn't find DocumentSchema with 'id'=${id}`);
    }
    const links = { self: `/document_schemas/${id}` };
    return one(call, { type: 'document_schema', id, render: () => ({ attributes: schema(type), links }) });
  },
  'GET /email_submissions'(call) {
    const { backend } = call;
    const records = backend.store.emailSubmissions.newestFirst();
    const meta = 'total and size';
    return list(call, records, record => emailSubmission(backend, record), { tree: emailTree(call), meta });
  },
  'GET /email_submissions/:id'(call) {
    const record = call.backend.store.emailSubmissions.get(call.param('id'));
    if (record === undefined) throw named('email-submission-not-found');
    return one(call, emailSubmission(call.backend, record), emailTree(call));
  },
  async 'POST /rails/active_storage/direct_uploads'(call) {
    const { backend, url } = call;
    const upload = addUpload(backend, parseBlob(await call.json()));
    const { id, filename, contentType, byteSize, checksum, signedId, createdAt } = upload;
    return ok({
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
    });
  },
  [`PUT ${STORAGE_PATH}/:id`]: { signed: true, isAddressOf, handle: receive },
  [`GET ${STORAGE_PATH}/:id`]: {
    signed: true,
    isAddressOf,
    handle(call) {
      const upload = uploadAt(call, 'get');
      if (!('id' in upload)) return upload;
      if (upload.bytes === null) return refusal(404, 'NoSuchKey');
      return { status: 200, headers: downloadHeaders(upload), body: upload.bytes };
    },
  },
});

function typeInList({ code, label, description }: DocumentType) {
  const version = { ...versionOf(code), detail_url: `${PREFIX}/documents/types/${code}` };
  return { code, label, ...(description && { description, schema: version }) };
}

function typeInDetail(type: DocumentType) {
  const { code, label, description } = type;
  return {
    code,
    label,
    description,
    schema: { ...versionOf(code), format: 'json_schema', payload: structureOf(type) },
  };
}

function versionOf(code: string) {
  return { id: `${code}@${SCHEMA_VERSION}`, version: SCHEMA_VERSION };
}

function requestedDocument(call: Call): Document {
  const record = call.backend.store.documents.get(call.param('id'));
  if (record === undefined) throw named('document-not-found');
  return record;
}

const treeOf = (call: Call) => includeOf(call, 'document');

/** `tree` is read before the change: if `include` is wrong, the request must change nothing. */
function answer(call: Call, record: Document, tree = treeOf(call)): Reply {
  return one(call, document(call.backend, record, tree), tree);
}

function accepted(call: Call, step: 'classify' | 'extract' | 'link'): Reply {
  startStep(call.backend, requestedDocument(call), step);
  return { status: 202, body: { status: 'accepted' } };
}

async function create(call: Call): Promise<Reply> {
  const { backend } = call;
  const { attributes } = await call.input();
  const name = text(attributes, 'name');
  const signedId = text(attributes, 'attached_document');
  const upload = backend.store.uploads.newestFirst().find(candidate => candidate.signedId === signedId);
  if (name === '') throw unprocessable(blank('name'));
  if (upload === undefined || upload.bytes === null) {
    throw unprocessable(invalid('attributes/attached_document', 'No document attached'));
  }
  const existing = withSameBytes(backend, upload.checksum);
  if (existing !== undefined && backend.settings.repeatedDocuments === 'reject') throw duplicate(existing);
  const record = addDocument(backend, { name, upload, source: 'api' });
  return createdAt(call, '/documents', document(backend, record));
}

function duplicate({ id, name }: Document): HttpError {
  const error = {
    status: '409',
    title: 'Duplicate document',
    detail: 'A document with the same content exists already.',
    code: 'duplicate_document',
    meta: { existing_document_id: id, existing_document_name: name },
  };
  return new HttpError(409, [error]);
}

/** Accepts the rotation of an image. The stored image is not changed. */
async function rotate(call: Call): Promise<Reply> {
  const { upload } = requestedDocument(call);
  const body = await call.json();
  const degrees = isRecord(body) ? body.degrees : undefined;
  const isImage = upload.contentType.startsWith('image/');
  if (degrees !== 90 && degrees !== 180 && degrees !== 270) throw named('invalid-rotation');
  if (!isImage) {
    throw new HttpError(422, [{ status: '422', title: 'Invalid rotation', detail: 'only images can be rotated' }]);
  }
  return { status: 202, body: { status: 'accepted' } };
}

function search({ backend, query }: Call): Document[] {
  const words = (query.get('filter[filename]') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const reference = query.get('filter[reference]')?.toUpperCase();
  const types = query.get('filter[document_types]')?.split(',');
  return backend.store.documents.newestFirst().filter(record => {
    const filename = record.upload.filename.toLowerCase();
    const numbers = [...record.shipments, ...record.containers].map(({ number }) => number.toUpperCase());
    return (
      words.every(word => filename.includes(word)) &&
      (reference === undefined || numbers.includes(reference)) &&
      (types === undefined || types.includes(record.manualType ?? record.type ?? ''))
    );
  });
}

const SORT_KEYS = new Map<string, (document: Document) => string | number>([
  ['created_at', ({ createdAt }) => createdAt],
  ['document_type', ({ type }) => type ?? ''],
  ['added_by', ({ source }) => source],
]);

/** For an unknown sort key, the newest document comes first. */
function sorted(newestFirst: Document[], sort: string): Document[] {
  const value = SORT_KEYS.get(sort.replace('-', ''));
  if (value === undefined) return newestFirst;
  const ascending = newestFirst.toReversed().sort((a, b) => (value(a) < value(b) ? -1 : Number(value(a) > value(b))));
  return sort.startsWith('-') ? ascending.reverse() : ascending;
}

function schema(type: DocumentType): DocumentSchemaAttributes {
  const { code, label } = type;
  return {
    document_type: code,
    label,
    schema_version: SCHEMA_VERSION,
    full_version: `${code}@${SCHEMA_VERSION}`,
    current: true,
    draft: false,
    active_at: `${SCHEMA_VERSION}T00:00:00Z`,
    schema_format: 'json_schema',
    description: null,
    schema_payload: structureOf(type),
    created_at: '2026-03-20T09:00:00Z',
    updated_at: `${SCHEMA_VERSION}T00:00:00Z`,
  };
}

const emailTree = (call: Call) =>
  includeOf(call, 'email_submission', 'documents,documents.last_document_representation');

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

/** Receives the bytes of a file. Their size and MD5 must be equal to the announced values. */
async function receive(call: Call): Promise<Reply> {
  const { headers } = call.request;
  if (headers.has('authorization')) return refusal(400, 'InvalidArgument', 'Only one way to authenticate is allowed');
  const upload = uploadAt(call, 'put');
  if (!('id' in upload)) return upload;
  const isAsSigned = Object.entries(storageHeaders(upload)).every(([name, value]) => headers.get(name) === value);
  if (!isAsSigned) return refusal(403, 'SignatureDoesNotMatch', 'The headers differ from the signed headers');
  const bytes = await readBody(call.request, upload.byteSize);
  if (bytes?.length !== upload.byteSize) return refusal(400, 'IncompleteBody', 'The size is not the announced size');
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

/** An error response of the storage, in XML. */
function refusal(status: number, code: string, message = ''): Reply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: new TextEncoder().encode(xml) };
}
