import { md5 } from '../base/md5.ts';
import { createRandom } from '../base/random.ts';
import { iso, SECOND } from '../base/time.ts';
import { publish } from '../notifications/publish.ts';
import type { Task } from '../state/agenda.ts';
import type { Backend } from '../state/backend.ts';
import type { Document, DocumentRepresentation, EmailSubmission, Shipment, Upload } from '../state/store.ts';
import { typeFor, typeNamed } from '../world/document-types.ts';
import { addUpload } from './uploads.ts';

type Step = Extract<Task, { kind: 'document' }>['step'];

/** How long each step of the processing takes. */
const CLASSIFICATION = 20 * SECOND;
const EXTRACTION = 40 * SECOND;
/** How long after that it is linked, in ms. */
export const LINKING = 10 * SECOND;

/** The time from the arrival of a document to its extracted data. */
export const DOCUMENT_READ_AFTER = CLASSIFICATION + EXTRACTION;

/** The extraction of a file with this name fails, as that of an empty file. */
const UNREADABLE = /unreadable/i;

export interface NewDocument {
  name: string;
  upload: Upload;
  source: 'api' | 'email';
  mail?: EmailSubmission;
}

/** Adds a document. Then it is classified, its data is extracted, and it is linked to shipments. */
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

/** Starts a step of the processing. With `goOn`, the next one follows. */
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

/** Invents the data of the document. @returns Whether it could be read. */
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

/** Adds a document that went through all of this in the past. */
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

/** Links the shipments and containers whose numbers are in the name, in the email or in the text of the file. */
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
