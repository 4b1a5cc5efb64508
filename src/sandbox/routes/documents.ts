import { isRecord } from '../../jsonapi/document.ts';
import { document } from '../entities/document.ts';
import { text, textOrNull } from '../http/attributes.ts';
import { type Call, PREFIX } from '../http/call.ts';
import { HttpError, invalid, named, notFound, unprocessable } from '../http/errors.ts';
import { createdAt, includeOf, list, one, type Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { addDocument, startStep, withSameBytes } from '../service/documents.ts';
import { signedAddress } from '../service/uploads.ts';
import type { Document } from '../state/store.ts';
import { type DocumentType, documentTypes, SCHEMA_VERSION, structureOf, typeNamed } from '../world/document-types.ts';

export const documentRoutes: Route[] = [
  {
    method: 'GET',
    path: '/documents',
    handle(call) {
      const tree = treeOf(call);
      const records = sorted(search(call), call.query.get('sort') ?? '-created_at');
      return list(call, records, record => document(call.backend, record, tree), { tree, meta: 'total and size' });
    },
  },
  { method: 'POST', path: '/documents', handle: create },
  {
    method: 'GET',
    path: '/documents/types',
    handle: () => ({ status: 200, body: { document_types: documentTypes.map(typeInList) } }),
  },
  {
    method: 'GET',
    path: '/documents/types/:code',
    handle(call) {
      const type = typeNamed(call.param('code'));
      if (!type?.description) throw notFound();
      return { status: 200, body: { document_type: typeInDetail(type) } };
    },
  },
  { method: 'GET', path: '/documents/:id', handle: call => answer(call, requestedDocument(call)) },
  {
    method: 'PATCH',
    path: '/documents/:id',
    async handle(call) {
      const record = requestedDocument(call);
      const tree = treeOf(call);
      const { attributes } = await call.input();
      const { extracted_data_manual: data } = attributes;
      record.manualType = textOrNull(record.manualType, attributes, 'document_type_manual');
      if (isRecord(data) || data === null) record.manualData = data;
      record.updatedAt = call.backend.now;
      return answer(call, record, tree);
    },
  },
  {
    method: 'DELETE',
    path: '/documents/:id',
    handle(call) {
      call.backend.store.documents.remove(requestedDocument(call).id);
      return { status: 204 };
    },
  },
  {
    method: 'GET',
    path: '/documents/:id/download_url',
    handle(call) {
      const { upload } = requestedDocument(call);
      return { status: 200, body: { download_url: signedAddress(call.backend, call.url.origin, 'get', upload) } };
    },
  },
  { method: 'POST', path: '/documents/:id/reextract', handle: call => accepted(call, 'extract') },
  { method: 'POST', path: '/documents/:id/reclassify', handle: call => accepted(call, 'classify') },
  { method: 'POST', path: '/documents/:id/relink', handle: call => accepted(call, 'link') },
  { method: 'POST', path: '/documents/:id/rotate', handle: rotate },
];

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

/** A change needs the tree before it: a wrong `include` must change nothing. */
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
  if (name === '') throw unprocessable(invalid('attributes/name', "Name can't be blank", 'blank'));
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

/** The image itself is not changed. */
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
