import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** What is sent to the server from now on. */
  target: number;
  /** Each way, in ms. */
  delayMs: number;
  /** Ends all connections and takes no new ones; or, in silence, keeps them and passes nothing on. */
  cut(how?: 'reset' | 'silence'): void;
  heal(): void;
  close(): void;
}

/** A link to a server on this machine that can be cut, mended and made longer. */
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
      // What was swallowed in silence is gone, so the connection is no good any more.
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
