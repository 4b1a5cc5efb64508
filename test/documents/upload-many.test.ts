import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SettledEvent, UploadItem, UploadManyOptions, UploadResult } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { reply, serveUploads } from '../../support/storage.ts';

const item = (name: string): UploadItem => ({ file: new TextEncoder().encode(name), name });
const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}.txt`);

async function collect(results: AsyncIterable<UploadResult>): Promise<UploadResult[]> {
  const all: UploadResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}

test('every file has one result, and a failed file does not end the other uploads', async () => {
  const server = await serveUploads();
  const items = [...names(5).map(item), { file: '/missing.pdf' }, { file: 7 as unknown as string }];
  const results = await collect(clientFor(server).documents.uploadMany(items));
  expect(results.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  for (const result of results) expect(result.item).toBe(items[result.index]);
  const failed = results.filter(result => !result.ok).map(result => [result.index, result.error]);
  expect(failed.sort()).toMatchObject([
    [5, { name: 'UploadError', stage: 'hash' }],
    [6, { name: 'ConfigurationError' }],
  ]);
  expect(server.documents).toHaveLength(5);
});

test('an item that is only a path fails with the form of an item', async () => {
  const paths = ['/missing.pdf'] as unknown as UploadItem[];
  const [result] = await collect(clientFor(await serveUploads()).documents.uploadMany(paths));
  const message = `The item is "/missing.pdf"; it must be an object such as { file: 'invoice.pdf' }.`;
  expect(result).toMatchObject({ ok: false, item: '/missing.pdf', error: { name: 'ConfigurationError', message } });
});

test.each([1, 3])('with a concurrency of %i, exactly this number of uploads is open at a time', async concurrency => {
  let begun = 0;
  let done = 0;
  let most = 0;
  const held: ServerResponse[] = [];
  const server = await serveUploads((request, response) => {
    request.on('end', () => {
      most = Math.max(most, begun - done);
      // The server responds only after `concurrency` requests have arrived.
      if (held.push(response) === concurrency) for (const each of held.splice(0)) each.end();
    });
  });
  const opened = (name: string): UploadItem => {
    let isNew = true;
    const open = () => {
      if (isNew) begun += 1;
      isNew = false;
      return new Blob([name]).stream();
    };
    return { file: { size: name.length, open }, name };
  };
  for await (const result of clientFor(server).documents.uploadMany(names(9).map(opened), { concurrency })) {
    expect(result.ok).toBe(true);
    done += 1;
  }
  expect([begun, most]).toEqual([9, concurrency]);
});

test('a result is yielded when it is ready, even if the next file is not available yet', async () => {
  const server = await serveUploads();
  async function* slow() {
    yield item('first');
    await new Promise(() => {});
  }
  for await (const result of clientFor(server).documents.uploadMany(slow())) {
    expect(result).toMatchObject({ index: 0, ok: true });
    break;
  }
});

test('each progress report has the item and its index', async () => {
  const server = await serveUploads();
  const seen = new Set<string>();
  const onProgress = ({ item, index, stage }: { item: UploadItem; index: number; stage: string }) =>
    seen.add(`${index} ${item.name} ${stage}`);
  await collect(clientFor(server).documents.uploadMany(names(2).map(item), { onProgress }));
  expect([...seen].sort()).toEqual(['0 0.txt hash', '0 0.txt put', '1 1.txt hash', '1 1.txt put']);
});

test('the options apply to every file, and a duplicate causes an error by default', async () => {
  const server = await serveUploads();
  server.onCreate = response => reply(response, 409, { errors: [{ meta: { existing_document_id: 'd0' } }] });
  const results = await collect(clientFor(server).documents.uploadMany([item('a')], { retry: false }));
  expect(results).toMatchObject([{ ok: false, error: { existingDocumentId: 'd0' } }]);
});

test('a misspelt option is refused, but an additional property of an item is kept in its result', async () => {
  const server = await serveUploads();
  const { documents } = clientFor(server);
  const misspelt = { concurency: 2 } as UploadManyOptions;
  await expect(collect(documents.uploadMany([item('a')], misspelt))).rejects.toThrow(
    /uploadMany\(\) has no concurency/,
  );
  expect(server.slots).toEqual([]);
  const own = { ...item('a'), invoiceId: 7 };
  expect(await collect(documents.uploadMany([own]))).toMatchObject([{ ok: true, item: { invoiceId: 7 } }]);
});

describe('no upload begins', () => {
  test('after the consumer stops', async () => {
    let cut = 0;
    const server = await serveUploads('take', (_, response) => response.on('close', () => (cut += 1)));
    let taken = 0;
    function* items() {
      for (const name of names(20)) {
        taken += 1;
        yield item(name);
      }
    }
    const { documents } = clientFor(server);
    for await (const _ of documents.uploadMany(items(), { concurrency: 2 })) {
      await expect.poll(() => server.puts.length).toBeGreaterThan(1);
      break;
    }
    const begun = [taken, server.slots.length, server.puts.length];
    await expect.poll(() => cut).toBe(server.puts.length - 1);
    // A request of another upload would arrive before this request.
    await documents.create({ name: 'the last', attached_document: 'x' });
    expect([taken, server.slots.length, server.puts.length]).toEqual(begun);
    expect(server.documents).toHaveLength(2);
  });

  test.each([0, 1.5, Number.NaN])('if the concurrency is %d', async concurrency => {
    const server = await serveUploads();
    const call = collect(clientFor(server).documents.uploadMany([item('a')], { concurrency }));
    expect(await rejection(call)).toMatchObject({ name: 'ConfigurationError' });
  });
});

describe('each started file has one result', () => {
  const reason = new Error('the user left');
  const tell = (results: UploadResult[]) => results.map(result => [result.index, result.ok || result.error]).sort();

  /** The results before the iteration rejects, and the error of the iteration. */
  async function collectUntilEnd(results: AsyncIterable<UploadResult>, onResult?: () => unknown) {
    const seen: UploadResult[] = [];
    async function collectAll() {
      for await (const result of results) {
        seen.push(result);
        await onResult?.();
      }
    }
    return { error: await rejection(collectAll()), seen };
  }

  test('after an abort: the upload of the file and the iteration reject with the reason of the abort', async () => {
    const controller = new AbortController();
    const server = await serveUploads(() => {
      if (server.puts.length === 2) controller.abort(reason);
    });
    const { signal } = controller;
    const all = clientFor(server).documents.uploadMany(names(3).map(item), { signal, concurrency: 2 });
    const { error, seen } = await collectUntilEnd(all);
    expect(error).toBe(reason);
    expect(tell(seen)).toEqual([
      [0, reason],
      [1, reason],
    ]);
    expect(server.documents).toEqual([]);
  });

  test('after an abort while the consumer is slow, even if the file had already finished', async () => {
    const server = await serveUploads();
    const controller = new AbortController();
    const { signal } = controller;
    let created = 0;
    const hooks = {
      onSettled({ operation }: SettledEvent) {
        if (operation === 'documents.create') created += 1;
      },
    };
    const all = clientFor(server, { hooks }).documents.uploadMany(names(9).map(item), { signal, concurrency: 4 });
    const { error, seen } = await collectUntilEnd(all, async () => {
      await expect.poll(() => created).toBe(4);
      controller.abort(reason);
    });
    expect(error).toBe(reason);
    expect(tell(seen)).toEqual([0, 1, 2, 3].map(index => [index, true]));
  });

  test('after the iterator of the files fails: the iteration then rejects with this error', async () => {
    const server = await serveUploads();
    async function* broken() {
      yield item('first');
      yield item('second');
      throw reason;
    }
    const { error, seen } = await collectUntilEnd(clientFor(server).documents.uploadMany(broken()));
    expect(error).toBe(reason);
    expect(tell(seen)).toEqual([
      [0, true],
      [1, true],
    ]);
  });
});
