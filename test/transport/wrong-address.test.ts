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

test.each([404, 200])(
  'the error of an upload names the address if the slot request gets an HTML page with status %i',
  async status => {
    const server = await serve({ status, body: PAGE, headers: { 'content-type': 'text/html' } });
    const { message } = (await rejection(
      clientFor(server).documents.upload({ file: new File(['a'], 'a.pdf') }),
    )) as Error;
    const address = `${server.baseUrl}/rails/active_storage/direct_uploads`;
    expect(message).toMatch(new RegExp(`; ${address} does not look like the service: check baseUrl$`));
  },
);

test('the error for a 404 of the storage does not name the address of the service as the cause', async () => {
  const server = await serve({ status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' });
  const direct_upload = { url: `${server.baseUrl}/slot?signature=abcdef`, headers: {} };
  const slot = { signed_id: 's', byte_size: 1, checksum: 'DMF1ucDxtqgxw5niaXcmYQ==', direct_upload };
  const { message } = (await rejection(
    clientFor(server).directUploads.put(slot as never, new File(['a'], 'a.pdf')),
  )) as Error;
  expect(message).toMatch(/404 NoSuchBucket$/);
});

test('the error for a 404 of the service does not mention the address', async () => {
  const server = await serve({ status: 404, body: { errors: [{ title: 'Not Found' }] } });
  const error = await rejection(clientFor(server).parties.get('1'));
  expect((error as Error).message).not.toContain('baseUrl');
});
