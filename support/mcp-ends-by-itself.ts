/**
 * A program that makes 1,000 calls of tools, over HTTP and in one process, and prints the timers and listeners that are
 * left. The calls end in every possible way.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackingClient } from '../src/index.ts';
import { createMcpHandler, createMcpServer } from '../src/mcp-server/index.ts';
import { httpPeer, type Json, PROTOCOL } from './mcp-peer.ts';
import { createSandbox } from './sandbox.ts';

const CALLS = 1_000;
const warnings: string[] = [];
process.on('warning', ({ name }) => warnings.push(name));

const sandbox = createSandbox({ rateLimit: false });
const [
  {
    containers: [box],
  } = { containers: [] },
] = sandbox.seedShipments(2);
const service = await sandbox.listen();
const connections = new Set<IncomingMessage['socket']>();
const listenersOf = (target: IncomingMessage['socket']) =>
  target.eventNames().reduce((sum, name) => sum + target.listenerCount(name), 0);

const client = new TrackingClient({
  baseUrl: service.baseUrl,
  apiKey: 'sandbox',
  logger: false,
  rateLimit: false,
  retry: false,
});
const handler = createMcpHandler({ client });
const http = createServer((request, response) => {
  connections.add(request.socket);
  handler.node(request, response);
}).listen(0, '127.0.0.1');
await once(http, 'listening');
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
const overHttp = httpPeer(fetch, { url });

/** One connection for all calls, as over stdio. */
const waiting = new Map<number, (answer: Json) => void>();
const transport: Json = {
  start: async () => {},
  close: async () => transport.onclose?.(),
  send: async (message: Json) => waiting.get(message.id)?.(message),
};
const server = createMcpServer({ client });
await server.connect(transport);
const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
transport.onmessage({ jsonrpc: '2.0', id: 0, method: 'initialize', params });

function inProcess(id: number, name: string, args: object): Promise<unknown> {
  const answered = new Promise(resolve => waiting.set(id, resolve)).finally(() => waiting.delete(id));
  transport.onmessage({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  if (name !== 'list_shipments') return answered;
  const cancelled = { requestId: id, reason: 'test' };
  transport.onmessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled });
  waiting.delete(id);
  return Promise.resolve();
}

const CASES: [string, object][] = [
  ['get_container', { id: box?.id }],
  ['get_container', { id: '00000000-0000-4000-8000-000000000000' }],
  ['get_supported_shipping_lines', {}],
  ['search_container', { query: box?.number }],
  ['list_shipments', {}],
  ['get_container', { unknown: true }],
];

let before: { handles: number; listeners: number } | undefined;
for (let made = 0; made < CALLS; made += 10) {
  const calls = Array.from({ length: 10 }, async (_, index) => {
    const [name, args] = CASES[(made + index) % CASES.length] as [string, object];
    if (index % 2 === 0) return inProcess(made + index + 1, name, args);
    const hungUp = new AbortController();
    const call = overHttp.request('tools/call', { name, arguments: args }, { signal: hungUp.signal });
    if (index === 9) setTimeout(() => hungUp.abort(), 1);
    return call.catch(() => {});
  });
  await Promise.all(calls);
  // The first round opens everything that stays open afterwards.
  if (made === 100) before = await left();
}
const after = await left();

/** Counts what is left. The smallest of several samples does not include work that a busy machine has not ended yet. */
async function left() {
  const samples: { handles: number; listeners: number }[] = [];
  for (let taken = 0; taken < 10; taken += 1) {
    await new Promise(resolve => setTimeout(resolve, 20));
    const handles = process.getActiveResourcesInfo().filter(name => name === 'Timeout' || name === 'Immediate').length;
    const listeners = Math.max(0, ...[...connections].filter(socket => !socket.destroyed).map(listenersOf));
    samples.push({ handles, listeners });
  }
  const least = (name: 'handles' | 'listeners') => Math.min(...samples.map(sample => sample[name]));
  return { handles: least('handles'), listeners: least('listeners') };
}

await server.close();
await handler.close();
await service.close();
http.closeAllConnections();
http.close();
console.log(JSON.stringify({ before, after, warnings, waiting: waiting.size }));
