import { createHash, randomBytes } from 'node:crypto';
import fs, {
  appendFileSync,
  mkdtempSync,
  openAsBlob,
  rmSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClientOptions,
  ConflictError,
  type Fetch,
  type UploadError,
  type UploadOptions,
} from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { reply, type StorageStep, serveUploads, type UploadServer } from '../../support/storage.ts';

const directory = mkdtempSync(join(tmpdir(), 'upload-faults-'));
const SIZE = 8_000_000;
const bytes = randomBytes(SIZE);
const path = join(directory, 'invoice.pdf');

beforeEach(() => writeFileSync(path, bytes));
afterAll(() => rmSync(directory, { recursive: true }));

/** Calls `act` when half of the file has arrived. */
function atHalf(act: (request: IncomingMessage, response: ServerResponse) => unknown): StorageStep {
  return (request, response) => {
    let arrived = 0;
    request.on('data', chunk => {
      const before = arrived;
      arrived += chunk.length;
      if (before < SIZE / 2 && arrived >= SIZE / 2) act(request, response);
    });
  };
}

const reset = atHalf(request => request.socket.destroy());
const refuse = (status: number, code: string) => (request: IncomingMessage, response: ServerResponse) => {
  request.on('end', () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
};
const refuseAtOnce: StorageStep = (_, response) => response.writeHead(403).end('<Error/>');
const busy =
  (retryAfter: string): StorageStep =>
  (_, response) =>
    response.writeHead(503, { 'retry-after': retryAfter }).end();
const afterBytes =
  (act: () => unknown): StorageStep =>
  request =>
    request.on('end', act);
/** More bytes than fit into the buffers of the sockets. */
const LARGE = 40_000_000;
const customFetch: Fetch = (input, init) => globalThis.fetch(input, init);
const methodOf = (input: unknown, init?: RequestInit) => init?.method ?? (input as Request).method;

const DUPLICATE = {
  errors: [
    {
      status: '409',
      title: 'Duplicate document',
      code: 'duplicate_document',
      meta: { existing_document_id: 'd0', existing_document_name: 'first.pdf' },
    },
  ],
};

/** `holdTimers` holds this timeout until the test releases it. */
const TIMEOUT = 60_000;

async function failureOf(
  server: UploadServer,
  options: Partial<UploadOptions> = {},
  clientOptions: ClientOptions = {},
): Promise<UploadError> {
  const error = await rejection(clientFor(server, clientOptions).documents.upload({ file: path, ...options }));
  expect(server.documents).toEqual([]);
  return error as UploadError;
}

describe.each<[string, ClientOptions]>([
  ['the client of Node', {}],
  ['a custom fetch', { fetch: customFetch }],
])('a storage that %s sends to', (_, options) => {
  const uploadTo = (server: UploadServer, given: Partial<UploadOptions> = {}) =>
    clientFor(server, options).documents.upload({ file: path, ...given });
  const failureAt = (server: UploadServer, given: Partial<UploadOptions> = {}) => failureOf(server, given, options);

  test('may refuse the checksum: the upload fails without a retry, and the error does not blame the file', async () => {
    const server = await serveUploads(refuse(400, 'BadDigest'));
    expect(await failureAt(server)).toMatchObject({
      name: 'UploadError',
      code: 'upload_failed',
      stage: 'put',
      message: expect.stringContaining('BadDigest'),
      cause: { name: 'BadRequestError', status: 400 },
    });
    expect(server.puts).toHaveLength(1);
  });

  test('receives the file again in the same slot after a broken connection', async () => {
    const server = await serveUploads(reset, 'take');
    await uploadTo(server);
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 1, bytes: SIZE }]);
    expect(server.slots).toHaveLength(1);
  });

  test('may always break the connection: the upload fails', async () => {
    const server = await serveUploads(reset);
    expect(await failureAt(server, { retry: { limit: 2 } })).toMatchObject({
      stage: 'put',
      cause: { name: 'ConnectionError', code: 'connection' },
    });
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 1 }, { slot: 1 }]);
  });

  test('receives the file again in the same slot after a 5xx and the requested wait', async () => {
    const timers = holdTimers();
    const server = await serveUploads(busy('90'), 'take');
    const call = uploadTo(server, { file: bytes, filename: 'a.pdf' });
    await timers.waiting(90_000);
    timers.pass(89_999);
    expect(server.puts).toHaveLength(1);
    timers.pass(1);
    await call;
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 1, bytes: SIZE }]);
  });

  test('may request a wait above maxRetryAfter: the upload fails without a retry', async () => {
    const server = await serveUploads(busy('121'));
    expect(await failureAt(server)).toMatchObject({ stage: 'put', cause: { status: 503, retryAfterMs: 121_000 } });
    expect(server.puts).toHaveLength(1);
  });

  test('may always respond 5xx: the upload fails', async () => {
    const server = await serveUploads(refuse(500, 'InternalError'));
    expect(await failureAt(server)).toMatchObject({ stage: 'put', cause: { name: 'ServerError', status: 500 } });
    expect(server.puts).toHaveLength(5);
  });

  test('receives the file only once, if retries are off', async () => {
    const server = await serveUploads(reset);
    await failureAt(server, { retry: false });
    expect(server.puts).toHaveLength(1);
  });

  test.each([
    ['after the last byte', refuse(403, 'AccessDenied')],
    ['before the last byte', refuseAtOnce],
  ])('may respond 403 %s, and then receives the file in a new slot', async (_, expired) => {
    const server = await serveUploads(expired, 'take');
    await uploadTo(server, { retry: false });
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 2, bytes: SIZE }]);
    expect(server.documents).toMatchObject([{ attached_document: 'signed-2' }]);
  });

  test.each([
    ['403: sent to a new slot', 403, [{ slot: 1 }, { slot: 2, bytes: SIZE }]],
    ['503: sent again after the requested wait', 503, [{ slot: 1 }, { slot: 1, bytes: SIZE }]],
  ])('may cut off the body of an error response: the status is still used (%s)', async (_, status, puts) => {
    const broken: StorageStep = (request, response) =>
      request.on('end', () => {
        response.writeHead(status, { 'content-length': '100', 'retry-after': '90' });
        response.write('<Error>', () => response.destroy());
      });
    const timers = holdTimers();
    const server = await serveUploads(broken, 'take');
    const upload = uploadTo(server, { file: bytes, filename: 'a.pdf' });
    if (status === 503) {
      await timers.waiting(90_000);
      timers.pass(90_000);
    }
    await upload;
    expect(server.puts).toMatchObject(puts);
  });

  test('may respond 403 for the new slot too: the upload fails', async () => {
    const server = await serveUploads(refuse(403, 'AccessDenied'));
    expect(await failureAt(server)).toMatchObject({ stage: 'put', cause: { status: 403 } });
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 2 }]);
  });

  test('may let the new slot expire after several failures, and receives the file in a third slot', async () => {
    const denied = refuse(403, 'AccessDenied');
    const server = await serveUploads(denied, reset, denied, 'take');
    await uploadTo(server);
    expect(server.puts.map(({ slot }) => slot)).toEqual([1, 2, 2, 3]);
  });

  test('receives only the remaining attempts in a new slot', async () => {
    const server = await serveUploads(reset, refuse(403, 'AccessDenied'), reset);
    expect(await failureAt(server, { retry: { limit: 2 } })).toMatchObject({ cause: { name: 'ConnectionError' } });
    expect(server.puts.map(({ slot }) => slot)).toEqual([1, 1, 2, 2]);
  });

  test('receives the file again if it hangs until the timeout', async () => {
    const timers = holdTimers();
    const server = await serveUploads(
      afterBytes(() => timers.pass(TIMEOUT)),
      'take',
    );
    await uploadTo(server, { file: bytes, filename: 'a.pdf', timeout: TIMEOUT });
    expect(server.puts).toMatchObject([{ slot: 1 }, { slot: 1, bytes: SIZE }]);
  });

  test('may always hang, with or without reading bytes: the upload fails', async () => {
    const timers = holdTimers();
    const stops: StorageStep = request => {
      request.pause();
      setTimeout(() => timers.pass(TIMEOUT), 50);
    };
    const server = await serveUploads(
      stops,
      afterBytes(() => timers.pass(TIMEOUT)),
    );
    const file = new Uint8Array(LARGE);
    const limits = { timeout: TIMEOUT, retry: { limit: 1 } };
    const error = await failureAt(server, { file, filename: 'a.pdf', ...limits });
    expect(error).toMatchObject({ stage: 'put', cause: { name: 'TimeoutError', code: 'timeout', limitMs: TIMEOUT } });
    expect(server.puts).toHaveLength(2);
  });

  test('may be slow if it is never silent for longer than the timeout', async () => {
    const timers = holdTimers();
    const server = await serveUploads();
    let pieces = 0;
    // Each piece takes two thirds of the timeout.
    const onProgress: UploadOptions['onProgress'] = ({ stage }) => {
      if (stage !== 'put') return;
      pieces += 1;
      timers.pass((TIMEOUT * 2) / 3);
    };
    await uploadTo(server, { file: bytes, filename: 'a.pdf', timeout: TIMEOUT, retry: false, onProgress });
    expect(server.puts).toMatchObject([{ bytes: SIZE }]);
    expect(pieces).toBeGreaterThan(9);
  });

  test('makes the upload fail if it redirects, and the redirect is not followed', async () => {
    const other = await serveUploads();
    const server = await serveUploads((request, response) => {
      request.on('end', () => response.writeHead(307, { location: `${other.origin}/storage/1` }).end());
    });
    expect(await failureAt(server)).toMatchObject({ stage: 'put' });
    expect([server.puts.length, other.puts.length]).toEqual([1, 0]);
  });

  test('makes the upload fail if it responds 200 before it has read the bytes', async () => {
    const server = await serveUploads((request, response) => {
      request.pause();
      response.writeHead(200).end();
    });
    const file = new Uint8Array(LARGE);
    expect(await failureAt(server, { file, filename: 'a.pdf', retry: { limit: 1, minDelay: 0 } })).toMatchObject({
      stage: 'put',
      message: expect.stringContaining('before all bytes were sent'),
      cause: { name: 'ConnectionError' },
    });
    expect(server.puts).toHaveLength(2);
  });
});

describe('a failing storage', () => {
  test('receives the file in a new slot if it responds with 403 and immediately closes the connection', async () => {
    const server = await serveUploads((request, response) => {
      if (request.url?.startsWith('/storage/1?')) response.writeHead(403, { connection: 'close' }).end();
      else request.on('end', () => response.end());
    });
    await clientFor(server).documents.upload({ file: path });
    expect(server.puts.at(-1)).toMatchObject({ slot: 2, bytes: SIZE });
    expect(server.documents).toMatchObject([{ attached_document: 'signed-2' }]);
  });

  test('makes the upload fail if a custom fetch responds 200 without reading the body', async () => {
    const server = await serveUploads();
    const fetch: Fetch = async (input, init) =>
      methodOf(input, init) === 'PUT' ? new Response() : globalThis.fetch(input, init);
    const { documents } = clientFor(server, { fetch, retry: false });
    const error = await rejection(documents.upload({ file: bytes.subarray(0, 9), filename: 'a.pdf' }));
    expect(error).toMatchObject({ stage: 'put', message: expect.stringContaining('before all bytes were sent') });
    expect(server.documents).toEqual([]);
  });

  test('keeps no file open if a custom fetch times out after it has begun to read', async () => {
    const timers = holdTimers();
    const server = await serveUploads();
    const fetch: Fetch = async (input, init) => {
      if (methodOf(input, init) !== 'PUT') return globalThis.fetch(input, init);
      await (init as { body: ReadableStream }).body.getReader().read();
      timers.pass(TIMEOUT);
      return new Promise<Response>(() => {});
    };
    const open = vi.spyOn(fs.promises, 'open');
    onTestFinished(() => open.mockRestore());
    await rejection(clientFor(server, { fetch, retry: false }).documents.upload({ file: path, timeout: TIMEOUT }));
    // The files are referenced here, so that the garbage collector does not close them.
    const handles = await Promise.all(open.mock.results.map(({ value }) => value as Promise<fs.promises.FileHandle>));
    expect(handles).toHaveLength(2);
    await expect.poll(() => handles.map(({ fd }) => fd)).toEqual([-1, -1]);
  });

  test('that a browser cannot reach causes an error that names the likely cause', async () => {
    const server = await serveUploads();
    const fetch: Fetch = async (input, init) => {
      if (methodOf(input, init) === 'PUT') throw new TypeError('Failed to fetch');
      return globalThis.fetch(input, init);
    };
    const error = await rejection(clientFor(server, { fetch, retry: false }).documents.upload({ file: path }));
    const message = expect.stringMatching(/Failed to fetch \(the likely cause is CORS: the storage does not allow/);
    expect(error).toMatchObject({ stage: 'put', cause: { name: 'ConnectionError', message } });
  });

  test('that cannot be reached makes the upload fail', async () => {
    const server = await serveUploads();
    const fetch: Fetch = async (input, init) => {
      if (methodOf(input, init) === 'PUT') throw new TypeError('fetch failed', { cause: new Error('ENOTFOUND') });
      return globalThis.fetch(input, init);
    };
    const error = await rejection(clientFor(server, { fetch, retry: false }).documents.upload({ file: path }));
    expect(error).toMatchObject({
      stage: 'put',
      cause: { name: 'ConnectionError', cause: { message: 'fetch failed' } },
    });
  });
});

describe('a failing file', () => {
  test('may be missing', async () => {
    const server = await serveUploads();
    const error = await failureOf(server, { file: join(directory, 'missing.pdf') });
    expect(error).toMatchObject({ stage: 'hash', cause: { code: 'ENOENT' } });
    expect(server.slots).toEqual([]);
  });

  test('may be a directory', async () => {
    const server = await serveUploads();
    expect(await failureOf(server, { file: directory })).toMatchObject({
      stage: 'hash',
      cause: { code: 'not_a_file' },
    });
  });

  test.each([
    ['deleted', () => unlinkSync(path), 'ENOENT'],
    ['truncated', () => truncateSync(path, 1000), 'bytes_changed'],
    ['written to', () => writeFileSync(path, randomBytes(SIZE)), 'bytes_changed'],
    ['made longer', () => appendFileSync(path, 'more'), 'bytes_changed'],
  ])('may be %s between the checksum and the sending', async (_, act, code) => {
    const server = await serveUploads();
    const onProgress: UploadOptions['onProgress'] = ({ stage, loaded }) => {
      if (stage === 'put' && loaded === 0) act();
    };
    const error = await failureOf(server, { onProgress });
    expect(error.stage).toBe('put');
    expect(JSON.stringify(error.cause) + String((error.cause as Error).cause)).toContain(code);
  });

  test.each([
    ['deleted', () => unlinkSync(path), 'ENOENT'],
    ['truncated', () => truncateSync(path, 1000), 'bytes_changed'],
    ['written to', () => writeFileSync(path, randomBytes(SIZE)), 'bytes_changed'],
  ])('may be %s while it is sent', async (_, act, code) => {
    const server = await serveUploads('take');
    let done = false;
    const onProgress: UploadOptions['onProgress'] = ({ stage, loaded }) => {
      if (stage === 'put' && loaded > SIZE / 4 && !done) {
        done = true;
        act();
      }
    };
    const error = await failureOf(server, { onProgress });
    expect(error).toMatchObject({ stage: 'put', cause: { code } });
    expect(server.puts).toHaveLength(1);
  });

  test('may be truncated while its checksum is computed', async () => {
    const server = await serveUploads();
    const onProgress: UploadOptions['onProgress'] = ({ loaded }) => {
      if (loaded > 0) truncateSync(path, 1000);
    };
    expect(await failureOf(server, { onProgress })).toMatchObject({ stage: 'hash', cause: { code: 'bytes_changed' } });
    expect(server.slots).toEqual([]);
  });

  test('may change while a Blob refers to it', async () => {
    const file = await openAsBlob(path);
    const server = await serveUploads();
    const onProgress: UploadOptions['onProgress'] = ({ stage, loaded, total }) => {
      if (stage !== 'hash' || loaded < total) return;
      writeFileSync(path, randomBytes(SIZE));
      utimesSync(path, new Date(), new Date(Date.now() + 5000));
    };
    const error = await failureOf(server, { file, filename: 'a.pdf', onProgress });
    expect(error).toMatchObject({ stage: 'put', cause: { code: 'bytes_changed' } });
    expect(server.puts.filter(put => put.bytes > 0)).toEqual([]);
  });

  test('may be bytes in memory that change: the storage refuses them, and the error explains the reason', async () => {
    const own = new Uint8Array(bytes);
    const server = await serveUploads();
    const onProgress: UploadOptions['onProgress'] = ({ stage, loaded, total }) => {
      if (stage === 'hash' && loaded === total) own[7] = (own[7] as number) ^ 1;
    };
    const error = await failureOf(server, { file: own, filename: 'a.pdf', onProgress });
    expect(error).toMatchObject({ stage: 'put', cause: { code: 'bytes_changed' } });
    expect(error.message).toContain('changed');
  });

  test('may be a stream with fewer or more bytes than its size, or a stream that breaks', async () => {
    const server = await serveUploads();
    const streamOf = (size: number) => () => new Blob([bytes.subarray(0, size)]).stream();
    const broken = () => new ReadableStream({ start: controller => controller.error(new Error('the disk is gone')) });
    const causes: unknown[] = [];
    for (const open of [streamOf(999), streamOf(1001), broken]) {
      causes.push((await failureOf(server, { file: { size: 1000, open }, filename: 'a.pdf' })).cause);
    }
    expect(causes).toMatchObject([
      { code: 'bytes_changed' },
      { code: 'bytes_changed' },
      { code: 'unreadable', cause: { message: 'the disk is gone' } },
    ]);
  });

  test('may be silent: the error does not blame the storage, and the upload is not tried again', async () => {
    const timers = holdTimers();
    const server = await serveUploads();
    let times = 0;
    const silence = () => new ReadableStream({ pull: () => timers.pass(TIMEOUT) }, { highWaterMark: 0 });
    const open = () => {
      times += 1;
      return times === 1 ? new Blob([bytes]).stream() : silence();
    };
    const error = await failureOf(server, { file: { size: SIZE, open }, filename: 'a.pdf', timeout: TIMEOUT });
    expect(error).toMatchObject({
      stage: 'put',
      message: expect.stringContaining(`The file gave no bytes for ${TIMEOUT} ms`),
    });
    expect(times).toBe(2);
    const silent = { size: 1, open: silence };
    expect(await failureOf(server, { file: silent, filename: 'a', timeout: TIMEOUT })).toMatchObject({ stage: 'hash' });
  });

  test('may be slow but never silent: the storage has the full timeout for each piece', async () => {
    const timers = holdTimers();
    const server = await serveUploads();
    async function* open() {
      for (let start = 0; start < SIZE; start += SIZE / 4) {
        timers.pass((TIMEOUT * 2) / 3);
        yield bytes.subarray(start, start + SIZE / 4);
      }
    }
    const file = { size: SIZE, open };
    await clientFor(server, { retry: false }).documents.upload({ file, filename: 'a.pdf', timeout: TIMEOUT });
    expect(server.puts).toMatchObject([{ bytes: SIZE }]);
  });

  test('may be a stream that gives different bytes when it is opened again', async () => {
    let times = 0;
    const open = () => {
      times += 1;
      return new Blob([new Uint8Array(1000).fill(times)]).stream();
    };
    const server = await serveUploads();
    expect(await failureOf(server, { file: { size: 1000, open }, filename: 'a.pdf' })).toMatchObject({
      stage: 'put',
      cause: { code: 'bytes_changed' },
    });
  });
});

describe('a failing service', () => {
  test('may refuse to create a slot', async () => {
    const server = await serveUploads();
    const fetch = async () => new Response('{"errors":[{"title":"No"}]}', { status: 422 });
    const error = await rejection(clientFor(server, { fetch }).documents.upload({ file: path }));
    expect(error).toMatchObject({ name: 'UploadError', stage: 'slot', cause: { name: 'ValidationError' } });
  });

  test('may send a slot without an address', async () => {
    const server = await serveUploads();
    const fetch = async () => Response.json({ id: '1', signed_id: 'x' });
    const error = await rejection(clientFor(server, { fetch }).documents.upload({ file: path }));
    expect(error).toMatchObject({ name: 'UploadError', stage: 'slot', cause: { code: 'response_format' } });
  });

  test.each([
    ['an address with credentials in it', { url: 'http://user:word@127.0.0.1/storage/1' }],
    ['an address with another scheme', { url: 'ftp://127.0.0.1/storage/1' }],
    ['a header that cannot be sent', { headers: { 'Content-Type': 'a\nb' } }],
  ])('may send a slot with %s: no bytes are sent, and no other slot is requested', async (_, place) => {
    const server = await serveUploads();
    server.place = place;
    expect(await failureOf(server)).toMatchObject({ stage: 'slot', cause: { code: 'response_format' } });
    expect([server.slots.length, server.puts.length]).toEqual([1, 0]);
  });

  test('may already have a document with these bytes: the error names this document', async () => {
    const server = await serveUploads();
    server.onCreate = response => reply(response, 409, DUPLICATE);
    const error = await failureOf(server);
    expect(error).toMatchObject({ stage: 'create', existingDocumentId: 'd0', existingDocumentName: 'first.pdf' });
    expect(error.cause).toBeInstanceOf(ConflictError);
    expect(error.message).toMatch(/ onDuplicate: 'return' returns the document d0\.$/);
  });

  test('may fail to create the document', async () => {
    const server = await serveUploads();
    server.onCreate = response => reply(response, 422, { errors: [{ detail: 'No' }] });
    const error = await failureOf(server);
    expect(error).toMatchObject({ stage: 'create', existingDocumentId: undefined, cause: { status: 422 } });
  });

  test('does not receive a second request to create the document if the response is lost', async () => {
    const server = await serveUploads();
    let creations = 0;
    server.onCreate = response => {
      creations += 1;
      response.destroy();
    };
    expect(await failureOf(server)).toMatchObject({ stage: 'create', cause: { name: 'ConnectionError' } });
    expect(creations).toBe(1);
  });

  test('receives a second request to create the document if the response is lost and duplicates are allowed', async () => {
    const server = await serveUploads();
    let creations = 0;
    server.onCreate = response => {
      creations += 1;
      if (creations === 1) response.destroy();
      else reply(response, 201, { data: { type: 'document', id: 'd9', attributes: {} } });
    };
    const document = await clientFor(server).documents.upload({ file: path, onDuplicate: 'return' });
    expect(document.id).toBe('d9');
  });
});

describe('an abort immediately rejects the upload with the reason of the signal', () => {
  const reason = new Error('the user left');

  test.each(['hash', 'put'] as const)('in the stage %s', async stage => {
    const server = await serveUploads();
    const controller = new AbortController();
    let after = 0;
    const onProgress: UploadOptions['onProgress'] = progress => {
      if (controller.signal.aborted) after += 1;
      if (progress.stage === stage && progress.loaded > 0) controller.abort(reason);
    };
    const call = clientFor(server).documents.upload({ file: path, signal: controller.signal, onProgress });
    expect(await rejection(call)).toBe(reason);
    expect(after).toBe(0);
    expect(server.documents).toEqual([]);
  });

  test('before the upload begins', async () => {
    const server = await serveUploads();
    const call = clientFor(server).documents.upload({ file: path, signal: AbortSignal.abort(reason) });
    expect(await rejection(call)).toBe(reason);
    expect(server.slots).toEqual([]);
  });

  test('in the wait before the next attempt', async () => {
    const controller = new AbortController();
    const server = await serveUploads((_, response) => {
      response.writeHead(503, { 'retry-after': '60' }).end();
      setTimeout(() => controller.abort(reason), 50);
    });
    const call = clientFor(server).documents.upload({ file: path, signal: controller.signal });
    expect(await rejection(call)).toBe(reason);
  });

  test('in a stream that never continues', async () => {
    const controller = new AbortController();
    const server = await serveUploads();
    const file = { size: 10, open: () => new ReadableStream() };
    const call = clientFor(server).documents.upload({ file, filename: 'a', signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    expect(await rejection(call)).toBe(reason);
  });

  test('in a Node stream that never continues: the stream is destroyed', async () => {
    const controller = new AbortController();
    const server = await serveUploads();
    const stream = new Readable({ read() {} });
    const file = { size: 10, open: () => stream };
    const call = clientFor(server).documents.upload({ file, filename: 'a', signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    expect(await rejection(call)).toBe(reason);
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  test('before `open` has returned a stream: the late stream is cancelled', async () => {
    const controller = new AbortController();
    const server = await serveUploads();
    let give = (_: ReadableStream) => {};
    const opened = new Promise<ReadableStream>(resolve => {
      give = resolve;
    });
    const file = { size: 10, open: () => opened };
    const call = clientFor(server).documents.upload({ file, filename: 'a', signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    expect(await rejection(call)).toBe(reason);
    await new Promise(resolve => give(new ReadableStream({ cancel: resolve })));
  });
});

test('the deadline limits the whole upload', async () => {
  const timers = holdTimers();
  const server = await serveUploads(afterBytes(() => timers.pass(TIMEOUT)));
  const error = await failureOf(server, { deadline: TIMEOUT, timeout: 2 * TIMEOUT });
  expect(error).toMatchObject({ stage: 'put', cause: { name: 'TimeoutError', code: 'deadline', limitMs: TIMEOUT } });
});

test('directUploads.put sends the bytes to the slot of the caller, and never requests another slot', async () => {
  const server = await serveUploads('take', refuse(403, 'AccessDenied'));
  const { directUploads } = clientFor(server);
  const checksum = createHash('md5').update(bytes).digest('base64');
  const blob = { filename: 'a.pdf', content_type: 'application/pdf', byte_size: SIZE, checksum };
  const slot = await directUploads.create(blob);
  await directUploads.put(slot, path);
  expect(server.puts).toMatchObject([{ slot: 1, bytes: SIZE, checksum }]);
  expect(await rejection(directUploads.put(slot, path))).toMatchObject({ stage: 'put', cause: { status: 403 } });
  expect(await rejection(directUploads.put(slot, 'x'.repeat(9)))).toMatchObject({ stage: 'put' });
  expect(await rejection(directUploads.put(slot, bytes.subarray(1)))).toMatchObject({ name: 'ConfigurationError' });
  expect(server.slots).toHaveLength(1);
});
