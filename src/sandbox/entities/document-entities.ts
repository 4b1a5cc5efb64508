import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Document, EmailSubmission, Entity, IncludeTree } from '../state/store.ts';
import { entity } from '../state/store.ts';
import { SCHEMA_VERSION } from '../world/document-types.ts';
import { account, user } from './account-entities.ts';
import { container, shipment } from './tracking-entities.ts';

/**
 * An email includes a short form of its documents, and a document includes a short form of its email, so both are in
 * this file.
 */

export function document(backend: Backend, record: Document, tree: IncludeTree = new Map()): Entity<'document'> {
  const { id, upload, mail } = record;
  return entity('document', id, () => ({
    attributes: {
      id,
      name: record.name,
      document_type: record.type,
      document_type_manual: record.manualType,
      classification_notes: record.notes,
      source: record.source,
      file_name: upload.filename,
      file_content_type: upload.contentType,
      file_size_bytes: upload.byteSize,
      created_at: iso(record.createdAt),
      updated_at: iso(record.updatedAt),
    },
    relationships: {
      account: account(backend),
      user: record.source === 'api' ? user(backend) : null,
      email_submission: mail && embeddedEmailSubmission(mail),
      last_document_representation: representation(record),
      ...(tree.has('current_extraction') && { current_extraction: representation(record) }),
      shipments: record.shipments.map(linked => shipment(backend, linked)),
      cargos: record.containers.map(linked => container(backend, linked)),
    },
    links: { self: `/documents/${id}`, download: `/documents/${id}/download_url` },
  }));
}

function embeddedDocument(record: Document): Entity<'document'> {
  return entity('document', record.id, () => ({
    attributes: {
      name: record.name,
      source: record.source,
      document_type: record.type,
      created_at: iso(record.createdAt),
      updated_at: iso(record.updatedAt),
    },
    relationships: { last_document_representation: representation(record) },
  }));
}

function representation({ representation, manualData }: Document): Entity<'document_representation'> | null {
  if (representation === null) return null;
  const at = iso(representation.createdAt);
  const payload = manualData ?? representation.payload;
  return entity('document_representation', representation.id, () => ({
    attributes: { schema_version: SCHEMA_VERSION, payload, created_at: at, updated_at: at },
  }));
}

export function emailSubmission(backend: Backend, record: EmailSubmission): Entity<'email_submission'> {
  const documents = backend.store.documents.newestFirst().filter(({ mail }) => mail === record);
  return entity('email_submission', record.id, () => ({
    attributes: {
      ...common(record),
      body: record.body,
      in_reply_to: null,
      references: [],
      content_type: 'multipart/mixed',
      documents_count: documents.length,
    },
    relationships: { account: account(backend), user: null, documents: documents.map(embeddedDocument) },
    links: { self: `/email_submissions/${record.id}` },
  }));
}

function embeddedEmailSubmission(record: EmailSubmission): Entity<'email_submission'> {
  return entity('email_submission', record.id, () => ({
    attributes: { ...common(record), body_preview: record.body.slice(0, 200) },
  }));
}

function common({ subject, from, to, cc, messageId, createdAt }: EmailSubmission) {
  const at = iso(createdAt);
  return { subject, from, to, cc, sent_at: at, message_id: messageId, created_at: at, updated_at: at };
}
