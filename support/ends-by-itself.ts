/**
 * A program that makes calls with long timeouts, and prints the timers and listeners that are left. The calls end in
 * every possible way: with a response, an error, a timeout or an abort.
 */

import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RequestOptions, TrackingClient } from '../src/index.ts';

const open = new Set<NodeJS.Timeout>();
const { setTimeout: start, clearTimeout: stop } = globalThis;
globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
  const timer = start(() => {
    open.delete(timer);
    run(...args);
  }, ms);
  open.add(timer);
  return timer;
}) as typeof setTimeout;
globalThis.clearTimeout = (timer => {
  open.delete(timer as NodeJS.Timeout);
  stop(timer);
}) as typeof clearTimeout;

const server = createServer((request, response) => {
  const kind = request.url?.split('/').at(-1);
  if (kind === 'silent') return;
  if (kind === 'reset') response.socket?.destroy();
  else if (kind === 'ok') response.end('{"data":{"type":"party","id":"1"}}');
  else if (kind === 'page') response.end('<html>');
  else response.writeHead(Number(kind)).end('{"errors":[{"title":"A"}]}');
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;

const client = new TrackingClient({
  baseUrl,
  apiKey: 'key',
  logger: false,
  timeout: 60_000,
  deadline: 120_000,
  retry: { limit: 1, minDelay: 1 },
});
const { signal } = new AbortController();
const stopped = new AbortController();
const call = (kind: string, options: RequestOptions = {}) => client.parties.get(kind, { signal, ...options });

const calls: Promise<unknown>[] = [];
for (const kind of ['ok', 'page', 'reset', '404', '422', '503']) {
  for (let i = 0; i < 4; i += 1) calls.push(call(kind));
}
for (let i = 0; i < 4; i += 1) calls.push(call('silent', { timeout: 30, retry: false }));
for (let i = 0; i < 4; i += 1) calls.push(client.parties.get('silent', { signal: stopped.signal }));
setTimeout(() => stopped.abort(), 30);
const outcomes = await Promise.allSettled(calls);

client.close();
server.close();
server.closeAllConnections();
const listeners = [signal, stopped.signal].flatMap(each => getEventListeners(each, 'abort')).length;
// The timers of Node's idle connections are not counted: they do not keep a process alive.
const timers = [...open].filter(timer => timer.hasRef()).length;
console.log(JSON.stringify({ timers, listeners, outcomes: outcomes.length }));
