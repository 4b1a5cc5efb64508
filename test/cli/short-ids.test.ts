import { expect, test } from 'vitest';
import { idBeginning } from '../../src/cli/short-ids.ts';
import { sandboxed } from './command-line.ts';

const { client, ct, sandbox } = sandboxed({ shipments: 5 });

test('get accepts the beginning of an id', async () => {
  const { id, file_name } = await client.documents.upload({ file: new Blob(['%PDF-1.4']), filename: 'invoice.pdf' });
  expect(file_name).toBe('invoice.pdf');
  expect((await ct('documents', 'get', id.slice(0, 8))).json()).toMatchObject([{ id }]);
  const { data } = await client.containers.list({ pageSize: 1 });
  const container = data[0]?.id ?? '';
  expect((await ct('containers', 'get', container.slice(0, 13).toUpperCase())).json()).toMatchObject([
    { id: container },
  ]);
  expect(await ct('containers', 'get', 'ffffffff')).toMatchObject({
    code: 4,
    last: expect.stringContaining('no container'),
  });
});

test('download names a document that does not exist', async () => {
  const { code, err } = await ct('documents', 'download', 'zzz');
  expect({ code, err }).toEqual({ code: 4, err: expect.stringMatching(/^There is no document with the id zzz\. /) });
});

test('a command that changes a record does not accept the beginning of its id', async () => {
  const { data } = await client.shipments.list({ pageSize: 1 });
  const before = sandbox.requests.filter(({ method }) => method !== 'GET').length;
  expect((await ct('shipments', 'stop', (data[0]?.id ?? '').slice(0, 8), '--yes')).code).toBe(4);
  expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
});

test('webhooks get accepts the beginning of an id; update and delete name the whole id', async () => {
  const { id } = await client.webhooks.create({
    url: 'https://app.example/hook',
    events: ['container.updated'],
    active: true,
  });
  expect((await ct('webhooks', 'get', id.slice(0, 8))).json()).toMatchObject([{ id }]);
  for (const change of [
    ['update', '--active', 'off'],
    ['delete', '--yes'],
  ]) {
    const [word = '', ...options] = change;
    const { code, last } = await ct('webhooks', word, id.slice(0, 8), ...options);
    expect({ code, last }).toEqual({
      code: 4,
      last: `This is only the beginning of the id of a webhook. To change a record, use its whole id: ${id}`,
    });
  }
  expect(await client.webhooks.get(id)).toMatchObject({ active: true });
});

test('the error names the ids if several ids fit; a list is not read for a text that cannot be part of an id', async () => {
  const ids = ['0a1b2c3d-1', '0a1b2c3d-2', 'ffffffff-3'];
  async function* list() {
    for (const id of ids) yield { id };
  }
  await expect(idBeginning('0a1b2c', list)).rejects.toThrow('Use more of the id:\n0a1b2c3d-1\n0a1b2c3d-2');
  await expect(idBeginning('ffffff', list)).resolves.toBe('ffffffff-3');
  for (const text of ['PO-4711', 'MSCU1234566', '0a1b', 'invoice.pdf']) {
    const none = () => {
      throw new Error('The list was read.');
    };
    await expect(idBeginning(text, none)).resolves.toBeUndefined();
  }
});
