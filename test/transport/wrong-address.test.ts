import { expect, test } from 'vitest';
import { clientFor, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

const PAGE = '<!doctype html><title>Welcome</title><p>A page for people.';

test.each([
  [404, 'NotFoundError'],
  [200, 'ResponseFormatError'],
])('the error for an HTML page with status %i names the address', async (status, name) => {
  const server = await serve({ status, body: PAGE, headers: { 'content-type': 'text/html' } });
  const error = await rejection(clientFor(server).parties.get('1', { query: undefined } as object));
  const address = `${server.baseUrl}/parties/1 does not look like the service: check baseUrl`;
  expect(error).toMatchObject({ name, message: expect.stringContaining(address) });
});

test('the error for a 404 of the service does not mention the address', async () => {
  const server = await serve({ status: 404, body: { errors: [{ title: 'Not Found' }] } });
  const error = await rejection(clientFor(server).parties.get('1'));
  expect((error as Error).message).not.toContain('baseUrl');
});
