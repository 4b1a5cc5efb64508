import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ConflictError,
  createTransport,
  Documents,
  type Fetch,
  TrackingClient,
  TrackingError,
} from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { answer, serve } from '../../support/server.ts';

let sandbox: Sandbox;
let server: SandboxServer;
let client: TrackingClient;
let mismatches: string[];

beforeEach(async () => {
  mismatches = [];
  sandbox = createSandbox({ speed: 0 });
  server = await sandbox.listen();
  client = connect();
});
afterEach(async () => {
  await server.close();
  expect(mismatches).toEqual([]);
});

function connect(): TrackingClient {
  return new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
    retry: { minDelay: 0 },
    hooks: { onSchemaMismatch: ({ path, mismatch }) => mismatches.push(`${path} ${mismatch.message}`) },
  });
}

const text = (content: string) => new TextEncoder().encode(content);
const upload = (name: string, content = name) => client.documents.upload({ file: text(content), name });

describe('a document', () => {
  test('is uploaded, classified, read and linked', async () => {
    const [shipment] = sandbox.seedShipments(1, { containers: 2 });
    const [box] = shipment?.containers ?? [];
    const { id } = await upload('invoice 1.txt', `For container ${box?.number}`);
    const fresh = await client.documents.get(id);
    expect(fresh).toMatchObject({
      name: 'invoice 1.txt',
      document_type: null,
      source: 'api',
      file_name: 'invoice 1.txt',
      file_content_type: 'text/plain',
      last_document_representation: null,
      shipments: [],
      links: { self: `/documents/${id}`, download: `/documents/${id}/download_url` },
    });

    sandbox.advance({ seconds: 20 });
    expect((await client.documents.get(id)).document_type).toBe('commercial_invoice');

    sandbox.advance({ minutes: 1 });
    const include = ['last_document_representation', 'shipments', 'cargos', 'account', 'user'] as const;
    const read = await client.documents.get(id, { include });
    expect(read.last_document_representation?.payload).toMatchObject({ invoice_number: expect.any(String) });
    expect(read.shipments.map(({ bill_of_lading_number }) => bill_of_lading_number)).toEqual([shipment?.number]);
    expect(read.cargos.map(({ number }) => number)).toEqual([box?.number]);
    expect(read.account?.company_name).toEqual(expect.any(String));
    expect(Date.parse(read.updated_at)).toBeGreaterThan(Date.parse(fresh.updated_at));
  });

  test('may be included under its alias', async () => {
    const { id } = await upload('packing list.pdf');
    sandbox.advance({ minutes: 2 });
    const { current_extraction } = await client.documents.get(id, { include: ['current_extraction'] });
    expect(current_extraction?.schema_version).toBe('2026-03-23');
  });

  test('that cannot be read has a status for this case', async () => {
    const { id } = await upload('invoice UNREADABLE.pdf');
    sandbox.advance({ minutes: 2 });
    expect(await client.documents.get(id)).toMatchObject({
      document_type: 'commercial_invoice',
      classification_notes: expect.any(String),
      last_document_representation: null,
    });
  });

  test('is reported by webhook after a successful or failed reading', async () => {
    const events = ['document.extracted', 'document.extraction_failed'] as const;
    await client.webhooks.create({ url: 'http://127.0.0.1:9/', active: true, events: [...events] });
    const ids = [(await upload('invoice.pdf')).id, (await upload('UNREADABLE.pdf')).id];
    sandbox.advance({ minutes: 2 });
    const notifications = await client.webhookNotifications.list().toArray();
    const told = notifications.map(({ event, document }) => [event, document?.id]);
    expect(told.sort()).toEqual(events.map((event, index) => [event, ids[index]]));
  });

  test('is corrected by hand', async () => {
    const { id } = await upload('scan.pdf');
    sandbox.advance({ minutes: 2 });
    const changes = { document_type_manual: 'delivery_order', extracted_data_manual: { deliver_to: 'Rotterdam' } };
    expect(await client.documents.update(id, changes)).toMatchObject({ id, document_type_manual: 'delivery_order' });
    const { last_document_representation } = await client.documents.get(id, {
      include: ['last_document_representation'],
    });
    expect(last_document_representation?.payload).toEqual({ deliver_to: 'Rotterdam' });
  });

  test('is classified, read and linked again', async () => {
    const { id } = await upload('invoice MAEU123456789.pdf');
    sandbox.advance({ minutes: 2 });
    await client.trackingRequests.create({
      request_type: 'bill_of_lading',
      request_number: 'MAEU123456789',
      scac: 'MAEU',
    });
    await client.documents.update(id, { document_type_manual: 'packing_list' });
    sandbox.advance({ minutes: 2 });
    expect((await client.documents.get(id)).shipments).toEqual([]);

    expect(await client.documents.relink(id)).toEqual({ status: 'accepted' });
    expect(await client.documents.reextract(id)).toEqual({ status: 'accepted' });
    expect(await client.documents.reclassify(id)).toEqual({ status: 'accepted' });
    sandbox.advance({ minutes: 2 });
    const { shipments, last_document_representation } = await client.documents.get(id, {
      include: ['last_document_representation'],
    });
    expect(shipments).toHaveLength(1);
    expect(last_document_representation?.payload).toHaveProperty('packing_list_number');
  });

  test('is rotated if it is an image', async () => {
    const { id } = await upload('photo.png');
    expect(await client.documents.rotate(id, { degrees: 90 })).toEqual({ status: 'accepted' });
    expect(await rejection(client.documents.rotate(id, { degrees: 45 as 90 }))).toMatchObject({
      name: 'ValidationError',
      errors: [{ title: 'Invalid rotation' }],
    });
    const { id: pdf } = await upload('a.pdf');
    expect(await rejection(client.documents.rotate(pdf, { degrees: 90 }))).toMatchObject({ name: 'ValidationError' });
  });

  test.each([
    ['', undefined],
    [' \n', undefined],
    [{ status: 'accepted' }, { status: 'accepted' }],
  ])('may be accepted with the body %j', async (body, expected) => {
    const service = await serve({ status: 202, body });
    for (const validation of ['strict', 'warn', 'off'] as const) {
      const { documents } = clientFor(service, { validation });
      expect(await documents.reclassify('1')).toEqual(expected);
      expect(await documents.relink('1')).toEqual(expected);
      expect(await documents.rotate('1', { degrees: 90 })).toEqual(expected);
    }
  });

  test('is not accepted with any other body', async () => {
    const { documents } = clientFor(await serve({ status: 202, body: '<html>' }), { validation: 'strict' });
    expect(await rejection(documents.relink('1'))).toMatchObject({ name: 'ResponseFormatError' });
    const other = clientFor(await serve({ status: 202, body: { status: 5 } }), { validation: 'strict' });
    expect(await rejection(other.documents.rotate('1', { degrees: 90 }))).toMatchObject({
      name: 'ResponseFormatError',
    });
  });

  test('is missing after its deletion, and its bytes may be uploaded again', async () => {
    const { id } = await upload('a.pdf');
    expect(await client.documents.delete(id)).toBeUndefined();
    expect(await rejection(client.documents.get(id))).toMatchObject({ name: 'NotFoundError' });
    expect((await upload('a.pdf')).id).not.toBe(id);
  });
});

describe('the same bytes', () => {
  test('are refused, and the error names the document with these bytes', async () => {
    const first = await upload('first.pdf', 'content');
    const error = await rejection(upload('second.pdf', 'content'));
    expect(error).toMatchObject({
      name: 'UploadError',
      stage: 'create',
      existingDocumentId: first.id,
      existingDocumentName: 'first.pdf',
    });
    expect((error as Error).cause).toBeInstanceOf(ConflictError);
  });

  test('return the existing document if the option allows it', async () => {
    const first = await upload('first.pdf', 'content');
    const file = text('content');
    const again = await client.documents.upload({ file, name: 'second.pdf', onDuplicate: 'return' });
    expect([again.id, again.name]).toEqual([first.id, 'first.pdf']);
  });

  test('in documents.create() cause a ConflictError', async () => {
    const first = await upload('first.pdf', 'content');
    const file = text('content');
    const checksum = createHash('md5').update(file).digest('base64');
    const slot = await client.directUploads.create({
      filename: 'b.pdf',
      content_type: 'application/pdf',
      byte_size: file.length,
      checksum,
    });
    await client.directUploads.put(slot, file);
    expect(await rejection(client.documents.create({ name: 'b', attached_document: slot.signed_id }))).toMatchObject({
      name: 'ConflictError',
      existingDocumentId: first.id,
      existingDocumentName: 'first.pdf',
    });
  });
});

describe('the storage of the sandbox', () => {
  async function slotFor(content: string, announced = content) {
    const checksum = createHash('md5').update(announced).digest('base64');
    const blob = { filename: 'a "b"\nü.pdf', content_type: 'application/pdf', byte_size: content.length, checksum };
    return client.directUploads.create(blob);
  }

  async function put(slot: Awaited<ReturnType<typeof slotFor>>, body: string, headers: Record<string, string> = {}) {
    const { url, headers: signed } = slot.direct_upload;
    const response = await fetch(url, { method: 'PUT', headers: { ...signed, ...headers }, body });
    return [response.status, /<Code>(.*)<\/Code>/.exec(await response.text())?.[1]];
  }

  test('accepts only the announced bytes', async () => {
    const slot = await slotFor('content');
    expect(await put(slot, 'CONTENT')).toEqual([400, 'BadDigest']);
    expect(await put(slot, 'more content')).toEqual([400, 'IncompleteBody']);
    expect(await put(slot, 'content', { 'Content-Type': 'text/plain' })).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await put(slot, 'content', { Authorization: 'Token sandbox' })).toEqual([400, 'InvalidArgument']);
    const attributes = { name: 'a', attached_document: slot.signed_id };
    expect(await rejection(client.documents.create(attributes))).toMatchObject({ name: 'ValidationError' });
    expect(await put(slot, 'content')).toEqual([204, undefined]);
    expect((await client.documents.create(attributes)).file_name).toBe('a "b"\nü.pdf');
  });

  test('forgets a slot after five minutes, and an upload requests a new slot', async () => {
    const slot = await slotFor('content');
    sandbox.advance({ minutes: 6 });
    expect(await put(slot, 'content')).toEqual([403, 'AccessDenied']);
    const onProgress = ({ stage, loaded, total }: { stage: string; loaded: number; total: number }) => {
      // After the slot was created, and before its first byte arrives.
      if (stage === 'put' && loaded === 0 && total > 0) sandbox.advance({ minutes: 6 });
    };
    await client.documents.upload({ file: text('content'), name: 'late.pdf', onProgress });
    const slots = sandbox.requests.filter(({ path }) => path.endsWith('/direct_uploads'));
    expect(slots).toHaveLength(3);
  });

  test('requires no key and does not count in a limit, even with an injected failure', async () => {
    sandbox.fail({ match: { method: 'PUT' }, status: 503 });
    sandbox.fail({ match: { method: 'PUT' }, drop: 'before' });
    await upload('a.pdf');
    const puts = sandbox.requests.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ status }) => status)).toEqual([503, null, 204]);
  });
});

describe('download', () => {
  const directory = mkdtempSync(join(tmpdir(), 'download-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  test('returns the bytes as a stream', async () => {
    const { id } = await upload('a.pdf', 'the content');
    expect(await new Response(await client.documents.download(id)).text()).toBe('the content');
    const { download_url } = await client.documents.downloadUrl(id);
    expect(new URL(download_url).origin).toBe(new URL(server.baseUrl).origin);
  });

  test('takes the document in place of its id', async () => {
    const document = await upload('b.pdf', 'the content');
    expect(await new Response(await client.documents.download(document)).text()).toBe('the content');
    const nothing = undefined as unknown as string;
    expect(await rejection(client.documents.download(nothing))).toMatchObject({
      message: 'The id in /documents/… is undefined, not an id.',
    });
  });

  test('of a document that is passed in place of its id works for each processing method too', async () => {
    const document = await client.documents.upload({ file: text('image'), name: 'image.png' });
    await client.documents.reextract(document);
    await client.documents.reclassify(document);
    await client.documents.relink(document);
    await client.documents.rotate(document, { degrees: 90 });
    expect(await client.documents.downloadUrl(document)).toHaveProperty('download_url');
    expect(await rejection(client.documents.reextract({} as { id: string }))).toMatchObject({
      name: 'ConfigurationError',
      message: 'The id in /documents/… is an object, not an id.',
    });
  });

  test('writes a file, and leaves no file if the connection breaks', async () => {
    const to = join(directory, 'a.pdf');
    const { id } = await upload('a.pdf', 'x'.repeat(500_000));
    sandbox.fail({ route: 'GET /rails/active_storage/disk/*', drop: 'mid-body' });
    const broken = client.documents.download(id, { to, retry: false });
    expect(await rejection(broken)).toMatchObject({ name: 'ConnectionError' });
    expect([existsSync(to), existsSync(`${to}.part`)]).toEqual([false, false]);
    expect(await client.documents.download(id, { to })).toBeUndefined();
    expect(readFileSync(to, 'utf8')).toBe('x'.repeat(500_000));
    expect(existsSync(`${to}.part`)).toBe(false);
  });

  describe('to a file', () => {
    const content = 'x'.repeat(500_000);
    const to = join(directory, 'there.pdf');
    let id: string;

    beforeEach(async () => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      writeFileSync(to, 'before');
      ({ id } = await upload('a.pdf', content));
    });

    test('that breaks does not change the file, or another file of the user', async () => {
      writeFileSync(`${to}.part`, 'of the user');
      sandbox.fail({ match: { path: /active_storage/ }, drop: 'mid-body' });
      const broken = client.documents.download(id, { to, retry: false });
      expect(await rejection(broken)).toMatchObject({ name: 'ConnectionError' });
      await client.documents.download(id, { to: join(directory, 'other.pdf') });
      expect(readdirSync(directory).sort()).toEqual(['other.pdf', 'there.pdf', 'there.pdf.part']);
      expect([readFileSync(to, 'utf8'), readFileSync(`${to}.part`, 'utf8')]).toEqual(['before', 'of the user']);
    });

    const storageRequests = () =>
      sandbox.requests.filter(({ method, path }) => method === 'GET' && path.includes('active_storage/disk'));
    const breakBody = (times: number) =>
      sandbox.fail({ route: 'GET /rails/active_storage/disk/*', drop: 'mid-body', times });

    test('starts again from the first byte, with a new address, if the connection breaks in the middle', async () => {
      breakBody(2);
      await client.documents.download(id, { to, retry: { limit: 2, minDelay: 0 } });
      expect(readFileSync(to, 'utf8')).toBe(content);
      expect(readdirSync(directory)).toEqual(['there.pdf']);
      expect(storageRequests()).toHaveLength(3);
      expect(sandbox.requests.filter(({ path }) => path.endsWith('/download_url'))).toHaveLength(3);
    });

    test('fails after the number of attempts in the options if the connection breaks each time', async () => {
      breakBody(9);
      const error = await rejection(client.documents.download(id, { to, retry: { limit: 2, minDelay: 0 } }));
      expect(error).toMatchObject({ name: 'ConnectionError' });
      expect(String(error)).toMatch(/: GET \(storage at .*\): the response could not be read to its end: /);
      expect(storageRequests()).toHaveLength(3);
      expect([readFileSync(to, 'utf8'), readdirSync(directory)]).toEqual(['before', ['there.pdf']]);
    });

    test('ends with the reason of the signal if it aborts before the next attempt', async () => {
      breakBody(1);
      const controller = new AbortController();
      const { signal } = controller;
      const retry = { minDelay: 600_000, maxDelay: 600_000 };
      const call = rejection(client.documents.download(id, { to, signal, retry }));
      await expect.poll(storageRequests).toHaveLength(1);
      controller.abort('the user left');
      expect(await call).toBe('the user left');
      expect(storageRequests()).toHaveLength(1);
      expect([readFileSync(to, 'utf8'), readdirSync(directory)]).toEqual(['before', ['there.pdf']]);
    });

    test('is not repeated if the file cannot be written, and the error has the path of the caller', async () => {
      const missing = join(directory, 'missing', 'a.pdf');
      const error = await rejection(client.documents.download(id, { to: missing }));
      expect(error).toMatchObject({ code: 'not_written', cause: { code: 'ENOENT' } });
      expect(String(error)).toContain(missing);
      expect(String(error)).not.toContain('.part');
      expect(storageRequests()).toHaveLength(1);
    });

    test('works twice at the same time', async () => {
      await Promise.all([client.documents.download(id, { to }), client.documents.download(id, { to })]);
      expect([readFileSync(to, 'utf8'), readdirSync(directory)]).toEqual([content, ['there.pdf']]);
    });

    test.each([0o600, 0o666])('keeps the mode %o of the file', async mode => {
      chmodSync(to, mode);
      await client.documents.download(id, { to });
      expect(statSync(to).mode & 0o777).toBe(mode);
    });

    test.each(['there.pdf', 'not yet there.pdf'])('follows a link to %s', async target => {
      const link = join(directory, 'link');
      symlinkSync(target, link);
      await client.documents.download(id, { to: link });
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(directory, target), 'utf8')).toBe(content);
    });

    test('writes into a pipe, and does not replace it', async () => {
      const pipe = join(directory, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [read] = await Promise.all([readFile(pipe, 'utf8'), client.documents.download(id, { to: pipe })]);
      expect([read === content, lstatSync(pipe).isFIFO()]).toEqual([true, true]);
    });

    test.each([42, ''])('does not begin if the path is %j', async path => {
      const call = client.documents.download(id, { to: path as string });
      expect(await rejection(call)).toMatchObject({ name: 'ConfigurationError' });
      expect(sandbox.requests.filter(({ method }) => method === 'GET')).toEqual([]);
    });
  });

  test('to a pipe, or as a stream, is not repeated after its first byte', async () => {
    const pipe = join(directory, 'broken pipe');
    execFileSync('mkfifo', [pipe]);
    const { id } = await upload('a.pdf', 'x'.repeat(500_000));
    sandbox.fail({ route: 'GET /rails/active_storage/disk/*', drop: 'mid-body', times: 2 });
    const message = expect.stringContaining('the response could not be read to its end');
    const stream = await client.documents.download(id);
    expect(await rejection(new Response(stream).text())).toMatchObject({ name: 'ConnectionError', message });
    const [error] = await Promise.all([rejection(client.documents.download(id, { to: pipe })), readFile(pipe)]);
    expect(error).toMatchObject({ name: 'ConnectionError', message });
    expect(sandbox.requests.filter(({ path }) => path.includes('active_storage/disk'))).toHaveLength(1 + 2);
  });

  test('to a path that cannot be opened frees the connection', async () => {
    let closed = (_: unknown) => {};
    const ended = new Promise(resolve => {
      closed = resolve;
    });
    const storage = await serve((_, response) => {
      response.on('close', closed).writeHead(200, { 'content-length': '50000000' }).write(Buffer.alloc(5_000_000));
    });
    const service = await serve({ body: { download_url: `${storage.origin}/a` } });
    const call = clientFor(service).documents.download('1', { to: join(directory, 'missing', 'a.pdf') });
    expect(await rejection(call)).toMatchObject({ code: 'not_written', cause: { code: 'ENOENT' } });
    await ended;
  });

  test.each(['//host.example/a?sig=s3cret', 'nope s3cret', 'ftp://host.example/?sig=s3cret', null])(
    'from the address %j rejects with an error that does not contain the address',
    async download_url => {
      const service = await serve({ body: { download_url } });
      const error = await rejection(clientFor(service).documents.download('1'));
      expect(error).toMatchObject({ name: 'TrackingError', code: 'response_format' });
      expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    },
  );

  test.each([null, [], 'x', {}])('with the invalid response %j rejects with a typed error', async body => {
    const service = await serve({ body });
    const error = await rejection(clientFor(service).documents.download('1'));
    expect(TrackingError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'response_format' });
  });

  test('is tried again if it fails before its first byte', async () => {
    const { id } = await upload('a.pdf', 'the content');
    sandbox.fail({ match: { path: /active_storage/ }, status: 503 });
    sandbox.fail({ match: { path: /active_storage/ }, drop: 'before' });
    expect(await new Response(await client.documents.download(id)).text()).toBe('the content');
  });

  test('is tried again after the wait that the storage requests, but not if the wait is longer than maxRetryAfter', async () => {
    const timers = holdTimers();
    const busy = (seconds: string) => ({ status: 503, headers: { 'retry-after': seconds } });
    const storage = await serve(busy('90.5'), { body: 'the content' }, busy('121'));
    const service = await serve({ body: { download_url: `${storage.origin}/a` } });
    const { documents } = clientFor(service);
    const call = documents.download('1');
    // The header has whole seconds.
    await timers.waiting(91_000);
    timers.pass(90_999);
    expect(storage.requests).toHaveLength(1);
    timers.pass(1);
    expect(await new Response(await call).text()).toBe('the content');
    expect(await rejection(documents.download('1'))).toMatchObject({ status: 503, retryAfterMs: 121_000 });
    expect(storage.requests).toHaveLength(3);
  });

  test('fails after the number of attempts in the options', async () => {
    const storage = await serve({ status: 500 });
    const service = await serve({ body: { download_url: `${storage.origin}/a` } });
    const call = clientFor(service).documents.download('1', { retry: { limit: 2 } });
    expect(await rejection(call)).toMatchObject({ name: 'ServerError', status: 500 });
    expect(storage.requests).toHaveLength(3);
  });

  test('fails for a document that does not exist', async () => {
    expect(await rejection(client.documents.download('00000000-0000-4000-8000-000000000000'))).toMatchObject({
      name: 'NotFoundError',
      errors: [{ detail: "Couldn't find Document" }],
    });
  });

  test('follows a redirect, and sends neither the credential nor the headers of the client', async () => {
    const storage = await serve(
      (request, response) =>
        answer(response, { status: 302, headers: { location: `http://${request.headers.host}/b` } }),
      { body: 'the content' },
    );
    const service = await serve({ body: { download_url: `${storage.origin}/a?signature=s3cret` } });
    const { documents } = clientFor(service, { headers: { 'x-mine': 'private' } });
    expect(await new Response(await documents.download('1')).text()).toBe('the content');
    for (const { headers } of storage.requests) expect(Object.keys(headers)).not.toContain('authorization');
    for (const { headers } of storage.requests) expect(Object.keys(headers)).not.toContain('x-mine');
  });

  test('does not show the signed address in the error of a refusal', async () => {
    const storage = await serve({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    const service = await serve({ body: { download_url: `${storage.origin}/a?signature=s3cret` } });
    const error = await rejection(clientFor(service).documents.download('1'));
    expect(error).toMatchObject({ name: 'PermissionDeniedError', status: 403 });
    expect(String(error) + JSON.stringify(error)).not.toContain('s3cret');
  });

  test('does not show the signed address in the error of a failed connection', async () => {
    const service = await serve({ body: { download_url: 'http://127.0.0.1:9/a?signature=a-long-s3cret-signature' } });
    const fetch: Fetch = async (input, init) => {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method };
      if (!url.includes('signature')) return globalThis.fetch(input, init);
      throw Object.assign(new TypeError(`fetch failed: ${method} ${url}`), { request: new Request(url) });
    };
    const error = await rejection(clientFor(service, { fetch }).documents.download('1'));
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'fetch failed: GET [credential]' } });
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });

  test('ends at the timeout if it is silent, but does not end if its reader is slow', async () => {
    const silent = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun');
    });
    const service = await serve({ body: { download_url: `${silent.origin}/a` } });
    const timers = holdTimers();
    const stream = await clientFor(service).documents.download('1', { timeout: 60_000 });
    const reader = stream.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('begun');
    timers.pass(600_000);
    const next = rejection(reader.read());
    await timers.waiting(60_000);
    timers.pass(60_000);
    expect(await next).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  });

  test('ends when the signal of the caller aborts', async () => {
    const silent = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun');
    });
    const service = await serve({ body: { download_url: `${silent.origin}/a` } });
    const controller = new AbortController();
    const reason = new Error('the user left');
    const stream = await clientFor(service).documents.download('1', { signal: controller.signal });
    const call = rejection(new Response(stream).text());
    controller.abort(reason);
    expect(await call).toBe(reason);
  });
});

describe('lists', () => {
  test('are filtered and sorted by the service', async () => {
    const [box] = sandbox.seedContainers(1);
    for (const name of ['invoice A.pdf', 'packing list B.pdf', `arrival ${box?.number}.pdf`]) await upload(name);
    sandbox.advance({ minutes: 2 });
    const named = async (options: Parameters<typeof client.documents.list>[0]) =>
      (await client.documents.list(options).toArray()).map(({ name }) => name.split(' ')[0]);
    expect(await named({ filter: { filename: 'list' } })).toEqual(['packing']);
    expect(await named({ filter: { reference: box?.number } })).toEqual(['arrival']);
    expect(await named({ filter: { document_types: ['commercial_invoice', 'arrival_notice'] } })).toEqual([
      'arrival',
      'invoice',
    ]);
    expect(await named({ sort: '-document_type' })).toEqual(['packing', 'invoice', 'arrival']);
    expect(await named({ sort: 'created_at', pageSize: 2 })).toEqual(['invoice', 'packing', 'arrival']);
  });

  test('of document types count the documents of each type', async () => {
    const { document_types } = await client.documents.types();
    expect(document_types).toContainEqual({ code: 'other', label: 'Other' });
    const detailed = document_types.filter(({ schema }) => schema);
    expect(detailed.map(({ code }) => code)).toEqual(['commercial_invoice', 'packing_list']);
    for (const { code, description, schema } of detailed) {
      const { document_type } = await client.documents.type(code);
      expect(document_type).toMatchObject({ code, description, schema: { id: schema?.id, version: schema?.version } });
      expect(document_type.schema.payload).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
    for (const code of ['other', 'none']) {
      expect(await rejection(client.documents.type(code))).toMatchObject({ name: 'NotFoundError' });
    }
  });
});

describe('emails', () => {
  test('include their documents and the extracted data', async () => {
    const { id, documentIds } = sandbox.receiveEmail({
      subject: 'Invoice INV-1',
      body: 'See attachment.',
      attachments: [{ filename: 'invoice.pdf' }, { filename: 'packing list.pdf', content: 'other bytes' }],
    });
    sandbox.advance({ minutes: 2 });
    const [mail] = await client.emailSubmissions.list().toArray();
    expect(mail).toMatchObject({ id, subject: 'Invoice INV-1', body: 'See attachment.', documents_count: 2 });
    const documents = mail?.documents ?? [];
    expect(documents.map(document => document.id).sort()).toEqual([...documentIds].sort());
    for (const document of documents) {
      if (!('name' in document)) throw new Error('not included');
      expect(document).not.toHaveProperty('file_name');
      expect(document.last_document_representation).toHaveProperty('payload');
    }
    expect((await client.emailSubmissions.get(id)).documents?.[0]).toHaveProperty('name');
  });

  test('without the default include have references to documents', async () => {
    const { id } = sandbox.receiveEmail({ attachments: [{ filename: 'invoice.pdf' }] });
    const mail = await client.emailSubmissions.get(id, { include: ['account'] });
    expect(mail.documents).toEqual([{ type: 'document', id: expect.any(String) }]);
    expect(mail.account?.company_name).toEqual(expect.any(String));
  });

  test('have a preview instead of their body if a document includes them', async () => {
    const { documentIds } = sandbox.receiveEmail({
      subject: 'Hello',
      body: 'Text',
      attachments: [{ filename: 'a.pdf' }],
    });
    const document = await client.documents.get(documentIds[0] ?? '', { include: ['email_submission'] });
    expect(document).toMatchObject({ source: 'email', user: null, email_submission: { subject: 'Hello' } });
    expect(document.email_submission).toHaveProperty('body_preview', 'Text');
    expect(document.email_submission).not.toHaveProperty('body');
  });
});

test('a document schema is read by type and version', async () => {
  const schema = await client.documentSchemas.get('commercial_invoice@2026-03-23');
  expect(schema).toMatchObject({ id: 'commercial_invoice@2026-03-23', schema_format: 'json_schema', current: true });
  expect(schema.schema_payload).toMatchObject({ properties: { invoice_date: { type: 'string', format: 'date' } } });
  expect(await rejection(client.documentSchemas.get('commercial_invoice@2020-01-01'))).toMatchObject({
    name: 'NotFoundError',
    errors: [{ detail: "Couldn't find DocumentSchema with 'id'=commercial_invoice@2020-01-01" }],
  });
});

test('an unknown include is refused with the message of the service', async () => {
  const call = client.request({ path: '/documents', query: { include: 'parties' } });
  expect(await rejection(call)).toMatchObject({
    name: 'BadRequestError',
    errors: [{ detail: 'parties is not specified as a relationship on DocumentSerializer', parameter: 'include' }],
  });
});

test('blank attributes in create() are refused before anything is sent', async () => {
  expect(await rejection(client.documents.create({ name: ' ', attached_document: 'x' }))).toMatchObject({
    name: 'ConfigurationError',
  });
  expect(sandbox.requests).toEqual([]);
});

test('the resource classes work without the client', async () => {
  const documents = new Documents(createTransport({ baseUrl: server.baseUrl, apiKey: 'sandbox', rateLimit: false }));
  expect((await documents.upload({ file: text('x'), name: 'x.txt' })).name).toBe('x.txt');
});

test('an upload works with the `fetch` of the sandbox, without a socket', async () => {
  const baseUrl = 'https://host.example/v2';
  const fetch: Fetch = (input, init) => sandbox.fetch(new Request(input, init));
  const local = new TrackingClient({ baseUrl, apiKey: 'sandbox', fetch, rateLimit: false });
  const { id } = await local.documents.upload({ file: text('x'), name: 'x.txt' });
  expect(await new Response(await local.documents.download(id)).text()).toBe('x');
});
