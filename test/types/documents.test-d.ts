import type { ReadStream } from 'node:fs';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import type {
  Accepted,
  ConflictError,
  Document,
  DocumentRepresentation,
  DownloadUrl,
  EmailSubmission,
  List,
  NotIncluded,
  TrackingClient,
  UploadError,
  UploadItem,
  UploadResult,
} from '../../src/index.ts';

declare const client: TrackingClient;
declare const flag: boolean;

describe('documents', () => {
  test('have their included records', async () => {
    const document = await client.documents.get('1', { include: ['email_submission', 'cargos.shipment'] });
    expectTypeOf(document.email_submission).toEqualTypeOf<EmailSubmission | null>();
    expectTypeOf(document.cargos[0]?.number).toEqualTypeOf<string | undefined>();
    expectTypeOf(document.shipments).toEqualTypeOf<NotIncluded<'shipment'>[] | undefined>();
    // @ts-expect-error that is not a relationship of a document
    client.documents.get('1', { include: ['containers'] });
  });

  test('may have a reference if the include depends on a condition', async () => {
    const document = await client.documents.get('1', { include: flag ? ['user'] : undefined });
    expectTypeOf(document.user?.id).toEqualTypeOf<string | undefined>();
    // @ts-expect-error it may be a reference
    document.user?.links.self;
  });

  test('are listed with a sort order and filters', () => {
    expectTypeOf(client.documents.list({ sort: '-created_at' })).toEqualTypeOf<List<Document>>();
    client.documents.list({ filter: { document_types: ['commercial_invoice'] }, include: ['shipments'] });
    // @ts-expect-error no such sort order
    client.documents.list({ sort: 'name' });
    // @ts-expect-error no such filter
    client.documents.list({ filter: { name: 'a' } });
    // @ts-expect-error no such angle
    client.documents.rotate('1', { degrees: 45 });
  });
});

describe('email submissions', () => {
  test('have documents with their last representation, or references, by default', async () => {
    const { documents } = await client.emailSubmissions.get('1');
    const [document] = documents ?? [];
    // @ts-expect-error it may be a reference
    document?.name;
    if (document && 'name' in document) {
      expectTypeOf(document.name).toEqualTypeOf<string>();
      const representation = document.last_document_representation;
      if (representation && 'payload' in representation) {
        expectTypeOf(representation.payload).toEqualTypeOf<DocumentRepresentation['payload']>();
      }
    }
    for await (const mail of client.emailSubmissions.list()) expectTypeOf(mail.documents).toEqualTypeOf(documents);
  });

  test('have only the records of the include, instead of the default records', async () => {
    const mail = await client.emailSubmissions.get('1', { include: ['account'] });
    expectTypeOf(mail.documents).toEqualTypeOf<NotIncluded<'document'>[] | undefined>();
    expectTypeOf(mail.account?.company_name).toEqualTypeOf<string | undefined>();
  });
});

describe('uploads', () => {
  test('accept every kind of file', () => {
    expectTypeOf<string>().toExtend<UploadItem['file']>();
    expectTypeOf<File>().toExtend<UploadItem['file']>();
    expectTypeOf<Buffer>().toExtend<UploadItem['file']>();
    expectTypeOf<ArrayBuffer>().toExtend<UploadItem['file']>();
    expectTypeOf<{ size: number; open(): ReadableStream<Uint8Array> }>().toExtend<UploadItem['file']>();
    expectTypeOf<{ size: number; open(): ReadStream }>().toExtend<UploadItem['file']>();
    expectTypeOf<{ size: number; open(): NodeReadableStream<Uint8Array> }>().toExtend<UploadItem['file']>();
    expectTypeOf<{ size: number; open(): Promise<AsyncGenerator<Uint8Array>> }>().toExtend<UploadItem['file']>();
    expectTypeOf<{ size: number; open(): string }>().not.toExtend<UploadItem['file']>();
    expectTypeOf<ReadableStream<Uint8Array>>().not.toExtend<UploadItem['file']>();
    expectTypeOf(client.documents.upload({ file: 'a.pdf', name: undefined })).resolves.toEqualTypeOf<Document>();
  });

  test('of many files return a document or an error for each file', () => {
    const [result] = [] as UploadResult[];
    if (result?.ok) expectTypeOf(result.document).toEqualTypeOf<Document>();
    else expectTypeOf(result?.error).toEqualTypeOf<unknown>();
  });

  test('report the failed stage', () => {
    expectTypeOf<UploadError['stage']>().toEqualTypeOf<'hash' | 'slot' | 'put' | 'create'>();
    expectTypeOf<UploadError['existingDocumentId']>().toEqualTypeOf<ConflictError['existingDocumentId']>();
  });
});

test('a download returns a stream, or nothing if it is written to a file', () => {
  expectTypeOf(client.documents.download('1')).resolves.toEqualTypeOf<ReadableStream<Uint8Array>>();
  expectTypeOf(client.documents.download('1', { to: 'a.pdf' })).resolves.toEqualTypeOf<void>();
  expectTypeOf(client.documents.download('1', { to: 'a.pdf' as string | undefined })).resolves.toEqualTypeOf<
    ReadableStream<Uint8Array> | undefined
  >();
});

test('a method that processes a document again takes the document or its id', async () => {
  const document = await client.documents.get('1');
  expectTypeOf(client.documents.reextract(document)).resolves.toEqualTypeOf<Accepted>();
  expectTypeOf(client.documents.reclassify(document)).resolves.toEqualTypeOf<Accepted | undefined>();
  expectTypeOf(client.documents.relink('1')).resolves.toEqualTypeOf<Accepted | undefined>();
  expectTypeOf(client.documents.rotate(document, { degrees: 90 })).resolves.toEqualTypeOf<Accepted | undefined>();
  expectTypeOf(client.documents.downloadUrl(document)).resolves.toEqualTypeOf<DownloadUrl>();
  // @ts-expect-error not a document
  client.documents.reextract({});
});

describe('waiting for a document', () => {
  test('returns a payload of the type of the schema', async () => {
    const invoice = z.object({ invoice_number: z.string(), total: z.pipe(z.string(), z.transform(Number)) });
    const { last_document_representation } = await client.documents.waitFor('1', { schema: invoice });
    expectTypeOf(last_document_representation.payload).toEqualTypeOf<{ invoice_number: string; total: number }>();
    // @ts-expect-error not in the schema
    last_document_representation.payload.lines;
  });

  test('without a schema returns a payload that may have any keys and is not null', async () => {
    const document = await client.documents.waitFor('1', { waitTimeout: 5, signal: undefined, after: new Date() });
    expectTypeOf(document.last_document_representation.payload).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(document.document_type).toEqualTypeOf<string | null>();
    // @ts-expect-error not a schema
    client.documents.waitFor('1', { schema: { type: 'object' } });
  });
});
