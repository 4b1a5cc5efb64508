import { ConfigurationError } from '../../errors.ts';
import { describeValue } from '../../internal/arguments.ts';
import { isHeaderValue } from '../base/header.ts';
import { md5 } from '../base/md5.ts';
import type { Backend } from '../state/backend.ts';
import { addDocument, withSameBytes } from './documents.ts';
import { addUpload } from './uploads.ts';

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
  /** The attached files. Each becomes a document. @default none */
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
 * @throws {ConfigurationError} for a media type that cannot stand in a header.
 */
export function receiveEmail(backend: Backend, email: Email): { id: string; documentIds: string[] } {
  const { ids, settings, store, now } = backend;
  for (const { contentType = '' } of email.attachments ?? []) {
    if (!isHeaderValue(contentType)) {
      throw new ConfigurationError(`contentType is ${describeValue(contentType)}; it must be such as application/pdf.`);
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
