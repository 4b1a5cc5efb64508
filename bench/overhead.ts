import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackingClient } from 'container-tracking-sdk';
import ky from 'ky';
import { fixture } from './fixtures.ts';
import { type Contender, compare, type Ratio, takeTurns } from './measure.ts';

const SEQUENTIAL = 200;
const IN_FLIGHT = 20;

/** What a request costs beyond a bare fetch that reads and parses the same answer. */
export async function overhead(): Promise<Ratio[]> {
  const body = fixture('shipments.get.include.json');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/vnd.api+json');
    response.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const id = '6e7410ac-f4ff-4d50-b85f-354f9c4ad9b0';
  const url = `${baseUrl}/shipments/${id}`;
  const headers = { authorization: 'Token key' };
  const client = (validation: 'off' | 'warn') =>
    new TrackingClient({ baseUrl, apiKey: 'key', rateLimit: { limits: { default: 1e9 } }, validation, logger: false });
  const checking = client('warn');
  const notChecking = client('off');
  const calls: { name: string; call: () => Promise<unknown> }[] = [
    { name: 'fetch', call: async () => (await fetch(url, { headers })).json() },
    { name: 'ky', call: () => ky(url, { headers, retry: 0 }).json() },
    { name: 'client, validation off', call: () => notChecking.shipments.get(id).then(value => value) },
    { name: 'client', call: () => checking.shipments.get(id).then(value => value) },
  ];
  const sequential: Contender[] = calls.map(({ name, call }) => ({
    name,
    run: async () => {
      for (let i = 0; i < SEQUENTIAL; i += 1) await call();
    },
  }));
  const parallel: Contender[] = calls.map(({ name, call }) => ({
    name,
    run: async () => {
      const worker = async () => {
        for (let i = 0; i < SEQUENTIAL / IN_FLIGHT; i += 1) await call();
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    },
  }));
  const results = [
    ...compare('request, one after the other', sequential, perCall(await takeTurns(sequential, 15))),
    ...compare(`request, ${IN_FLIGHT} in flight`, parallel, perCall(await takeTurns(parallel, 15))),
  ];
  server.close();
  server.closeAllConnections();
  return results;
}

function perCall(times: number[]): number[] {
  return times.map(time => time / SEQUENTIAL);
}
