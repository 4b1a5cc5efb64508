import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/cli.js');
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  // The tests run the built command.
  expect(existsSync(CLI), 'npm run build').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'first-use-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** The commands of a page, with the built program in place of npx. */
function pageOf(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/ \\\n +/g, ' ');
  return {
    command(name: string) {
      const [, args = ''] = new RegExp(`container-tracking (${name} .*)$`, 'm').exec(text) ?? [];
      return args.split(' ');
    },
    query: /sqlite3 tracking\.db "([\s\S]*?)"\n/.exec(text)?.[1] ?? '',
  };
}

const guide = pageOf('docs/guides/sync.md');

/** Starts the sandbox as the guide does, on a free port, and returns the variables that the sandbox prints. */
async function sandbox(): Promise<Record<string, string>> {
  const args = [...guide.command('sandbox'), '--port', String(await freePort())];
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  return new Promise(done => {
    child.stdout.on('data', chunk => {
      output += chunk;
      const line = /export (.*)\n/.exec(output)?.[1];
      if (line) done(Object.fromEntries(line.split(' ').map(pair => pair.split('=') as [string, string])));
    });
  });
}

test.each(['README.md', 'docs/guides/sync.md'])(
  'the commands of %s fill a database that lists the containers to pick up this week',
  async file => {
    const page = pageOf(file);
    const exported = await sandbox();
    expect(Object.keys(exported)).toEqual(['TRACKING_BASE_URL', 'TRACKING_API_KEY']);
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...exported };
    const { stdout } = await run(process.execPath, [CLI, ...page.command('sync')], { cwd: folder, env });
    expect(stdout).toContain('"event":"finished"');
    const database = new DatabaseSync(join(folder, 'tracking.db'));
    const rows = database.prepare(page.query).all();
    const all = database.prepare('SELECT count(*) AS count FROM shipments').get();
    database.close();
    expect(all?.count).toBe(50);
    expect(rows.length).toBeGreaterThan(0);
    for (const { number, terminal, last_free_day } of rows) {
      expect(number).toMatch(/^[A-Z]{4}\d{7}$/);
      expect(terminal).toEqual(expect.any(String));
      expect(last_free_day).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  },
  40_000,
);

test('the example joins each order with its containers', async () => {
  const exported = await sandbox();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...exported };
  const file = join(folder, 'shop.db');
  const example = join(ROOT, 'examples/sync-orders.ts');
  const command = ['--disable-warning=ExperimentalWarning', example, '--database', file];
  expect((await run(process.execPath, command, { env })).stdout).toBe('');
  const database = new DatabaseSync(file);
  const shipment = database
    .prepare(
      `SELECT bill_of_lading_number AS bill, count(*) AS boxes FROM shipments
       JOIN containers ON shipment_id = shipments.id GROUP BY 1 ORDER BY 2 DESC, 1`,
    )
    .get();
  database.prepare('INSERT INTO orders VALUES (?, ?, ?)').run('order-1', 'Sample Imports', String(shipment?.bill));
  database.close();
  const { stdout } = await run(process.execPath, command, { env });
  const lines = stdout.trim().split('\n');
  expect(lines.length).toBe(Number(shipment?.boxes));
  for (const line of lines) expect(line).toMatch(/^order-1 for Sample Imports: [A-Z]{4}\d{7} is [a-z_]+/);
});
