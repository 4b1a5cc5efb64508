import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import {
  ConfigurationError,
  ExtractionFailedError,
  ExtractionMismatchError,
  ExtractionPendingError,
  type ExtractionProgress,
  NotFoundError,
  type StandardSchema,
  TrackingClient,
} from '../../src/index.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

/** With a short window of the rate limit, the polls have short intervals. */
const WINDOW = { windowMs: 300 };
const FAILED = ['document.extraction_failed'] as const;

async function setUp(options: SandboxOptions = {}) {
  const sandbox = stillSandbox({ fetch: async () => new Response(null, { status: 200 }), ...options });
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    logger: false,
    rateLimit: { ...WINDOW, limits: { default: 1000 } },
  });
  const mail = (...names: string[]) => {
    const attachments = names.map((filename, n) => ({ filename, content: `${filename} ${n}` }));
    return sandbox.receiveEmail({ attachments }).documentIds;
  };
  const paths = () => sandbox.requests.map(({ path }) => path);
  return { sandbox, client, mail, paths };
}

/** Sends a notification of a failed extraction, although the sandbox can read the document. */
function tellFailure(sandbox: Sandbox, id: string, failedAt: string): void {
  const attributes = { event: 'document.extraction_failed', created_at: failedAt };
  const relationships = { document: { data: { type: 'document', id } } };
  const data = [{ type: 'webhook_notification', id: 'n', attributes, relationships }];
  sandbox.fail({ match: { path: '/webhook_notifications' }, times: Number.POSITIVE_INFINITY, body: { data } });
}

function secondsAfter({ created_at }: { created_at: string }, seconds: number): string {
  return new Date(Date.parse(created_at) + seconds * 1000).toISOString();
}

describe('waiting for a document', () => {
  test('ends with the extracted data, and reports each step', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    const told: ExtractionProgress[] = [];
    const outcome = client.documents.waitFor(id, { onProgress: progress => told.push(progress) });
    await expect.poll(() => told).toHaveLength(1);
    sandbox.advance({ seconds: 20 });
    await expect.poll(() => told).toHaveLength(2);
    sandbox.advance({ seconds: 40 });
    const document = await outcome;
    expect(document).toMatchObject({ id, document_type: 'commercial_invoice' });
    expect(document.last_document_representation.payload).toHaveProperty('invoice_number');
    expect(told.map(({ document }) => document.document_type)).toEqual([
      null,
      'commercial_invoice',
      'commercial_invoice',
    ]);
  });

  test.each([
    ['a page with 404', { status: 404, body: '<h1>404 Not Found</h1>' }],
    ['a 404 in the JSON of a gateway', { status: 404, body: { message: 'no Route matched with those values' } }],
    ['a page about maintenance with 200', { status: 200, body: '<h1>Back soon</h1>' }],
  ])('continues after %s', async (_, answer) => {
    const { sandbox, client, mail } = await setUp();
    const names = ['1.pdf', '2.pdf', '3.pdf', '4.pdf'];
    const ids = mail(...names);
    sandbox.fail({ match: { path: /^\/documents/ }, times: 5, ...answer });
    sandbox.advance({ minutes: 5 });
    const outcomes = await Promise.all(ids.map(id => client.documents.waitFor(id)));
    expect(outcomes.map(({ id }) => id)).toEqual(ids);
  });

  test('rejects with the error of a listener that rejects', async () => {
    const { client, mail } = await setUp();
    const unhandled = unhandledRejections();
    const [id = ''] = mail('invoice.pdf');
    const onProgress = async () => {
      throw new Error('of the listener');
    };
    await expect(client.documents.waitFor(id, { onProgress })).rejects.toThrow('of the listener');
    expect(await unhandled.settle()).toEqual([]);
  });

  test('accepts the document instead of its id', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    expect((await client.documents.waitFor(await client.documents.get(id))).id).toBe(id);
  });

  test('rejects with the failure that a notification reports; the error has the notes of the document', async () => {
    const { sandbox, client, mail } = await setUp();
    await client.webhooks.create({ url: 'https://a.example/', active: true, events: FAILED });
    const [id = ''] = mail('unreadable.pdf');
    const outcome = client.documents.waitFor(id);
    sandbox.advance({ minutes: 2 });
    const error = await outcome.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExtractionFailedError);
    expect(error).toMatchObject({
      code: 'extraction_failed',
      message: expect.stringMatching(/unreadable\.pdf.*Nothing could be read\./),
      document: { id },
      failedAt: expect.any(String),
    });
  });

  test('rejects at its timeout with the current document, because no webhook reports failures', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('unreadable.pdf');
    sandbox.advance({ minutes: 2 });
    const error = await client.documents.waitFor(id, { waitTimeout: 600 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExtractionPendingError);
    expect(error).toHaveProperty('message', expect.stringContaining('document.extraction_failed'));
    expect(error).toMatchObject({ code: 'extraction_pending', document: { id, document_type: 'other' } });
  });

  test('ignores data and failures that are earlier than the option `after`', async () => {
    const { sandbox, client, mail } = await setUp();
    await client.webhooks.create({ url: 'https://a.example/', active: true, events: FAILED });
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const before = (await client.documents.waitFor(id)).last_document_representation;
    await client.documents.reextract(id);
    const outcome = client.documents.waitFor(id, { after: before.created_at });
    sandbox.advance({ minutes: 2 });
    expect((await outcome).last_document_representation.id).not.toBe(before.id);

    const [other = ''] = mail('unreadable.pdf');
    sandbox.advance({ minutes: 2 });
    const failed = await client.documents.waitFor(other).catch((reason: unknown) => reason);
    if (!(failed instanceof ExtractionFailedError)) throw failed;
    const again = client.documents.waitFor(other, { after: failed.failedAt, waitTimeout: 600 });
    await expect(again).rejects.toThrow(ExtractionPendingError);
  });

  test('rejects with the failure of a new extraction, even if the document was read before', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const before = (await client.documents.waitFor(id)).last_document_representation;
    await client.documents.reextract(id);
    tellFailure(sandbox, id, secondsAfter(before, 30));
    const again = client.documents.waitFor(id, { after: before.created_at, waitTimeout: 30_000 });
    const error = await again.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExtractionFailedError);
    expect(error).toMatchObject({ document: { id, last_document_representation: { id: before.id } } });
  });

  test('ends each wait with the first result that is later than the option `after` of that wait', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const first = (await client.documents.waitFor(id)).last_document_representation;
    const failedAt = secondsAfter(first, 30);
    tellFailure(sandbox, id, failedAt);
    const later = client.documents.waitFor(id, { after: failedAt });
    const failing = client.documents.waitFor(id, { after: first.created_at, waitTimeout: 30_000 });
    await expect(failing).rejects.toThrow(ExtractionFailedError);
    expect((await client.documents.waitFor(id)).last_document_representation.id).toBe(first.id);
    await client.documents.reextract(id);
    sandbox.advance({ minutes: 2 });
    expect((await later).last_document_representation.id).not.toBe(first.id);
  });

  test('polls many documents together', async () => {
    const { sandbox, client, mail, paths } = await setUp();
    const ids = mail(...Array.from({ length: 50 }, (_, n) => `invoice-${n}.pdf`));
    const outcomes = Promise.all(ids.map(id => client.documents.waitFor(id)));
    await expect.poll(() => paths().filter(path => path === '/documents').length).toBeGreaterThan(0);
    sandbox.advance({ minutes: 2 });
    expect((await outcomes).map(({ id }) => id)).toEqual(ids);
    expect(paths().filter(path => path.startsWith('/documents/')).length).toBeLessThan(5);
  });

  test('rejects for a document that does not exist', async () => {
    const { client } = await setUp();
    await expect(client.documents.waitFor('none')).rejects.toThrow(NotFoundError);
  });

  test.each([
    ['', {}],
    [undefined, {}],
    ['1', { waitTimeout: 0 }],
    ['1', { schema: {} }],
    ['1', { after: 'yesterday' }],
    ['1', { wait: 5 }],
    ['1', 'soon'],
  ])('refuses %j with %j before a request is sent', async (id, options) => {
    const { client, paths } = await setUp();
    await expect(client.documents.waitFor(id as string, options as never)).rejects.toThrow(ConfigurationError);
    expect(paths()).toEqual([]);
  });
});

describe('a schema', () => {
  test('determines the type of the payload, and the call returns the output of the schema', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const amount = z.pipe(z.string(), z.transform(Number));
    const schema = z.object({ invoice_number: z.string(), total_amount: amount });
    const { payload } = (await client.documents.waitFor(id, { schema })).last_document_representation;
    expect(payload.invoice_number.slice(0, 4)).toBe('INV-');
    expect(payload.total_amount).toBeGreaterThan(0);
  });

  test('whose check never ends does not delay an abort', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const giveUp = new AbortController();
    const schema: StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => {
          giveUp.abort(new Error('enough'));
          return new Promise(() => {});
        },
      },
    };
    const waiting = client.documents.waitFor(id, { schema, signal: giveUp.signal });
    await expect(waiting).rejects.toThrow('enough');
  });

  test('that does not fit the payload causes an error with the unchanged payload', async () => {
    const { sandbox, client, mail } = await setUp();
    const [id = ''] = mail('invoice.pdf');
    sandbox.advance({ minutes: 2 });
    const schema = z.object({ invoice_number: z.string(), lines: z.array(z.string()) });
    const error = await client.documents.waitFor(id, { schema }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExtractionMismatchError);
    expect(error).toMatchObject({ issues: [{ path: ['lines'] }], message: expect.stringContaining('lines: ') });
    const { document } = error as ExtractionMismatchError;
    expect(document.last_document_representation?.payload).toHaveProperty('invoice_number');
  });
});
