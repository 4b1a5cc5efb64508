import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a local server, and returns its port. The server is closed at the end of the test. */
export async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The text that a socket receives until it closes. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = '';
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}
