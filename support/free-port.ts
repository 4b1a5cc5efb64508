import { createServer } from 'node:net';

/**
 * The first port of the range from which ports are chosen. These ports are below the ports that systems assign by
 * themselves. So a connection or a `listen(0)` cannot take the free port before the program takes it. Test files run at
 * the same time, so each process begins at a different port.
 */
const FIRST = 10_240;
const COUNT = 20_480;
let next = (process.pid * 37) % COUNT;

/** A free port, for a program that cannot choose a port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
}

/** The port is free on all addresses, because a program may listen on any address. */
function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
