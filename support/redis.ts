import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.ts';

export interface RedisServer {
  port: number;
  url: string;
  /** Sends a signal to the process, for example to pause it (`SIGSTOP`) and to continue it (`SIGCONT`). */
  signal(name: NodeJS.Signals): void;
  /** Kills the server. Nothing is saved. */
  stop(): Promise<void>;
}

/** A separate Redis server. It saves data only if `args` require this. */
export async function startRedis({ port, args = [] }: { port?: number; args?: string[] } = {}): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const server = spawn('redis-server', ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error('Redis did not start.')));
    server.stdout.on('data', chunk => String(chunk).includes('Ready to accept connections') && resolve());
  });
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    signal: name => void server.kill(name),
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const stopped = once(server, 'exit');
      server.kill('SIGKILL');
      await stopped;
    },
  };
}
