import { describe, expect, test } from 'vitest';
import type { ResponseFormatError, SchemaMismatchEvent, Validation } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { type Answer, serve } from '../../support/server.ts';

const MODES: Validation[] = ['strict', 'warn', 'off'];
const ODD = { data: { type: 'party', id: '1', attributes: { company_name: 5 } } };

describe('a response that does not fit its schema', () => {
  test('causes an error in mode strict, and the error shows the differences but not the value', async () => {
    const server = await serve({ body: ODD });
    const error = (await rejection(
      clientFor(server, { validation: 'strict' }).parties.get('1'),
    )) as ResponseFormatError;
    expect(error).toMatchObject({ name: 'ResponseFormatError', code: 'response_format', status: 200, method: 'GET' });
    expect(error.mismatches).toMatchObject([{ resourceType: 'party', path: 'attributes.company_name' }]);
    expect(error.message).toContain('attributes.company_name');
  });

  test('is returned in mode warn, and each kind of difference is reported once per client', async () => {
    const server = await serve({ body: ODD });
    const events: SchemaMismatchEvent[] = [];
    const warnings: string[] = [];
    const quiet = () => {};
    const logger = { debug: quiet, info: quiet, error: quiet, warn: (message: string) => warnings.push(message) };
    const hooks = { onSchemaMismatch: (event: SchemaMismatchEvent) => events.push(event) };
    const client = clientFor(server, { hooks, logger });
    for (const id of ['1', '2', '3']) expect((await client.parties.get(id)).company_name).toBe(5);
    expect(events).toMatchObject([
      { method: 'GET', path: '/parties/1', mismatch: { resourceType: 'party', path: 'attributes.company_name' } },
    ]);
    expect(warnings).toEqual([expect.stringContaining('attributes.company_name')]);
  });

  test('is reported in mode warn for each wrong type of the same attribute', async () => {
    const other = { data: { ...ODD.data, attributes: { company_name: ['a'] } } };
    const server = await serve({ body: ODD }, { body: other }, { body: ODD });
    const events: unknown[] = [];
    const client = clientFor(server, { hooks: { onSchemaMismatch: event => events.push(event) } });
    for (let i = 0; i < 3; i += 1) await client.parties.get('1');
    expect(events).toHaveLength(2);
  });

  test('is not reported in mode off', async () => {
    const server = await serve({ body: ODD });
    const events: unknown[] = [];
    const hooks = { onSchemaMismatch: (event: unknown) => events.push(event) };
    expect((await clientFor(server, { validation: 'off', hooks }).parties.get('1')).company_name).toBe(5);
    expect(events).toEqual([]);
  });
});

test.each(MODES)('mode %s: a missing included record is reported once, and is not an error', async validation => {
  const relationships = { shipment: { data: { type: 'shipment', id: '7' } } };
  const server = await serve({ body: { data: { type: 'container', id: '1', attributes: {}, relationships } } });
  const events: SchemaMismatchEvent[] = [];
  const hooks = { onSchemaMismatch: (event: SchemaMismatchEvent) => events.push(event) };
  const client = clientFor(server, { validation, hooks });
  for (const id of ['1', '2']) {
    const container = await client.containers.get(id, { include: ['shipment'] });
    expect(container.shipment).toEqual({ type: 'shipment', id: '7' });
  }
  expect(events).toMatchObject([{ path: '/containers/1', mismatch: { path: 'relationships.shipment' } }]);
});

test('a client makes at most 1,000 reports, even if records have more kinds of differences', async () => {
  const kinds = (from: number) => Array.from({ length: 600 }, (_, n) => ({ type: `type_${from + n}`, id: String(n) }));
  const server = await serve(...[0, 600, 600, 1200].map(from => ({ body: { data: kinds(from) } })));
  const events: unknown[] = [];
  const hooks = { onSchemaMismatch: (event: unknown) => events.push(event) };
  const client = clientFor(server, { validation: 'off', hooks, maxResponseBytes: 1e7 });
  for (const expected of [600, 1000, 1000, 1000]) {
    await client.containers.list({ include: ['shipment'] });
    expect(events).toHaveLength(expected);
  }
});

describe.each(MODES)('in mode %s', validation => {
  test.each<[string, Answer]>([
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['JSON that is cut off', { body: '{"data":' }],
    ['an empty body', { body: '' }],
    ['a blank body', { body: ' \n' }],
    ['204', { status: 204 }],
    ['no data', { body: { meta: {} } }],
    ['null', { body: 'null' }],
    ['a text', { body: '"x"' }],
    ['a list', { body: [ODD.data] }],
    ['data: null', { body: { data: null } }],
    ['data: a text', { body: { data: 'x' } }],
    ['data: a list with null', { body: { data: [null] } }],
    ['data without a type', { body: { data: { id: '1' } } }],
    ['data with a number as id', { body: { data: { type: 'party', id: 1 } } }],
    ['a list instead of one record', { body: { data: [] } }],
  ])('%s instead of a record causes a ResponseFormatError', async (_, answer) => {
    const server = await serve(answer);
    const error = await rejection(clientFor(server, { validation }).parties.get('1'));
    expect(error).toMatchObject({ name: 'ResponseFormatError', method: 'GET', path: '/parties/1', mismatches: [] });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['a page', { body: '<html>' }],
    ['an empty body', { body: '' }],
    ['no data', { body: { meta: {} } }],
    ['data: null', { body: { data: null } }],
  ])('%s instead of a list causes a ResponseFormatError', async (_, answer) => {
    const server = await serve(answer);
    const client = clientFor(server, { validation });
    expect(await rejection(client.parties.list())).toMatchObject({ name: 'ResponseFormatError' });
    expect(await rejection(client.webhooks.events())).toMatchObject({ name: 'ResponseFormatError' });
  });

  test('an empty body instead of JSON causes a ResponseFormatError', async () => {
    const server = await serve({ status: 204 });
    expect(await rejection(clientFor(server, { validation }).webhooks.ips())).toMatchObject({
      name: 'ResponseFormatError',
    });
  });
});

test('the message of a ResponseFormatError does not quote the body', async () => {
  const server = await serve({ body: 'private{' });
  const error = await rejection(clientFor(server).parties.get('1'));
  expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('private');
});
