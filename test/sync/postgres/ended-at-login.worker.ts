/** `<inbox | store | lock> <port>`: prints the failure of a call. */
import { Pool } from 'pg';
import { postgresInbox, postgresStore } from '../../../src/postgres.ts';

const [use = '', port] = process.argv.slice(2);
const pool = new Pool({ host: '127.0.0.1', port: Number(port), user: 'a', database: 'a' });
pool.on('error', () => {});
const calls: Record<string, () => Promise<unknown>> = {
  inbox: () => postgresInbox({ pool }).has('a'),
  store: () => postgresStore({ pool }).status(),
  lock: () => postgresStore({ pool }).lock('reader'),
};
try {
  await calls[use]?.();
} catch (error) {
  const { name, code } = error as { name: string; code: string };
  console.log(name, code);
}
await pool.end();
