import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { findProgram } from './needs.ts';

// Debian does not put the programs of the server into the PATH. Each version has its own folder.
const postgres = findProgram('postgres', globSync('/usr/lib/postgresql/*/bin').reverse());

export const hasPostgres = postgres !== undefined;

export interface PostgresServer {
  /** The options for a `Pool`. */
  connection: { host: string; port: number; user: string; database: string };
  /** Ends the server without saving the data that is only in its memory, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A server with its own folder, which is removed when the server stops. Its default collation does not compare bytes, as on the
 * servers of most users. With `fsync` a commit is on the disk, as on a user's server.
 */
export async function startPostgres({ fsync = false } = {}): Promise<PostgresServer> {
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  // PostgreSQL does not run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user) chownSync(directory, user.uid, user.gid);
  const options = { ...user, cwd: directory };

  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const initdb = postgres.replace(/postgres$/, 'initdb');
  await promisify(execFile)(initdb, ['-D', 'data', '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale], options);

  const port = await freePort();
  const args = ['-D', 'data', '-h', '127.0.0.1', '-p', String(port), '-k', directory, '-c', `fsync=${fsync}`];
  let stop = await launch();
  return {
    connection: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    async crash() {
      await stop();
      stop = await launch();
    },
    async stop() {
      await stop();
      rmSync(directory, { recursive: true });
    },
  };

  async function launch(): Promise<() => Promise<unknown>> {
    const server = spawn(String(postgres), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
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
    return () => {
      // Immediate shutdown: it does not wait until clients disconnect.
      server.kill('SIGQUIT');
      return exit;
    };
  }
}

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres']));
}
