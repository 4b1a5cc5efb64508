import { ConfigurationError } from '../../errors.ts';
import { describeValue } from '../../internal/arguments.ts';
import { isHeaderValue } from '../base/checks.ts';
import { createRandom } from '../base/random.ts';
import { iso, MINUTE, SECOND } from '../base/time.ts';
import { PREFIX } from '../http/call.ts';
import { publish } from '../notifications/publish.ts';
import type { Backend, Task } from '../state/backend.ts';
import type { Document, DocumentRepresentation, EmailSubmission, Shipment, Upload } from '../state/store.ts';
import { typeFor, typeNamed } from '../world/document-types.ts';

export const STORAGE_PATH = '/rails/active_storage/disk';

/** Lifetime of a signed address, in ms. */
const VALID_FOR = 5 * MINUTE;

export type NewUpload = Pick<Upload, 'filename' | 'contentType' | 'byteSize' | 'checksum' | 'bytes'> & {
  /** @default now */
  createdAt?: number;
};

export function addUpload({ ids, store, now }: Backend, upload: NewUpload): Upload {
  const id = ids.next('upload');
  const signedId = `${btoa(id)}--${ids.of('signed id', id).replaceAll('-', '')}`;
  return store.uploads.add({ createdAt: now, ...upload, id, signedId });
}

/** The signed address for the upload (`put`) or the download (`get`) of a file. */
export function signedAddress({ ids, now }: Backend, origin: string, purpose: 'put' | 'get', { id }: Upload): string {
  const expires = Math.floor(now + VALID_FOR);
  const signature = ids.of(purpose, id, expires);
  return `${origin}${PREFIX}${STORAGE_PATH}/${id}?expires=${expires}&signature=${signature}`;
}

/** The file of a signed address, and whether the address has expired. `undefined` if the signature is wrong. */
export function readAddress(
  { ids, store, now }: Backend,
  purpose: 'put' | 'get',
  id: string,
  query: URLSearchParams,
): { upload: Upload; isExpired: boolean } | undefined {
  const upload = store.uploads.get(id);
  const expires = Number(query.get('expires'));
  const isSigned = query.get('signature') === ids.of(purpose, id, expires);
  return upload && isSigned ? { upload, isExpired: now > expires } : undefined;
}

/** The headers that an upload must have. */
export function storageHeaders({ filename, contentType, checksum }: Upload): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-MD5': checksum,
    'Content-Disposition': disposition('inline', filename),
  };
}

/** The headers of a file. A file must not run a script in the page of the sandbox, which has the same origin. */
export function downloadHeaders({ filename, contentType }: Upload): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Disposition': disposition('attachment', filename),
    'Content-Security-Policy': 'sandbox',
    'X-Content-Type-Options': 'nosniff',
  };
}

function disposition(type: 'attachment' | 'inline', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '?');
  // The conversion to UTF-8 replaces lone surrogates, which `encodeURIComponent` cannot encode.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(filename));
  const encoded = encodeURIComponent(wellFormed).replace(/['()*]/g, escaped);
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

type Step = Extract<Task, { kind: 'document' }>['step'];

/** Duration of each step of the processing, in ms. */
const CLASSIFICATION = 20 * SECOND;
const EXTRACTION = 40 * SECOND;
/** Time in ms from the extraction to the linking. */
export const LINKING = 10 * SECOND;

/** The time from the arrival of a document until its data is extracted. */
export const DOCUMENT_READ_AFTER = CLASSIFICATION + EXTRACTION;

/** The extraction fails for a file whose name contains this word. It also fails for an empty file. */
const UNREADABLE = /unreadable/i;

export interface NewDocument {
  name: string;
  upload: Upload;
  source: 'api' | 'email';
  mail?: EmailSubmission;
}

/** Adds a document. Then the document is classified, its data is extracted, and it is linked to shipments. */
export function addDocument(backend: Backend, added: NewDocument): Document {
  const older = withSameBytes(backend, added.upload.checksum);
  if (older !== undefined && backend.settings.repeatedDocuments === 'replace') backend.store.documents.remove(older.id);
  const document = storeDocument(backend, added);
  startStep(backend, document, 'classify', true);
  return document;
}

export function withSameBytes({ store }: Backend, checksum: string): Document | undefined {
  return store.documents.newestFirst().find(({ upload }) => upload.checksum === checksum);
}

function storeDocument(
  { ids, store, now }: Backend,
  { name, upload, source, mail, createdAt = now }: NewDocument & { createdAt?: number },
): Document {
  return store.documents.add({
    id: ids.next('document'),
    createdAt,
    updatedAt: createdAt,
    name,
    upload,
    source,
    mail: mail ?? null,
    type: null,
    manualType: null,
    notes: null,
    representation: null,
    manualData: null,
    shipments: [],
    containers: [],
  });
}

const DURATIONS = { classify: CLASSIFICATION, extract: EXTRACTION, link: LINKING };

/** Starts a step of the processing. If `goOn` is set, the next step follows. */
export function startStep(backend: Backend, document: Document, step: Step, goOn = false): void {
  backend.agenda.add(backend.now + DURATIONS[step], { kind: 'document', document, step, goOn });
}

/** Ends a step of the processing, unless the document has been deleted by then. */
export function endStep(backend: Backend, document: Document, step: Step, goOn: boolean): void {
  if (backend.store.documents.get(document.id) === undefined) return;
  document.updatedAt = backend.now;
  if (step === 'classify') {
    document.type = typeFor(`${document.name} ${document.upload.filename}`).code;
    if (goOn) startStep(backend, document, 'extract', goOn);
  } else if (step === 'link') {
    link(backend, document);
  } else if (extract(backend, document) && goOn) {
    startStep(backend, document, 'link');
  }
}

/** Invents the data of the document. @returns True if it could be read. */
function extract(backend: Backend, document: Document): boolean {
  const { name, upload } = document;
  const isReadable = upload.byteSize > 0 && !UNREADABLE.test(`${name} ${upload.filename}`);
  if (isReadable) document.representation = represent(backend, document, backend.now);
  else document.notes = 'Nothing could be read.';
  notify(backend, isReadable ? 'document.extracted' : 'document.extraction_failed', document);
  return isReadable;
}

function represent({ ids, seed }: Backend, document: Document, at: number): DocumentRepresentation {
  const random = createRandom(seed, 'document', document.id);
  const properties = typeNamed(document.manualType ?? document.type)?.properties ?? {};
  const day = iso(document.createdAt).slice(0, 10);
  return {
    id: ids.next('document_representation'),
    createdAt: at,
    payload: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value(random, day)])),
  };
}

/** Adds a document whose processing has ended in the past. */
export function addProcessedDocument(
  backend: Backend,
  { filename, text, createdAt, shipment }: { filename: string; text: string; createdAt: number; shipment: Shipment },
): void {
  const bytes = new TextEncoder().encode(text);
  const checksum = md5(bytes) ?? backend.ids.of('checksum', filename);
  const contentType = 'text/plain';
  const upload = addUpload(backend, { filename, contentType, byteSize: bytes.length, checksum, bytes, createdAt });
  const doneAt = createdAt + CLASSIFICATION + EXTRACTION;
  const document = storeDocument(backend, { name: filename, upload, source: 'api', createdAt });
  document.type = typeFor(filename).code;
  document.updatedAt = doneAt + LINKING;
  document.representation = represent(backend, document, doneAt);
  document.shipments = [shipment];
  document.containers = [...shipment.containers];
}

function notify(
  backend: Backend,
  event: 'document.extracted' | 'document.extraction_failed' | 'link.created',
  document: Document,
): void {
  if (backend.features.documents) publish(backend, event, { kind: 'document', document });
}

/** Links the shipments and containers whose numbers are in the name of the file, in its text or in the email. */
function link(backend: Backend, document: Document): void {
  const { containers, shipments } = backend.store;
  const { name, upload, mail } = document;
  const text = [name, upload.filename, mail?.subject, mail?.body, textOf(upload)].join('\n').toUpperCase();
  const isNamed = (number: string) => text.includes(number.toUpperCase());
  document.containers = containers.newestFirst().filter(({ number }) => isNamed(number));
  document.shipments = shipments
    .newestFirst()
    .filter(shipment => isNamed(shipment.number) || document.containers.some(box => box.shipment === shipment));
  if (document.shipments.length > 0) notify(backend, 'link.created', document);
}

function textOf({ contentType, bytes }: Upload): string {
  return contentType.startsWith('text/') && bytes !== null ? new TextDecoder().decode(bytes.subarray(0, 65_536)) : '';
}

/** An email to the account's address for documents. */
export interface Email {
  /** The subject. @default 'Documents' */
  subject?: string | undefined;
  /** The text. @default empty */
  body?: string | undefined;
  /** The addresses of the senders. @default ['sender@supplier.example'] */
  from?: string[] | undefined;
  /** The addresses that receive a copy. @default none */
  cc?: string[] | undefined;
  /** The attached files. Each attachment becomes a document. @default none */
  attachments?: EmailAttachment[] | undefined;
}

/** A file that becomes a document. */
export interface EmailAttachment {
  /** The file name with its extension. */
  filename: string;
  /** The media type. @default 'application/pdf' */
  contentType?: string | undefined;
  /** The bytes of the file. A string is sent as UTF-8. @default the file name */
  content?: string | Uint8Array | undefined;
}

/**
 * Receives an email to the account's address. Each attachment becomes a document.
 *
 * @throws {ConfigurationError} for a media type that is not valid in a header.
 */
export function receiveEmail(backend: Backend, email: Email): { id: string; documentIds: string[] } {
  const { ids, settings, store, now } = backend;
  for (const { contentType = '' } of email.attachments ?? []) {
    if (!isHeaderValue(contentType)) {
      throw new ConfigurationError(`contentType is ${describeValue(contentType)}; it must be like application/pdf.`);
    }
  }
  const id = ids.next('email_submission');
  const submission = store.emailSubmissions.add({
    id,
    createdAt: now,
    subject: email.subject ?? 'Documents',
    body: email.body ?? '',
    from: email.from ?? ['sender@supplier.example'],
    to: ['docs@inbox.example'],
    cc: email.cc ?? [],
    messageId: `<${id}@supplier.example>`,
  });
  const documents = (email.attachments ?? []).flatMap(
    ({ filename, contentType = 'application/pdf', content = filename }) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
      const checksum = md5(bytes) ?? id;
      const isRefused = settings.repeatedDocuments === 'reject' && withSameBytes(backend, checksum) !== undefined;
      if (isRefused) return [];
      const upload = addUpload(backend, { filename, contentType, byteSize: bytes.length, checksum, bytes });
      return addDocument(backend, { name: filename, upload, source: 'email', mail: submission });
    },
  );
  return { id, documentIds: documents.map(document => document.id) };
}

/**
 * The part of Node that this file uses, if the runtime has it. It is declared here because the type check of the page
 * does not include the types of Node.
 */
interface Runtime {
  process?: { getBuiltinModule?(name: 'node:crypto'): { createHash(name: 'md5'): Hash } };
}

interface Hash {
  update(bytes: Uint8Array): Hash;
  digest(encoding: 'base64'): string;
}

/**
 * The MD5 in Base64, as in the header `Content-MD5`. `null` in a runtime without MD5. The checksum cannot be checked in
 * such a runtime.
 */
export function md5(bytes: Uint8Array): string | null {
  const { process }: typeof globalThis & Runtime = globalThis;
  const crypto = process?.getBuiltinModule?.('node:crypto');
  return crypto?.createHash('md5').update(bytes).digest('base64') ?? null;
}
