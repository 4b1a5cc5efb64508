import { expect, test } from 'vitest';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { answer, type Handler, serve } from '../../support/server.ts';

const PAGE = 'x'.repeat(200_000);

test('100 GETs use at most 2 connections if each GET first gets a 503 with 200 kB', async () => {
  let count = 0;
  const server = await serve((_, response) => {
    count += 1;
    answer(response, count % 2 === 1 ? { status: 503, body: PAGE } : { body: PARTY });
  });
  const client = clientFor(server);
  for (let i = 0; i < 100; i += 1) await client.parties.get('1');
  expect(server.requests).toHaveLength(200);
  expect(server.connections).toBeLessThanOrEqual(2);
});

test('final errors, redirects and unused bodies leave the connection reusable', async () => {
  const server = await serve(
    { status: 404, body: PAGE },
    { status: 302, headers: { location: '/v2/x' }, body: PAGE },
    { status: 422, body: { errors: [{ detail: PAGE }] } },
    { body: PAGE },
    { status: 204 },
    { body: PARTY },
  );
  const client = clientFor(server);
  for (let i = 0; i < 3; i += 1) await rejection(client.parties.get('1'));
  await client.webhooks.delete('1');
  await client.webhooks.delete('1');
  await client.parties.get('1');
  expect(server.connections).toBeLessThanOrEqual(2);
});

test('an endless error body is cut off and does not delay the call', async () => {
  let closed = false;
  const flood: Handler = (_, response) => {
    response.writeHead(500);
    response.on('close', () => {
      closed = true;
    });
    const pour = () => {
      while (!response.destroyed && response.write(PAGE));
    };
    response.on('drain', pour);
    pour();
  };
  const server = await serve(flood);
  const error = await rejection(clientFor(server, { retry: false }).parties.get('1'));
  expect(error).toMatchObject({ name: 'ServerError', status: 500 });
  expect(String((error as { body: unknown }).body).length).toBeLessThan(2_000_000);
  await expect.poll(() => closed, { interval: 5 }).toBe(true);
});
