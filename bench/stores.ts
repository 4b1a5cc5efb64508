import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres.ts';
import { startRedis } from '../support/redis.ts';

interface Place {
  address: string;
  end(): Promise<void>;
}

export type Start = () => Promise<Place>;

/** Each function starts an empty store. A commit waits until it is on the disk. */
export const STORES: Record<string, Start> = {
  async postgres() {
    const server = await startPostgres({ fsync: true });
    const { user, host, port, database } = server.connection;
    return { address: `postgres://${user}@${host}:${port}/${database}`, end: server.stop };
  },
  async redis() {
    const directory = mkdtempSync(join(tmpdir(), 'queues-'));
    const args = ['--dir', directory, '--appendonly', 'yes', '--appendfsync', 'always'];
    const server = await startRedis({ args });
    return {
      address: server.url,
      async end() {
        await server.stop();
        rmSync(directory, { recursive: true });
      },
    };
  },
  async sqlite() {
    const directory = mkdtempSync(join(tmpdir(), 'queues-'));
    return { address: join(directory, 'queue.db'), end: async () => rmSync(directory, { recursive: true }) };
  },
};
