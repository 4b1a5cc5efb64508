import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, Pool } from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSync } from '../../src/sync/index.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import { freePort } from '../../support/free-port.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox.ts';
import { openSoakStore } from '../../support/sync-soak/settings.ts';
import { differences } from '../../support/sync-truth.ts';
import { startProxy } from '../../support/tcp-proxy.ts';
import { messageIn } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return new Promise(done => {
    const options = { timeout: 60_000, cwd: folder, env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment } };
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', MAIN, 'sync', ...args],
      options,
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

/** A process whose output can be read while it runs. */
function start(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'sync', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', chunk => {
    output.stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    output.stderr += chunk;
  });
  const exit = new Promise<number | null>(done => child.once('close', done));
  const prints = (text: string) =>
    new Promise<void>((done, failed) => {
      const look = () => output.stdout.includes(text) && done();
      child.stdout.on('data', look);
      look();
      void exit.then(code => failed(new Error(`The command ended with ${code}: ${output.stderr}`)));
    });
  return { child, output, exit, prints };
}

/** A service, and the environment for it. */
async function served(
  shipments: number,
  options: Pick<SandboxOptions, 'webhookHeader'> = {},
): Promise<{ sandbox: Sandbox; environment: NodeJS.ProcessEnv }> {
  const sandbox = createSandbox({ shipments, speed: 0, rateLimit: false, ...options });
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  return { sandbox, environment: { TRACKING_BASE_URL: server.baseUrl, TRACKING_API_KEY: 'sandbox' } };
}

function recordsIn(file: string): Map<string, object | null> {
  const database = new DatabaseSync(join(folder, file));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%deleted_at%' AND name <> 'sync_seen'")
    .all();
  const records = new Map<string, object | null>();
  for (const { name } of tables) {
    for (const { id, record, deleted_at } of database.prepare(`SELECT id, record, deleted_at FROM "${name}"`).all()) {
      const parsed = JSON.parse(String(record)) as { type: string } | null;
      if (parsed) records.set(`${parsed.type} ${id}`, deleted_at === null ? parsed : null);
    }
  }
  database.close();
  return records;
}

const eventsIn = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

test('sync fills an SQLite file, reads everything again in the next run, and prints the status of the file', async () => {
  const { sandbox, environment } = await served(15);
  const to = ['--sqlite', 'tracking.db'];
  const first = await run([...to, '--once'], environment);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const events = eventsIn(first.stdout);
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['migrated', 'started', 'progress', 'finished']),
  );
  expect(events.at(-1)).toMatchObject({ event: 'finished', phase: 'backfill', deleted: 0 });
  expect(await differences(sandbox, recordsIn('tracking.db'))).toEqual([]);
  sandbox.advance({ days: 3 });
  const second = await run([...to, '--once'], environment);
  expect(eventsIn(second.stdout).at(-1)).toMatchObject({ event: 'finished', phase: 'reconcile' });
  expect(await differences(sandbox, recordsIn('tracking.db'))).toEqual([]);
  const status = await run([...to, '--status']);
  expect(status.code).toBe(0);
  const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(JSON.parse(status.stdout)).toEqual({
    is_filled: true,
    read_at: isoTime,
    due: 0,
    oldest_due: null,
    version: expect.any(Number),
    tables: expect.arrayContaining([{ table: 'shipments', rows: 15, deleted: 0 }]),
  });
  expect(JSON.parse((await run([...to, '--status', '--json'])).stdout)).toMatchObject({
    checkpoints: expect.arrayContaining([expect.objectContaining({ name: 'filled' })]),
  });
});

test('--once fills the database even if the reader of the output closes the pipe', async () => {
  const { sandbox, environment } = await served(6);
  const { child, exit, output } = start(['--sqlite', 'tracking.db', '--once'], environment);
  child.stdout.destroy();
  const code = await exit;
  expect({ code, stderr: output.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await differences(sandbox, recordsIn('tracking.db'))).toEqual([]);
});

test('--once ends with the exit code of its failure if the reader of its output closes the pipe', async () => {
  const { environment } = await served(1);
  const { child, exit } = start(['--sqlite', 'tracking.db', '--once'], {
    ...environment,
    TRACKING_API_KEY: 'wrong',
  });
  child.stdout.destroy();
  expect(await exit).toBe(3);
});

test('--resync reads the named tables again, and does not read other lists', async () => {
  const { sandbox, environment } = await served(6);
  const to = ['--sqlite', 'tracking.db'];
  await run([...to, '--once'], environment);
  const database = new DatabaseSync(join(folder, 'tracking.db'));
  database.exec('DELETE FROM containers');
  database.close();
  sandbox.advance({ minutes: 1 });
  const before = sandbox.requests.length;
  const { code, stdout, stderr } = await run([...to, '--resync', 'containers'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(eventsIn(stdout).at(-1)).toMatchObject({ event: 'finished', phase: 'resync' });
  const paths = sandbox.requests.slice(before).map(({ path }) => path);
  expect(paths).toContain('/containers');
  expect(paths).not.toContain('/tracking_requests');
  const ofContainers = (type: string) => type === 'container';
  expect(await differences(sandbox, recordsIn('tracking.db'), ofContainers)).toEqual([]);
});

test('--dry-run prints the requests and the rows by table, and does not create the file', async () => {
  const { environment } = await served(6);
  const to = ['--sqlite', 'tracking.db'];
  const { code, stdout, stderr } = await run([...to, '--dry-run'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const plan = eventsIn(stdout).at(-1);
  expect(plan).toMatchObject({ event: 'planned', phase: 'backfill', estimated_ms: 0 });
  expect(plan?.tables).toContainEqual({ type: 'shipment', table: 'shipments', written: 6, deleted: 0 });
  expect(existsSync(join(folder, 'tracking.db'))).toBe(false);
  const filled = await run([...to, '--once'], environment);
  expect(eventsIn(filled.stdout).at(-1)).toMatchObject({ requests: plan?.requests });
  const tables = await run([...to, '--dry-run', '--resync', 'parties,ports'], environment);
  expect(eventsIn(tables.stdout).at(-1)).toMatchObject({ event: 'planned', phase: 'resync' });
});

test.each([
  [['--resync', 'container'], '--resync cannot have container; the tables are shipments, containers, '],
  [['--resync', 'container'], ' Did you mean containers?'],
  [['--resync', ','], '--resync needs a table, such as containers.'],
  [['--once', '--dry-run'], '--once and --dry-run exclude each other.'],
  [['--status', '--resync', 'ports'], '--status and --resync exclude each other.'],
  [['--dry-run', '--webhook-url', 'https://a.example'], '--webhook-url cannot be combined with --dry-run.'],
])('%j is refused with exit code 2', async (options, message) => {
  const environment = { TRACKING_BASE_URL: 'http://127.0.0.1:9/v2', TRACKING_API_KEY: 'sandbox' };
  const { code, stderr } = await run(['--sqlite', 'tracking.db', ...options], environment);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [['--history'], ['container', 'shipment', 'tracking_request']],
  [['--history-fields', 'container.current_status'], ['container']],
])('%j keeps a history of records', async (options, types) => {
  const { environment } = await served(2);
  expect(await run(['--sqlite', 'tracking.db', '--once', ...options], environment)).toMatchObject({ code: 0 });
  const database = new DatabaseSync(join(folder, 'tracking.db'));
  onTestFinished(() => database.close());
  const rows = database.prepare('SELECT DISTINCT record_type FROM history ORDER BY record_type').all();
  expect(rows.map(({ record_type }) => record_type)).toEqual(types);
});

test('the exit code of sync --status shows to a probe if the database is up to date', async () => {
  const { environment } = await served(1);
  const store = sqliteStore(join(folder, 'tracking.db'));
  const service = { baseUrl: String(environment.TRACKING_BASE_URL), apiKey: 'sandbox', logger: false } as const;
  await createSync({ client: new TrackingClient(service), store }).once();
  await store.close();
  // The time of the sandbox does not advance, so the database is older than one hour.
  const probe = (within: string) => run(['--sqlite', 'tracking.db', '--status', '--within', within]);
  const [inStep, behind] = await Promise.all([probe('10000d'), probe('1h')]);
  expect(inStep).toMatchObject({ code: 0, stderr: '' });
  expect(behind).toMatchObject({ code: 7, stderr: 'The database is behind the service.\n' });
});

test.each([
  ['postgres://me:s3cret-word@db.example/tracking'],
  ['postgresql://me@db.example/tracking?password=s3cret-word'],
  ['postgres://me:s3cret-word#@db.example:x/tracking'],
])('sync refuses an address with a password, and does not print the password: %s', async address => {
  for (const option of ['--postgres', '--to']) {
    const { code, stdout, stderr } = await run([option, address], { TRACKING_API_KEY: 'sandbox' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain('s3cret-word');
    for (const name of ['DATABASE_URL', 'PGPASSWORD', '.pgpass']) expect(stderr).toContain(name);
  }
});

test.each([
  [['--to', 'sqlite:named.db'], {}],
  [[], { DATABASE_URL: 'sqlite:named.db' }],
])('sync fills the SQLite file of an address: %j %j', async (args, variables) => {
  const { environment } = await served(1);
  expect(await run([...args, '--once'], { ...environment, ...variables })).toMatchObject({ code: 0 });
  expect(await run(['--sqlite', 'named.db', '--status'], environment)).toMatchObject({ code: 0 });
});

test('sync never prints the password of DATABASE_URL, even if the connection fails', async () => {
  const port = await freePort();
  const environment = {
    TRACKING_API_KEY: 'sandbox',
    TRACKING_BASE_URL: 'http://127.0.0.1:9/v2',
    DATABASE_URL: `postgres://me:s3cret-word@127.0.0.1:${port}/tracking`,
  };
  const { code, stdout, stderr } = await run(['--once'], environment);
  expect(code).toBe(1);
  expect(stderr).toContain('PostgreSQL, schema tracking');
  expect(stderr).toContain('ECONNREFUSED');
  expect(stdout + stderr).not.toContain('s3cret-word');
});

test.each([
  [
    ['--once'],
    'The database is missing. Use --sqlite FILE, --postgres postgres://user@host/database, or set DATABASE_URL.',
  ],
  [['--to', 'a.db'], '--to must begin with sqlite: or postgres://.'],
  [['--to', 'sqlite:'], '--sqlite needs a file'],
  [['--to', 'sqlite:a.db', '--sqlite', 'a.db'], '--sqlite and --to exclude each other.'],
  [['a.db'], 'To name the database, use --sqlite FILE or --postgres URL.'],
  [['--postgres', 'mysql://db.example/x'], '--postgres must begin with postgres://, or be env.'],
  [['--sqlite', 'a.db', '--postgres', 'env'], '--sqlite and --postgres exclude each other.'],
  [['--sqlite', ''], '--sqlite needs a file'],
  [['--sqlite', 'typo.db', '--status'], 'There is no database typo.db.'],
  [['--sqlite', 'a.db', '--port', '80', '--once'], '--port is for a sync that goes on'],
  [['--sqlite', 'a.db', '--within', '1h'], '--within needs --status or --port.'],
  [['--sqlite', 'a.db', '--json'], '--json needs --status.'],
  [['--sqlite', 'a.db', '--history-fields', 'status'], '--history-fields needs a type and a field'],
  [
    ['--sqlite', 'a.db', '--history-fields', 'container.x'],
    '--history-fields container has "x", which is not a column',
  ],
  [['--sqlite', 'a.db', '--share', 'half'], '--share must be a number of at least 0, not half.'],
])('%j is a wrong command line', async (args, message) => {
  const { code, stderr } = await run(args, { TRACKING_API_KEY: 'sandbox', TRACKING_BASE_URL: 'http://127.0.0.1:9/v2' });
  expect(messageIn(stderr)).toContain(message);
  expect(code).toBe(2);
});

test('sync ends with a message for a wrong key, and does not print the key', async () => {
  const { environment } = await served(1);
  const wrong = { ...environment, TRACKING_API_KEY: 'k3y-of-nobody' };
  const { code, stdout, stderr } = await run(['--sqlite', 'a.db', '--once'], wrong);
  expect(code).toBe(3);
  expect(stderr).toMatch(/401/);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toContain('k3y-of-nobody');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'sync ends with exit code 130 if %s interrupts a run with --once before its last page',
  async name => {
    const { environment } = await served(150);
    const args = ['--sqlite', 'tracking.db', '--once'];
    // This share makes the run so slow that it lasts several minutes.
    const { child, output, exit, prints } = start([...args, '--share', '0.2'], environment);
    await prints('"progress"');
    child.kill(name);
    expect(await exit).toBe(130);
    expect(output.stderr).toBe('Interrupted. The next run goes on after what is saved.\n');
    expect(eventsIn(output.stdout).filter(({ event }) => event === 'finished')).toEqual([]);
    expect((await run(['--sqlite', 'tracking.db', '--status'])).code).toBe(7);
  },
);

test('the second of two runs with --once ends immediately with a special exit code, and does not read records', async () => {
  const { environment } = await served(150);
  const args = ['--sqlite', 'tracking.db', '--once'];
  // This share makes the run so slow that it lasts several minutes.
  const reader = start([...args, '--share', '0.2'], environment);
  await reader.prints('"progress"');
  const { code, stdout, stderr } = await run(args, environment);
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: 'Another process reads into the store (SQLite tracking.db).\n',
  });
  expect(eventsIn(stdout).map(({ event }) => event)).toEqual(['migrated']);
  reader.child.kill('SIGTERM');
  expect(await reader.exit).toBe(130);
});

test.skipIf(!hasPostgres)(
  'sync prints an error that occurs after the signal',
  async () => {
    const { environment } = await served(5);
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const { host, port, user, database } = postgres.connection;
    const to = ['--postgres', `postgres://${user}@${host}:${port}/${database}`, '--once'];
    expect((await run(to, environment)).code).toBe(0);
    const blocker = new Client(postgres.connection);
    await blocker.connect();
    const waiting = `SELECT pid FROM pg_locks WHERE NOT granted`;
    // The trigger blocks a commit only after the reader has started.
    await blocker.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
    CREATE TRIGGER wait BEFORE UPDATE OR INSERT ON tracking.sync_seen EXECUTE FUNCTION wait();
    SELECT pg_advisory_lock(1)`);
    const { child, output, exit } = start(to, environment);
    await expect.poll(async () => (await blocker.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
    child.kill('SIGTERM');
    await blocker.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) waiting`);
    await blocker.end();
    expect(await exit).toBe(1);
    expect(output.stderr).toContain('The store (PostgreSQL, schema tracking) is not available');
  },
  60_000,
);

test.skipIf(!hasPostgres)(
  'sync ends within ten seconds after the signal if the database does not respond any more',
  async () => {
    const { environment } = await served(150);
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const { host, user, database } = postgres.connection;
    const end = async (args: readonly string[]) => {
      const proxy = await startProxy(postgres.connection.port);
      onTestFinished(() => proxy.close());
      const to = ['--postgres', `postgres://${user}@${host}:${proxy.port}/${database}`, '--share', '0.2'];
      const { child, exit, prints } = start([...to, ...args], environment);
      await prints('"progress"');
      proxy.cut('silence');
      const before = performance.now();
      child.kill('SIGTERM');
      const code = await exit;
      expect(performance.now() - before).toBeLessThan(10_000);
      return code;
    };
    expect(await end(['--once'])).toBe(130);
    expect(await end([])).toBe(0);
  },
  90_000,
);

test('sync receives deliveries at its port until SIGTERM, and acknowledges only committed deliveries', async () => {
  // The signature header of this service has another name.
  const { sandbox, environment } = await served(10, { webhookHeader: 'X-ACME-Webhook-Signature' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const args = ['--sqlite', 'tracking.db', '--share', '1', '--webhook-url', url, '--port', String(port)];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'sync', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = new Promise(done => child.once('exit', done));
  let output = '';
  await new Promise<void>((done, failed) => {
    child.stdout.on('data', chunk => {
      output += chunk;
      if (output.includes('"finished"')) done();
    });
    child.once('exit', code => failed(new Error(`The command ended with ${code}.`)));
  });
  expect(eventsIn(output).find(({ event }) => event === 'checked')).toMatchObject({ ok: true });
  expect(output).not.toContain('secret');
  for (let day = 0; day < 4; day += 1) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  const stored = recordsIn('tracking.db');
  const events = [...stored.values()].filter(
    record => (record as { type?: string } | null)?.type === 'transport_event',
  );
  expect(events.length).toBeGreaterThan(50);
  sandbox.advance({ seconds: 5 });
  const store = sqliteStore(join(folder, 'tracking.db'));
  const service = {
    baseUrl: environment.TRACKING_BASE_URL,
    apiKey: 'sandbox',
    rateLimit: false,
    logger: false,
  } as const;
  await createSync({ client: new TrackingClient(service), store }).reconcile();
  await store.close();
  expect(await differences(sandbox, recordsIn('tracking.db'))).toEqual([]);
});

test('the port of sync has metrics; a probe gets a 503 until the database is filled, and also later if the data is too old', async () => {
  const { environment } = await served(1);
  const probed = async (within: string, variables: NodeJS.ProcessEnv = {}) => {
    const port = String(await freePort());
    const args = ['--sqlite', 'tracking.db', '--port', port, '--within', within];
    const started = start(args, { ...environment, ...variables });
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/ready`);
      return { status: response.status, ...((await response.json()) as { read_at: string | null }) };
    };
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return { ...started, ready, metrics, url: `http://127.0.0.1:${port}/` };
  };
  const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const unfilled = await probed('10000d', { TRACKING_BASE_URL: 'http://127.0.0.1:9/v2' });
  const isUnreachable = { status: 503, read_at: null, failure: 'ConnectionError' };
  await expect.poll(() => unfilled.ready().catch(() => undefined), { timeout: 20_000 }).toEqual(isUnreachable);
  const failing = await unfilled.metrics();
  expect(failing).toMatch(/^container_tracking_sync_errors_total\{error_type="connection"\} [1-9]/m);
  expect(failing).not.toMatch(/^container_tracking_sync_age_seconds/m);
  unfilled.child.kill('SIGTERM');
  expect(await unfilled.exit).toBe(0);
  const first = await probed('10000d');
  await first.prints('"finished"');
  expect(await first.ready()).toEqual({ status: 200, read_at: isoTime });
  expect(await first.metrics()).toMatch(
    /^# TYPE container_tracking_sync_age_seconds gauge\ncontainer_tracking_sync_age_seconds \d+(?:\.\d+)?\n# TYPE/,
  );
  expect(await first.metrics()).toContain('\ncontainer_tracking_sync_errors_total{error_type="401"} 0\n');
  expect(await first.metrics()).toContain(
    '\ncontainer_tracking_budget_closed_seconds{container_tracking_bucket="default"} 0\n',
  );
  expect((await fetch(first.url)).status).toBe(404);
  first.child.kill('SIGTERM');
  expect(await first.exit).toBe(0);
  // The time of the sandbox does not advance, so the database is older than one second.
  const second = await probed('1s');
  await expect.poll(() => second.ready().catch(() => undefined)).toEqual({ status: 503, read_at: isoTime });
});

test('a standby process accepts deliveries too, although its environment does not have the secret', async () => {
  const { environment } = await served(2);
  const [port, standbyPort] = [await freePort(), await freePort()];
  const args = ['--sqlite', 'tracking.db', '--webhook-url', `http://127.0.0.1:${port}/`, '--port'];
  const reader = start([...args, String(port)], environment);
  await reader.prints('"finished"');
  const standby = start([...args, String(standbyPort)], environment);
  await standby.prints('"active":false');
  const service = { baseUrl: String(environment.TRACKING_BASE_URL), apiKey: 'sandbox', logger: false } as const;
  const client = new TrackingClient(service);
  const [webhook] = await client.webhooks.list().toArray();
  // If a load balancer has the registered address, a delivery may come to any process.
  const url = `http://127.0.0.1:${standbyPort}/`;
  const sample = { url, event: 'container.updated', secret: String(webhook?.secret) } as const;
  expect(await client.webhooks.trigger(sample)).toMatchObject({ status_code: 202 });
  expect(await client.webhooks.trigger({ ...sample, secret: 'forged' })).toMatchObject({ status_code: 401 });
  for (const { child } of [standby, reader]) child.kill('SIGTERM');
  expect([await standby.exit, await reader.exit]).toEqual([0, 0]);
});

test.skipIf(!hasPostgres)(
  'sync fills PostgreSQL, with the password only from the environment',
  async () => {
    const { sandbox, environment } = await served(5);
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const { host, port, user, database } = postgres.connection;
    const admin = new Pool({ ...postgres.connection, max: 1 });
    await admin.query("ALTER ROLE postgres PASSWORD 's3cret-word'");
    // From now on the server needs the password.
    const { rows } = await admin.query<{ file: string }>("SELECT current_setting('hba_file') AS file");
    writeFileSync(String(rows[0]?.file), 'host all all 127.0.0.1/32 scram-sha-256\n');
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();

    const to = ['--postgres', `postgres://${user}@${host}:${port}/${database}`];
    const withUrl = { ...environment, DATABASE_URL: `postgres://${user}:s3cret-word@${host}:${port}/${database}` };
    const shown: string[] = [];
    const tried = async (args: readonly string[], extra: NodeJS.ProcessEnv) => {
      const ended = await run(args, extra);
      shown.push(ended.stdout, ended.stderr);
      return ended;
    };
    expect((await tried([...to, '--once'], { ...environment, PGPASSWORD: 'wr0ng-word' })).code).toBe(1);
    expect(await tried(['--status'], withUrl)).toMatchObject({ code: 7 });
    const filled = await tried([...to, '--once'], { ...environment, PGPASSWORD: 's3cret-word' });
    expect(filled).toMatchObject({ code: 0, stderr: '' });
    expect(eventsIn(filled.stdout).at(-1)).toMatchObject({ event: 'finished', phase: 'backfill' });
    const status = await tried(['--status'], withUrl);
    expect(status.code).toBe(0);
    const { tables } = JSON.parse(status.stdout) as { tables: { table: string; rows: number }[] };
    expect(tables.find(({ table }) => table === 'shipments')?.rows).toBe(5);
    for (const output of shown) expect(output).not.toMatch(/s3cret-word|wr0ng-word/);

    const opened = await openSoakStore({ store: { postgres: { ...postgres.connection, password: 's3cret-word' } } });
    expect(await differences(sandbox, await opened.records())).toEqual([]);
    await opened.close();
  },
  60_000,
);
