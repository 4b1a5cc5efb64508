import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { clientFor, PARTY } from '../../support/client.ts';
import { type Handler, serve } from '../../support/server.ts';

test('a call succeeds even if the server has closed the idle connection', async () => {
  const server = await serve({ body: PARTY });
  const client = clientFor(server);
  for (let i = 0; i < 10; i += 1) {
    await client.parties.get('1');
    server.disconnect();
  }
  expect(server.requests).toHaveLength(10);
});

test('a GET is tried again if the server resets the reused connection', async () => {
  let count = 0;
  const cutSecond: Handler = (_, response) => {
    count += 1;
    if (count === 2) response.socket?.resetAndDestroy();
    else response.end(JSON.stringify(PARTY));
  };
  const server = await serve(cutSecond);
  const client = clientFor(server);
  await client.parties.get('1');
  const { attempts } = await client.parties.get('1').withResponse();
  expect(attempts).toBe(2);
});

test('at most 32 requests are open at a time', async () => {
  const held: (() => void)[] = [];
  const server = await serve((_, response) => held.push(() => response.end(JSON.stringify(PARTY))));
  const client = clientFor(server);
  const calls = Array.from({ length: 40 }, () => client.parties.get('1'));
  await expect.poll(() => held.length, { interval: 5 }).toBe(32);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(held).toHaveLength(32);
  for (const release of held.splice(0, 3)) release();
  await expect.poll(() => held.length, { interval: 5 }).toBe(32);
  for (const release of held.splice(0)) release();
  await expect.poll(() => held.length, { interval: 5 }).toBe(5);
  for (const release of held) release();
  await Promise.all(calls);
});

test('a program ends by itself after its calls, without a warning', async () => {
  const program = fileURLToPath(new URL('../../support/ends-by-itself.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual({ timers: 0, listeners: 0, outcomes: 32 });
  expect(stderr).toBe('');
});
