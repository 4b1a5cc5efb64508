import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import type { Fetch, UploadFile, UploadProgress } from '../../src/index.ts';
import { clientFor, KEY, rejection } from '../../support/client.ts';
import { SIGNATURE, serveUploads } from '../../support/storage.ts';
import { unhandledRejections } from '../../support/unhandled-rejections.ts';

const directory = mkdtempSync(join(tmpdir(), 'upload-'));
const bytes = randomBytes(1_000_003);
const checksum = createHash('md5').update(bytes).digest('base64');
const path = join(directory, 'packing list.pdf');
writeFileSync(path, bytes);

afterAll(() => rmSync(directory, { recursive: true }));

/** All bytes, in chunks that are not Uint8Arrays. */
function otherChunks(): ReadableStream<Uint8Array> {
  const { buffer } = new Uint8Array(bytes);
  const chunks = [
    new DataView(buffer, 0, 300_001),
    buffer.slice(300_001, 300_003),
    new Uint16Array(buffer.slice(300_003)),
  ];
  return Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>;
}

function raise(message: string): never {
  throw new Error(message);
}

function once(listener: () => unknown): () => unknown {
  let isCalled = false;
  return () => {
    if (isCalled) return undefined;
    isCalled = true;
    return listener();
  };
}

function fromAnotherRealm(): ArrayBuffer {
  const buffer = runInNewContext(`new ArrayBuffer(${bytes.length})`) as ArrayBuffer;
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

const inputs: [string, UploadFile][] = [
  ['a path', path],
  ['a Buffer', bytes],
  ['a Uint8Array in the middle of its buffer', new Uint8Array([1, ...bytes, 2]).subarray(1, -1)],
  ['an ArrayBuffer', new Uint8Array(bytes).buffer],
  ['a Blob', new Blob([bytes])],
  ['a File', new File([bytes], 'packing list.pdf')],
  ['an ArrayBuffer of another realm', fromAnotherRealm()],
  ['a stream that can be opened again', { size: bytes.length, open: () => new Blob([bytes]).stream() }],
  ['a stream of other views and of buffers', { size: bytes.length, open: otherChunks }],
  ['a stream of Node', { size: bytes.length, open: () => createReadStream(path) }],
  [
    'a stream of Node as a web stream',
    { size: bytes.length, open: async () => Readable.toWeb(createReadStream(path)) },
  ],
  [
    'a generator',
    {
      size: bytes.length,
      async *open() {
        for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
      },
    },
  ],
];

describe('every kind of file arrives complete', () => {
  test.each(inputs)('%s', async (_, file) => {
    const server = await serveUploads();
    const document = await clientFor(server).documents.upload({ file, filename: 'packing list.pdf' });
    expect(document).toMatchObject({ type: 'document', id: 'd1' });
    expect(server.slots).toEqual([
      { filename: 'packing list.pdf', content_type: 'application/pdf', byte_size: bytes.length, checksum },
    ]);
    expect(server.puts).toMatchObject([{ slot: 1, bytes: bytes.length, checksum }]);
    expect(server.documents).toEqual([{ name: 'packing list.pdf', attached_document: 'signed-1' }]);
  });

  test('an empty file', async () => {
    const server = await serveUploads();
    const empty = join(directory, 'empty.txt');
    writeFileSync(empty, '');
    for (const file of [empty, new Uint8Array(), new Blob(), { size: 0, open: () => new Blob().stream() }]) {
      const progress: UploadProgress[] = [];
      await clientFor(server).documents.upload({ file, filename: 'empty.txt', onProgress: p => progress.push(p) });
      expect(progress).toEqual([
        { stage: 'hash', loaded: 0, total: 0 },
        { stage: 'put', loaded: 0, total: 0 },
      ]);
    }
    expect(server.puts).toMatchObject(Array(4).fill({ bytes: 0, headers: { 'content-length': '0' } }));
    expect(server.documents).toHaveLength(4);
  });
});

test('the PUT has the headers of the slot and a Content-Length, but no header of the client', async () => {
  const server = await serveUploads();
  const client = clientFor(server, { headers: { 'x-mine': 'private' } });
  await client.documents.upload({ file: path, headers: { 'x-call': 'private' } });
  const sent = server.puts[0]?.headers ?? {};
  expect(sent).toMatchObject({
    'content-type': 'application/pdf',
    'content-md5': checksum,
    'content-length': String(bytes.length),
    'x-storage-own': 'yes',
  });
  const others = Object.keys(sent).filter(name => name !== 'host' && name !== 'connection');
  expect(others.sort()).toEqual(['content-length', 'content-md5', 'content-type', 'x-storage-own']);
  expect(JSON.stringify(server.puts)).not.toContain(KEY);
  expect(server.apiHeaders).toMatchObject(Array(2).fill({ 'x-mine': 'private', 'x-call': 'private' }));
});

test('the slot and the document are requested with the media type of the service', async () => {
  const server = await serveUploads();
  await clientFor(server).documents.upload({ file: path });
  expect(server.apiHeaders).toMatchObject(Array(2).fill({ 'content-type': 'application/vnd.api+json' }));
});

test('the PUT does not count in the rate limit', async () => {
  const server = await serveUploads();
  const client = clientFor(server, { rateLimit: { limits: { default: 50 } } });
  await client.documents.upload({ file: path });
  expect(client.rateLimit.snapshot()?.default.used).toBe(2);
});

test('a custom fetch is used for the PUT too, with the arguments of the global fetch', async () => {
  const server = await serveUploads();
  const seen: string[] = [];
  const fetch: Fetch = (input, init) => {
    const { method, url } = typeof input === 'string' ? { method: init?.method, url: input } : (input as Request);
    seen.push(`${method} ${new URL(url).pathname}`);
    if (method === 'PUT') expect([typeof input, init?.signal]).toEqual(['string', expect.any(AbortSignal)]);
    return globalThis.fetch(input, init);
  };
  await clientFor(server, { fetch }).documents.upload({ file: path });
  expect(seen).toEqual(['POST /v2/rails/active_storage/direct_uploads', 'PUT /storage/1', 'POST /v2/documents']);
  expect(server.puts).toMatchObject([{ bytes: bytes.length, checksum }]);
});

describe('progress', () => {
  test.each(inputs)('of %s grows, in each stage, until it is the size of the file', async (_, file) => {
    const server = await serveUploads();
    const progress: UploadProgress[] = [];
    await clientFor(server).documents.upload({ file, filename: 'a.pdf', onProgress: p => progress.push(p) });
    const stages = progress.map(({ stage }) => stage);
    expect(stages).toEqual(stages.toSorted());
    for (const stage of ['hash', 'put']) {
      const loaded = progress.filter(p => p.stage === stage).map(p => p.loaded);
      expect(loaded).toEqual([...new Set(loaded)].sort((a, b) => a - b));
      expect(loaded.length).toBeGreaterThan(3);
      expect([loaded[0], loaded.at(-1)]).toEqual([0, bytes.length]);
    }
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([bytes.length]));
  });

  test('does not fall when the sending starts again', async () => {
    const server = await serveUploads((request, _) => setTimeout(() => request.socket.destroy(), 20), 'take');
    const loaded: number[] = [];
    await clientFor(server).documents.upload({
      file: path,
      onProgress: p => p.stage === 'put' && loaded.push(p.loaded),
    });
    expect(server.puts).toHaveLength(2);
    expect(loaded).toEqual([...new Set(loaded)].sort((a, b) => a - b));
  });

  test.each([
    ['throws', () => () => raise('of the listener')],
    ['rejects', () => async () => raise('of the listener')],
    ['rejects once', () => once(async () => raise('of the listener'))],
  ])('continues if a listener %s, and the error is logged', async (how, listener) => {
    const server = await serveUploads();
    const unhandled = unhandledRejections();
    const errors: [string, unknown][] = [];
    const silent = () => {};
    const error = (message: string, details: unknown) => errors.push([message, details]);
    const logger = { debug: silent, info: silent, warn: silent, error };
    const client = clientFor(server, { logger });
    await client.documents.upload({ file: path, onProgress: listener() });
    expect(server.documents).toHaveLength(1);
    expect(await unhandled.settle()).toEqual([]);
    expect(errors[0]).toEqual(['onProgress failed.', { error: new Error('of the listener') }]);
    if (how === 'rejects once') expect(errors).toHaveLength(1);
  });
});

describe('names and types', () => {
  const hostile = 'inv "30118"\n发票 \u{1F6A2} \\..%2F\u0000;.pdf';

  test('with unicode, quotes and line breaks arrive unchanged', async () => {
    const server = await serveUploads();
    await clientFor(server).documents.upload({ file: bytes, filename: hostile, name: `${hostile}!` });
    expect(server.slots[0]).toMatchObject({ filename: hostile, content_type: 'application/pdf' });
    expect(server.documents[0]?.name).toBe(`${hostile}!`);
  });

  test('have the name of the file as the default name', async () => {
    const server = await serveUploads();
    const odd = join(directory, 'a\n"b" ü.png');
    writeFileSync(odd, 'x');
    await clientFor(server).documents.upload({ file: odd });
    await clientFor(server).documents.upload({ file: new File(['x'], 'photo.heic') });
    await clientFor(server).documents.upload({ file: bytes, name: 'Invoice' });
    expect(server.slots.map(({ filename }) => filename)).toEqual(['a\n"b" ü.png', 'photo.heic', 'Invoice']);
    expect(server.documents.map(({ name }) => name)).toEqual(['a\n"b" ü.png', 'photo.heic', 'Invoice']);
  });

  test('have the type of the option, otherwise of the Blob, otherwise of the file extension', async () => {
    const server = await serveUploads();
    const { documents } = clientFor(server);
    await documents.upload({ file: new File(['x'], 'a.pdf', { type: 'image/png' }), contentType: 'text/plain' });
    await documents.upload({ file: new File(['x'], 'a.pdf', { type: 'image/png' }) });
    await documents.upload({ file: new File(['x'], 'A.PDF') });
    await documents.upload({ file: bytes, filename: 'a.xlsx' });
    await documents.upload({ file: bytes, filename: 'no ending' });
    expect(server.slots.map(({ content_type }) => content_type)).toEqual([
      'text/plain',
      'image/png',
      'application/pdf',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/octet-stream',
    ]);
    expect(server.puts.map(({ headers }) => headers['content-type'])).toEqual(
      server.slots.map(({ content_type }) => content_type),
    );
  });

  test.each([
    ['Delivery order.PDF', 'application/pdf'],
    ['Packing list.xls', 'application/vnd.ms-excel'],
    ['arrival.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['arrival.odt', 'application/vnd.oasis.opendocument.text'],
    ['scan.tif', 'image/tiff'],
    ['photo.heic', 'image/heic'],
    ['notice.eml', 'message/rfc822'],
    ['notice.msg', 'application/vnd.ms-outlook'],
    ['list.csv', 'text/csv'],
    ['all.tar.gz', 'application/gzip'],
  ])('of the file %s: the type is %s', async (filename, contentType) => {
    const server = await serveUploads();
    await clientFor(server).documents.upload({ file: bytes, filename });
    expect(server.slots[0]?.content_type).toBe(contentType);
  });

  test.each(['a.constructor', 'a.__proto__', 'toString', 'docx', 'pdf'])(
    'of the file %s: the extension does not give a type',
    async filename => {
      const server = await serveUploads();
      await clientFor(server).documents.upload({ file: bytes, filename });
      expect(server.slots[0]?.content_type).toBe('application/octet-stream');
    },
  );
});

const hasOpen = (file: UploadFile) => typeof file === 'object' && 'open' in file;

test('a file stream of Node is refused because it can be read only once, and the message names what to pass instead', async () => {
  const server = await serveUploads();
  const stream = createReadStream(path);
  const error = await rejection(clientFor(server).documents.upload({ file: stream as never, filename: 'a' }));
  expect(error).toMatchObject({ name: 'ConfigurationError' });
  expect(error).toHaveProperty(
    'message',
    expect.stringMatching(/a path, .*\{ size, open \}.*a stream can be read once/),
  );
  stream.destroy();
});

describe('a mistake of the program is a ConfigurationError, and nothing is sent', () => {
  test.each([
    ['no file', { file: undefined as unknown as string }],
    ['a value that is not a file', { file: 7 as unknown as string }],
    ['bytes without a name', { file: bytes }],
    ['a stream of no known size', { file: { size: Number.NaN, open: () => new Blob().stream() }, name: 'a' }],
    [
      'a stream of texts',
      { file: { size: 1, open: () => new ReadableStream({ start: c => c.enqueue('x') }) }, name: 'a' },
    ],
    ['an option that is misspelt', { file: bytes, name: 'a', fileName: 'a.pdf' }],
    ['an unknown onDuplicate', { file: bytes, name: 'a', onDuplicate: 'skip' as 'throw' }],
    ['an invalid deadline', { file: bytes, name: 'a', deadline: 0 }],
    ['an invalid stream', { file: { size: 1, open: () => bytes as unknown as ReadableStream }, name: 'a' }],
    ['an invalid signal', { file: bytes, name: 'a', signal: {} as AbortSignal }],
    ['a blank filename', { file: path, filename: ' ' }],
    ['a blank name', { file: path, name: '\n\t' }],
    ['a blank type', { file: path, contentType: ' ' }],
    ['a file with a blank name', { file: new File([bytes], ' ') }],
    ['an invalid filename', { file: bytes, filename: 42 as unknown as string }],
    ['an invalid type', { file: bytes, name: 'a', contentType: 42 as unknown as string }],
    ['a type that no header can hold', { file: bytes, name: 'a', contentType: 'text/plain\r\nx-evil: 1' }],
    ['an invalid listener', { file: bytes, name: 'a', onProgress: 'x' as unknown as () => void }],
  ])('%s', async (_, options) => {
    const server = await serveUploads();
    const stages: string[] = [];
    const onProgress = 'onProgress' in options ? {} : { onProgress: (p: UploadProgress) => stages.push(p.stage) };
    const error = await rejection(clientFor(server).documents.upload({ ...options, ...onProgress }));
    expect(error).toMatchObject({ name: 'ConfigurationError' });
    expect(server.slots).toEqual([]);
    // A mistake in a stream is found when the stream is read.
    if (!hasOpen(options.file)) expect(stages).toEqual([]);
  });
});

const TOKEN = 'FwoGZXIvYXdzEJr//////////wEaDN+secret token==';

test.each<[string, (request: IncomingMessage) => string]>([
  ['all of it', request => `http://${request.headers.host}${request.url}`],
  ['its signature', () => SIGNATURE],
  ['its token in the form of the address', request => request.url?.split('token=')[1] ?? ''],
  ['its token decoded', () => TOKEN],
  ['its token encoded again', () => encodeURIComponent(TOKEN)],
])('no error contains the secret address of the storage, even if the storage repeats %s', async (_, repeat) => {
  const server = await serveUploads((request, response) =>
    request.on('end', () => response.writeHead(418).end(`<Error>${repeat(request)}</Error>`)),
  );
  // A token in an address may contain unencoded slashes.
  const token = encodeURIComponent(TOKEN).replaceAll('%2F', '/');
  server.place = { url: `${server.origin}/storage/1?signature=${SIGNATURE}&token=${token}` };
  const fetch: Fetch = (input, init) => globalThis.fetch(input, init);
  for (const options of [{}, { fetch }]) {
    const error = await rejection(clientFor(server, options).documents.upload({ file: path }));
    expect(inspect(error, { depth: 9 })).not.toContain(SIGNATURE);
    expect(inspect(error, { depth: 9 })).not.toContain('FwoGZXIvYXdzEJr');
    expect(error).toMatchObject({ name: 'UploadError', stage: 'put', cause: { status: 418 } });
  }
});
