import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

describe('an id', () => {
  test.each([
    ['a/b', '/v2/parties/a%2Fb'],
    ['../webhooks', '/v2/parties/..%2Fwebhooks'],
    ['%2e%2e', '/v2/parties/%252e%252e'],
    ['a?b#c', '/v2/parties/a%3Fb%23c'],
    ['ä b\n', '/v2/parties/%C3%A4%20b%0A'],
    ['...', '/v2/parties/...'],
  ])('%j becomes one segment of the path: %s', async (id, url) => {
    const server = await serve({ body: PARTY });
    await clientFor(server).parties.get(id);
    expect(server.requests[0]?.url).toBe(url);
  });

  test.each(['', ' ', '\n', '.', '..', '\ud800', undefined, null, 5, {}, ['a'], Symbol('id')])(
    '%o makes the call reject, and nothing is sent',
    async id => {
      const server = await serve({ body: PARTY });
      const client = clientFor(server);
      const calls = [
        () => client.parties.get(id as string),
        () => client.parties.update(id as string, { company_name: 'A' }),
        () => client.webhooks.delete(id as string),
        () => client.shipments.customFields.list(id as string).toArray(),
      ];
      for (const call of calls) expect(await rejection(call())).toBeInstanceOf(ConfigurationError);
      expect(server.requests).toHaveLength(0);
    },
  );
});

test.each([
  [123, 'The id in /shipments/… is 123, not an id.'],
  [undefined, 'The id in /shipments/… is undefined, not an id.'],
  [{}, 'The id in /shipments/… is an object, not an id.'],
])('%j instead of an id is refused', async (id, message) => {
  const error = await rejection(clientFor({ baseUrl: 'http://127.0.0.1:1/v2' }).shipments.get(id as string));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toBe(message);
});

test.each([
  ['MSCU1234565', 'The id in /shipments/… is "MSCU1234565", not an id'],
  ['MAEU123456789', 'is "MAEU123456789", not an id'],
  ['mscu1234565', 'is "mscu1234565", not an id'],
  ['MSCU 123456-5', 'is "MSCU 123456-5", not an id'],
])('%j instead of an id is refused, and the message names a method that finds the record', async (id, message) => {
  const error = await rejection(clientFor({ baseUrl: 'http://127.0.0.1:1/v2' }).shipments.get(id));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).toContain('search() finds it.');
});

test('brackets, commas and nested names of a query stay unencoded, and values are encoded', async () => {
  const server = await serve({ body: { data: [] } });
  const client = clientFor(server);
  await client.containers.list({
    include: ['shipment', 'pod_terminal'],
    filter: { number: 'MSCU 123&4' },
    pageNumber: 2,
    pageSize: 5,
  });
  expect(server.requests[0]?.url).toBe(
    '/v2/containers?include=shipment,pod_terminal&sort=created_at&filter[number]=MSCU%20123%264&page[number]=2&page[size]=5',
  );
});
