import { createRandom } from '../base/random.ts';
import { iso, SECOND } from '../base/time.ts';
import { publish } from '../notifications/publish.ts';
import { aboutDocument } from '../notifications/subject.ts';
import type { Backend } from '../state/backend.ts';
import type { Document, EmailSubmission, Upload } from '../state/store.ts';
import { typeFor, typeNamed } from '../world/document-types.ts';

/** From a document to its type, from there to its contents and to its shipments. */
const CLASSIFICATION = 20 * SECOND;
const EXTRACTION = 40 * SECOND;
const LINKING = 10 * SECOND;

/** A file of this name cannot be read, like an empty one. */
const UNREADABLE = /unreadable/i;

export interface NewDocument {
  name: string;
  upload: Upload;
  source: 'api' | 'email';
  mail?: EmailSubmission;
}

/** Adds a document, which is then classified, read and linked one after the other. */
export function addDocument(backend: Backend, { name, upload, source, mail }: NewDocument): Document {
  const { ids, store, now } = backend;
  const document = store.documents.add({
    id: ids.next('document'),
    createdAt: now,
    updatedAt: now,
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
  classify(backend, document, () => extract(backend, document, () => link(backend, document)));
  return document;
}

/** Finds the type by words of the name. */
export function classify(backend: Backend, document: Document, next?: () => void): void {
  later(backend, CLASSIFICATION, document, () => {
    document.type = typeFor(`${document.name} ${document.upload.filename}`).code;
    next?.();
  });
}

/** Invents what the document says. */
export function extract(backend: Backend, document: Document, next?: () => void): void {
  later(backend, EXTRACTION, document, () => {
    const { ids, now, seed } = backend;
    const { name, upload } = document;
    if (upload.byteSize === 0 || UNREADABLE.test(`${name} ${upload.filename}`)) {
      document.notes = 'Nothing could be read.';
      tell(backend, 'document.extraction_failed', document);
      return;
    }
    const random = createRandom(seed, 'document', document.id);
    const properties = typeNamed(document.manualType ?? document.type)?.properties ?? {};
    const day = iso(document.createdAt).slice(0, 10);
    document.representation = {
      id: ids.next('document_representation'),
      createdAt: now,
      payload: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value(random, day)])),
    };
    tell(backend, 'document.extracted', document);
    next?.();
  });
}

function tell(backend: Backend, event: 'document.extracted' | 'document.extraction_failed', document: Document): void {
  if (backend.features.documents) publish(backend, event, () => aboutDocument(backend, document));
}

/** Finds the shipments and containers whose numbers stand in the name, in the mail or in a file of text. */
export function link(backend: Backend, document: Document): void {
  later(backend, LINKING, document, () => {
    const { name, upload, mail } = document;
    const text = [name, upload.filename, mail?.subject, mail?.body, textOf(upload)].join('\n').toUpperCase();
    const isNamed = (number: string) => text.includes(number.toUpperCase());
    const { containers, shipments } = backend.store;
    document.containers = containers.newestFirst().filter(({ number }) => isNamed(number));
    document.shipments = shipments.newestFirst().filter(shipment => {
      const { number, requestNumbers } = shipment;
      return [number, ...requestNumbers].some(isNamed) || document.containers.some(box => box.shipment === shipment);
    });
  });
}

function textOf({ contentType, bytes }: Upload): string {
  return contentType.startsWith('text/') && bytes !== null ? new TextDecoder().decode(bytes.subarray(0, 65_536)) : '';
}

/** Does something unless the document is deleted before. */
function later({ agenda, now, store }: Backend, ms: number, document: Document, run: () => void): void {
  agenda.add(now + ms, () => {
    if (store.documents.get(document.id) === undefined) return;
    document.updatedAt = now + ms;
    run();
  });
}
