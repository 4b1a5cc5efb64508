import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CommandError, wrongUsage } from './command.ts';

/** Starts a server, and returns its port. @throws {CommandError} if the port cannot be used. */
export async function listenOn(server: Server, port: number, host?: string): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw unusable(`Port ${port}`, error);
  }
  return (server.address() as AddressInfo).port;
}

/** @param port the port in words, such as `Port 4010`. */
export function unusable(port: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return wrongUsage(
    code === 'EADDRINUSE'
      ? `${port} is in use. Pass another one with --port; 0 stands for any free port.`
      : `${port} cannot be used: ${message}`,
  );
}
