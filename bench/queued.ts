import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackingClient } from '../src/index.ts';
import { createRollingWindowLimiter } from '../src/rate-limit/rolling-window.ts';
import { LIMITS } from './limiters.ts';

const COUNT = 100_000;
const SETTINGS = { windowMs: 3_600_000, maxQueue: 2 * COUNT };

interface Queue {
  call(signal: AbortSignal): Promise<unknown>;
  end(): void;
}

/**
 * Measures the memory of calls that wait for their slots, and the memory that is still in use after the calls are
 * aborted.
 */
export async function queued(): Promise<void> {
  console.log(`\n${COUNT.toLocaleString('en')} queued calls\n`);
  console.log('| queue | signals | bytes each | µs each | µs to abort | timers left |\n|---|---|---:|---:|---:|---:|');
  for (const [name, open] of Object.entries({ limiter, client })) {
    for (const signals of [1, COUNT]) {
      const queue = await open();
      console.log(`| ${name} | ${signals === 1 ? 'one for all' : 'one each'} | ${await measure(queue, signals)} |`);
      queue.end();
    }
  }
}

async function measure({ call }: Pick<Queue, 'call'>, signals: number): Promise<string> {
  const controllers = Array.from({ length: signals }, () => new AbortController());
  // A controller creates its signal when the property is first read, so all signals are read before the measurement.
  const given = Array.from({ length: COUNT }, (_, n) => (controllers[n % signals] as AbortController).signal);
  const calls: Promise<unknown>[] = Array(COUNT);
  const timers = countTimers();
  const before = heapUsed();
  const start = performance.now();
  for (let n = 0; n < COUNT; n += 1) calls[n] = call(given[n] as AbortSignal);
  await new Promise(setImmediate);
  const [queuedMs, bytes] = [performance.now() - start, heapUsed() - before];

  const settled = Promise.allSettled(calls);
  const abortedAt = performance.now();
  for (const controller of controllers) controller.abort();
  if ((await settled).some(({ status }) => status === 'fulfilled')) throw new Error('A call was not queued.');
  const abortMs = performance.now() - abortedAt;
  const microseconds = [queuedMs, abortMs].map(ms => ((ms * 1000) / COUNT).toFixed(1));
  return [(bytes / COUNT).toFixed(0), ...microseconds, countTimers() - timers].join(' | ');
}

function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
}

/** A limiter whose budget is used up, as in the client. */
async function limiter(): Promise<Queue> {
  const rollingWindow = createRollingWindowLimiter({ ...SETTINGS, limits: LIMITS });
  const request = { bucket: 'default', priority: 'interactive' } as const;
  for (let n = 0; n < LIMITS.default; n += 1) (await rollingWindow.acquire(request)).release();
  return { call: signal => rollingWindow.acquire({ ...request, signal }), end() {} };
}

async function client(): Promise<Queue> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/vnd.api+json').end('{"data":{"type":"container","id":"1"}}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const tracking = new TrackingClient({
    baseUrl: `http://127.0.0.1:${port}/v2`,
    apiKey: crypto.randomUUID(),
    rateLimit: SETTINGS,
    logger: false,
  });
  await Promise.all(Array.from({ length: LIMITS.default }, () => tracking.containers.get('1')));
  return {
    call: signal => tracking.containers.get('1', { signal }),
    end() {
      tracking.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
