import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system hands out by itself: between the probe and its use, no other test is given this one. */
const LOWEST = 10_000;
const PROCESSES = 200;
const PORTS_EACH = 100;

let next = 0;

/** A free port, for a program that cannot choose one itself. Each process takes them from a range of its own, one after the other. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_EACH; tries += 1) {
    const port = LOWEST + (process.pid % PROCESSES) * PORTS_EACH + (next++ % PORTS_EACH);
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free.');
}

async function isFree(port: number): Promise<boolean> {
  // On all addresses, as most programs listen.
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
