/**
 * Installs the packed tarball together with the lowest and the newest version of each peer, as npm does without flags.
 * Runs a program with each version against its server: Redis, PostgreSQL, the sandbox, its MCP endpoint. Fails on
 * ERESOLVE and if a program fails. Needs `npm run build`, Redis and PostgreSQL.
 *
 * node scripts/peers.ts [--latest] with the newest versions in the registry instead of the project's versions
 */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { createSandbox } from '../src/sandbox/index.ts';
import { pack } from '../support/packed.ts';
import { startPostgres } from '../support/postgres.ts';
import { startRedis } from '../support/redis.ts';

const PROGRAMS = resolve(import.meta.dirname, '../support/peers');
/** The packages that each program needs in addition to the tarball. */
const PEERS: Record<string, string[]> = {
  redis: ['redis'],
  ioredis: ['ioredis'],
  pg: ['pg'],
  kysely: ['kysely'],
  drizzle: ['drizzle-orm'],
  msw: ['msw'],
  bottleneck: ['bottleneck'],
  mcp: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
  opentelemetry: ['@opentelemetry/api'],
  zod: ['zod'],
};
const newest: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
/**
 * The first version in each range of package.json. zod is not a peer: its version is the first one whose schemas can be
 * combined with ours.
 */
const lowest: Record<string, string> = { ...manifest.peerDependencies, zod: '4.0.0' };

const missing = Object.keys(manifest.peerDependencies).filter(name => !Object.values(PEERS).flat().includes(name));
if (missing.length > 0) throw new Error(`There is no program for ${missing.join(', ')}.`);

const directory = mkdtempSync(join(tmpdir(), 'peers-'));
const sandbox = createSandbox({ shipments: 2, rateLimit: false });
const [redis, postgres, service] = await Promise.all([startRedis(), startPostgres(), sandbox.listen()]);
let failures = 0;
try {
  const tarball = pack(directory);
  for (const [kind, versions] of Object.entries({ lowest, newest })) {
    const home = join(directory, kind);
    const peers = Object.fromEntries(
      Object.values(PEERS)
        .flat()
        .map(name => [name, versionOf(kind, name, versions[name] ?? '')]),
    );
    cpSync(PROGRAMS, home, { recursive: true });
    const dependencies = { ...peers, [manifest.name]: `file:${tarball}` };
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'beside', private: true, dependencies }));
    // The install must succeed without --force and --legacy-peer-deps, as it does for a user.
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', install, { cwd: home });
    for (const [program, names] of Object.entries(PEERS)) {
      const beside = names.map(name => `${name}@${peers[name]}`).join(' ');
      const failure = await failureOf(program, home, kind);
      if (failure) failures += 1;
      console.log(`${failure ? '✗' : '✓'} ${kind}: ${beside}`);
      if (failure) console.error(failure);
    }
  }
} finally {
  await Promise.all([redis.stop(), postgres.stop(), service.close()]);
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;

function versionOf(kind: string, name: string, range: string): string {
  if (kind === 'newest' && process.argv.includes('--latest')) {
    return execFileSync('npm', ['view', name, 'version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  }
  const [major = '0', minor = '0', patch = '0'] = range.replace(/^\D+| .*$/g, '').split('.');
  return `${major}.${minor}.${patch}`;
}

/** Runs a program. If the command fails, returns its output. */
async function failureOf(program: string, cwd: string, run: string): Promise<string | undefined> {
  const env = {
    ...process.env,
    BASE_URL: service.baseUrl,
    MCP_URL: service.mcpUrl,
    REDIS_URL: redis.url,
    POSTGRES: JSON.stringify(postgres.connection),
    RUN: run,
  };
  try {
    await promisify(execFile)(process.execPath, [`${program}.mjs`], { cwd, env, timeout: 60_000 });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return stderr || message;
  }
}
