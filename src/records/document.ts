import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** A shipping document, classified and read by the service (api/resources.md, document). Beta. */
export type Document<I = []> = LinkedRecord<'document', I>;

/** What the service has read from a document (api/resources.md, document_representation). Beta. */
export type DocumentRepresentation = LinkedRecord<'document_representation', []>;

/** The schema of what is read from one type of document (api/resources.md, document_schema). Beta. Its `id` is `full_version`. */
export type DocumentSchema = LinkedRecord<'document_schema', []>;

/** What `include` accepts on the document endpoints, and the relationships below it. */
export type DocumentInclude = IncludePath<
  'document',
  | 'shipments'
  | 'cargos'
  | 'account'
  | 'user'
  | 'last_document_representation'
  | 'email_submission'
  | 'current_extraction'
>;

/** A document that is embedded in an email submission lacks what describes its file. */
export interface DocumentAttributes {
  name: string;
  /** `null` until it is classified. */
  document_type: string | null;
  /** Set by a person; goes before `document_type`. */
  document_type_manual?: string | null;
  classification_notes?: string | null;
  source?: Open<'upload' | 'api' | 'email' | 'split_document'>;
  file_name?: string;
  /** MIME type. */
  file_content_type?: string | null;
  file_size_bytes?: number | null;
  created_at: DateTime;
  updated_at: DateTime;
}

/** Some are missing where a document is embedded in an email submission or a notification. */
export interface DocumentRelationships {
  account?: Ref<'account'>;
  user?: Ref<'user'> | null;
  email_submission?: Ref<'email_submission'> | null;
  last_document_representation?: Ref<'document_representation'> | null;
  /** The last representation under another name. Only where it is included. */
  current_extraction?: Ref<'document_representation'> | null;
  shipments?: Ref<'shipment'>[];
  /** Containers. */
  cargos?: Ref<'container'>[];
}

export interface DocumentCreate {
  name: string;
  /** The `signed_id` of a direct upload, never an address. */
  attached_document: string;
}

/** What `documents.update` can change. */
export interface DocumentUpdate {
  document_type_manual?: string | undefined;
  extracted_data_manual?: Record<string, unknown> | null | undefined;
}

export interface DocumentRotate {
  degrees: 90 | 180 | 270;
}

export interface DocumentRepresentationAttributes {
  schema_version: string;
  /** Keys and values as the document schema of this type and version describes them. */
  payload: Record<string, unknown>;
  created_at: DateTime;
  updated_at: DateTime;
}

export interface DocumentSchemaAttributes {
  document_type: string;
  label: string;
  schema_version: string;
  /** `<document_type>@<schema_version>`. */
  full_version: string;
  current: boolean;
  draft: boolean;
  active_at: DateTime | null;
  schema_format: Open<'json_schema'>;
  description: string | null;
  /** A JSON Schema. */
  schema_payload: Record<string, unknown>;
  created_at: DateTime;
  updated_at: DateTime;
}
