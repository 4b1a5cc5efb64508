import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { findProgram } from './needs.ts';

// Debian keeps the programs of the server out of the PATH, in a folder for each version.
const postgres = findProgram('postgres', globSync('/usr/lib/postgresql/*/bin').reverse());

export const hasPostgres = postgres !== undefined;

export interface PostgresServer {
  /** What a `Pool` takes. */
  connection: { host: string; port: number; user: string; database: string };
  stop(): Promise<void>;
}

/** A server in a folder of its own that goes with it. Text is not in the order of its bytes, unless a column says so. */
export async function startPostgres(): Promise<PostgresServer> {
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  // It refuses to be run by root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user) chownSync(directory, user.uid, user.gid);
  const options = { ...user, cwd: directory };

  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const initdb = postgres.replace(/postgres$/, 'initdb');
  await promisify(execFile)(initdb, ['-D', 'data', '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale], options);

  const port = await freePort();
  const args = ['-D', 'data', '-h', '127.0.0.1', '-p', String(port), '-k', directory, '-F'];
  const server = spawn(postgres, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = new Promise(resolve => server.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stderr.on('data', chunk => {
      output += chunk;
      if (output.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    exit.then(() => reject(new Error(`PostgreSQL did not start: ${output}`)));
  });
  return {
    connection: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    async stop() {
      // At once, whoever is connected.
      server.kill('SIGQUIT');
      await exit;
      rmSync(directory, { recursive: true });
    },
  };
}

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres']));
}
