import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToMany, OptionalToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/**
 * A shipping document that the service classifies and reads. Beta. Below an email submission or a notification it lacks
 * what describes its file, and some relationships.
 */
export interface Document<I extends IncludeList = []>
  extends ResourceRecord<'document', I>,
    DocumentAttributes,
    DocumentRelationships<I> {}

/** The data that the service has extracted from a document. Beta. It can only be included, not read separately. */
export interface DocumentRepresentation
  extends ResourceRecord<'document_representation'>,
    DocumentRepresentationAttributes {}

/** The schema of what is read from one type of document. Beta. Its `id` is its `full_version`. */
export interface DocumentSchema extends ResourceRecord<'document_schema'>, DocumentSchemaAttributes {}

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

/** The fields of a document. */
export interface DocumentAttributes {
  /** Name of the document, for people. */
  name: string;
  /** What the service takes it for, as a code of `documents.types`; `null` until it is classified. */
  document_type: string | null;
  /** What a person has set. It goes before `document_type`. */
  document_type_manual?: string | null;
  /** What the classification notes about it, for people. */
  classification_notes?: string | null;
  /** How it reached the account. */
  source?: Open<'upload' | 'api' | 'email' | 'split_document'>;
  /** Name of the file. */
  file_name?: string;
  /** MIME type of the file. */
  file_content_type?: string | null;
  /** Size of the file in bytes. */
  file_size_bytes?: number | null;
  /** When the document was made. */
  created_at: DateTime;
  /** When the document was last changed. */
  updated_at: DateTime;
}

/** What a document is related to. */
export interface DocumentRelationships<I extends IncludeList = []> {
  /** The account that the document belongs to. */
  account: OptionalToOne<I, 'account', 'account'>;
  /** The person that added it, where one is known. */
  user: OptionalToOne<I, 'user', 'user'> | null;
  /** The mail that it came with; `null` where it came another way. */
  email_submission: OptionalToOne<I, 'email_submission', 'email_submission'> | null;
  /** What the service has read from it last; `null` until it has. */
  last_document_representation: OptionalToOne<I, 'last_document_representation', 'document_representation'> | null;
  /** The same as `last_document_representation`. Only where it was included. */
  current_extraction: OptionalToOne<I, 'current_extraction', 'document_representation'> | null;
  /** The shipments that it belongs to. */
  shipments: OptionalToMany<I, 'shipments', 'shipment'>;
  /** The containers that it belongs to. */
  cargos: OptionalToMany<I, 'cargos', 'container'>;
}

/** A document to create from a file that was uploaded. */
export interface DocumentCreate {
  /** Name of the document, for people. */
  name: string;
  /** The `signed_id` of a direct upload, never an address. */
  attached_document: string;
}

/** What `documents.update` can change. */
export interface DocumentUpdate {
  /** Code of the type, from `documents.types`. It goes before what the service finds. */
  document_type_manual?: string | undefined;
  /** Keys and values in place of what the service has read. */
  extracted_data_manual?: Record<string, unknown> | null | undefined;
}

/** By how much to rotate. */
export interface DocumentRotate {
  /** By how much the image is turned. */
  degrees: 90 | 180 | 270;
}

/** The fields of a document representation. */
export interface DocumentRepresentationAttributes {
  /** Version of the schema that `payload` follows. */
  schema_version: string;
  /** Keys and values as the document schema of this type and version describes them. */
  payload: Record<string, unknown>;
  /** When the document was read. */
  created_at: DateTime;
  /** When the representation was last changed. */
  updated_at: DateTime;
}

/** The fields of a document schema. */
export interface DocumentSchemaAttributes {
  /** Code of the type, as in `documents.types`. */
  document_type: string;
  /** Name of the type, for people. */
  label: string;
  /** Date of the version. */
  schema_version: string;
  /** `<document_type>@<schema_version>`. */
  full_version: string;
  /** Whether new documents are read with this version. */
  current: boolean;
  /** Whether the version is still being worked on. */
  draft: boolean;
  /** Since when the version is used. */
  active_at: DateTime | null;
  /** What `schema_payload` is written in. */
  schema_format: Open<'json_schema'>;
  /** What the type is, for people. */
  description: string | null;
  /** A JSON Schema. */
  schema_payload: Record<string, unknown>;
  /** When the version was made. */
  created_at: DateTime;
  /** When the version was last changed. */
  updated_at: DateTime;
}
