import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, expect, test, vi } from 'vitest';
import { serve } from '../../support/server.ts';

const ODD = { data: { type: 'party', id: '1', attributes: { company_name: 5 } } };
const order: string[] = [];

/** A client that has not loaded the schemas yet, as in a new program. */
async function freshClient(validation: 'strict' | 'warn', answer: unknown = ODD) {
  const { TrackingClient } = await import('../../src/index.ts');
  const { baseUrl } = await serve({ body: answer });
  const hooks = { onSchemaMismatch: () => void order.push('mismatch') };
  return new TrackingClient({ baseUrl, apiKey: 'key', rateLimit: false, validation, logger: false, hooks });
}

beforeEach(() => {
  vi.resetModules();
  order.length = 0;
});

test('warn: the first value of a program does not wait for the schemas, but is checked later', async () => {
  const client = await freshClient('warn');
  const party = await client.parties.get('1');
  order.push('value');
  // If the program changes the record, the check does not see the change.
  Object.assign(party, { company_name: 'A' });
  await expect.poll(() => order, { interval: 1 }).toEqual(['value', 'mismatch']);
});

test('warn: later responses are checked before their call resolves', async () => {
  const client = await freshClient('warn');
  await client.parties.get('1');
  await expect.poll(() => order, { interval: 1 }).toEqual(['mismatch']);
  const { TrackingClient } = await import('../../src/index.ts');
  const { baseUrl } = await serve({ body: ODD });
  const hooks = { onSchemaMismatch: () => void order.push('another mismatch') };
  const other = new TrackingClient({ baseUrl, apiKey: 'key', rateLimit: false, logger: false, hooks });
  await other.parties.get('1').withResponse();
  expect(order).toEqual(['mismatch', 'another mismatch']);
});

test('warn: a response in plain JSON and a call of withResponse() are checked too', async () => {
  const client = await freshClient('warn', { message: 5 });
  await client.containers.refresh('1').withResponse();
  await expect.poll(() => order, { interval: 1 }).toEqual(['mismatch']);
});

test('strict: the first response of a program is checked before the call returns it', async () => {
  const client = await freshClient('strict');
  await expect(client.parties.get('1')).rejects.toMatchObject({ name: 'ResponseFormatError' });
});

test('warn: a program that ends after its first value still reports the mismatch', async () => {
  const { baseUrl } = await serve({ body: ODD });
  const program = `
    import { TrackingClient } from '${new URL('../../src/index.ts', import.meta.url)}';
    const hooks = { onSchemaMismatch: () => console.log('mismatch') };
    const client = new TrackingClient({ baseUrl: '${baseUrl}', apiKey: 'key', logger: false, hooks });
    await client.parties.get('1');
    console.log('value');
    client.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout.trim().split('\n')).toEqual(['value', 'mismatch']);
});

test('warn: of 1,000 simultaneous calls, only the first few get their values before the check', async () => {
  const client = await freshClient('warn');
  const ids = Array.from({ length: 1000 }, (_, i) => String(i));
  await Promise.all(ids.map(id => client.parties.get(id).then(() => order.push('value'))));
  expect(order.filter(each => each === 'mismatch')).toHaveLength(1);
  expect(order.indexOf('mismatch')).toBeLessThan(200);
});
