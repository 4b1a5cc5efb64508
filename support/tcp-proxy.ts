import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The port of the server. After a change, new connections use the new port. */
  target: number;
  /** The delay in each direction, in ms. */
  delayMs: number;
  /** Ends all connections and accepts no new connection. With `silence`, keeps the connections but forwards nothing. */
  cut(how?: 'reset' | 'silence'): void;
  heal(): void;
  close(): void;
}

/** A TCP proxy for a server on this machine. The connection can be cut, restored and delayed. */
export async function startProxy(target: number, delayMs = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'up' | 'reset' | 'silence' = 'up';
  const server = createServer(near => {
    if (state === 'reset') {
      near.destroy();
      return;
    }
    const far = connect(proxy.target, '127.0.0.1');
    const pass = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', chunk => {
        const send = () => state === 'up' && !to.destroyed && to.write(chunk);
        if (proxy.delayMs > 0) setTimeout(send, proxy.delayMs);
        else send();
      });
      from.on('error', () => {});
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    target,
    delayMs,
    cut(how = 'reset') {
      state = how;
      if (how === 'reset') reset();
    },
    heal() {
      // The bytes that were not forwarded are lost, so the connection cannot be used again.
      if (state === 'silence') reset();
      state = 'up';
    },
    close() {
      server.close();
      reset();
    },
  };
  return proxy;
}
