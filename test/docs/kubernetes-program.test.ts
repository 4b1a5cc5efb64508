/** Runs the program of the guide about Kubernetes as it is printed, with PostgreSQL and a service that sends deliveries. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';
import { readPage } from '../../support/docs/pages.ts';
import { createProject, writeSnippets } from '../../support/docs/run.ts';
import { freePort } from '../../support/free-port.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { startNode } from '../../support/start-node.ts';

const { snippets } = readPage('docs/guides/kubernetes-and-systemd.md');

describe.skipIf(!hasPostgres)('the program for Kubernetes', { timeout: 60_000 }, () => {
  let project: string;
  let postgres: PostgresServer;
  let pool: Pool;
  let sandbox: Sandbox;
  let service: SandboxServer;
  let client: TrackingClient;
  let url: string;
  let env: Record<string, string>;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    project = createProject();
    postgres = await startPostgres();
    pool = new Pool(postgres.connection);
    pool.on('error', () => {});
    sandbox = createSandbox({ speed: 0, webhooks: { retryGapMs: 0, deactivateAfter: 1 } });
    service = await sandbox.listen();
    client = new TrackingClient({ baseUrl: service.baseUrl, apiKey: 'sandbox', rateLimit: false });
    url = `http://localhost:${await freePort()}/`;
    const { secret } = await client.webhooks.ensure({ url, events: EVENT_NAMES });
    const { host, port, user, database } = postgres.connection;
    env = {
      DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
      TRACKING_BASE_URL: service.baseUrl,
      TRACKING_API_KEY: 'sandbox',
      TRACKING_WEBHOOK_SECRETS_FILE: join(project, 'secrets'),
    };
    writeFileSync(join(project, 'secrets'), `${secret}\n`);
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await pool.end();
    client.close();
    await service.close();
    await postgres.stop();
    rmSync(project, { recursive: true });
  });

  /** Starts a program of the page. The texts on the left are replaced by the texts on the right. */
  function start(index: number, replaced: Record<string, string>): { child: ChildProcess; output: () => string } {
    const directory = mkdtempSync(join(project, 'program-'));
    const changed = (code: string) =>
      Object.entries(replaced).reduce((text, [from, to]) => text.replace(from, () => to), code);
    const program = snippets.slice(index, index + 1).map(snippet => ({ ...snippet, code: changed(snippet.code) }));
    const started = startNode(['--no-warnings', ...writeSnippets(program, directory)], env);
    children.push(started.child);
    return started;
  }

  /** Starts the receiver. `minute` replaces the pause after a failed recovery. */
  const startReceiver = (minute = '60_000') =>
    start(0, { 'listen(3000)': `listen(${new URL(url).port})`, '60_000': minute });

  async function checkpoint(): Promise<object | undefined> {
    const { rows } = await pool.query('SELECT point FROM recovery').catch(() => ({ rows: [] }));
    return rows[0]?.point;
  }

  test('handles every record that changed while the webhook was inactive, after 30 hours', async () => {
    sandbox.seedShipments(6, { phase: 'at_sea' });
    sandbox.seedShipments(6, { phase: 'available' });
    const first = startReceiver();
    await vi.waitUntil(checkpoint, { timeout: 20_000 });
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);

    const records = async () => {
      const lists = [client.shipments.list({ pageSize: 100 }), client.containers.list({ pageSize: 100 })];
      const all = (await Promise.all(lists.map(list => list.toArray()))).flat();
      return new Map(all.map(record => [`${record.type} ${record.id}`, JSON.stringify(record)]));
    };
    const before = await records();
    for (let hours = 0; hours < 30; hours += 6) {
      sandbox.advance({ hours: 6 });
      await sandbox.flush();
    }
    const after = await records();
    const changed = [...after].filter(([key, value]) => before.get(key) !== value).map(([key]) => key);
    expect(changed.length).toBeGreaterThan(3);
    const [webhook] = await client.webhooks.list().toArray();
    expect(webhook?.active).toBe(false);
    // The container of this notification has changed again while the webhook was inactive.
    expect(await client.webhookNotifications.list().toArray()).toMatchObject([{ event: 'container.updated' }]);

    const { output } = startReceiver();
    const handled = () => output().match(/(?<=Now: ).+/g) ?? [];
    await vi.waitFor(() => expect(handled()).toEqual(expect.arrayContaining(changed)), { timeout: 20_000 });
    const [repaired] = await client.webhooks.list().toArray();
    expect(repaired?.active).toBe(true);
  });

  test('recovers a minute after a recovery has failed', async () => {
    sandbox.fail({ match: { path: '/webhooks' }, status: 401 });
    const { output } = startReceiver('50');
    await vi.waitUntil(checkpoint, { timeout: 20_000 });
    expect(output()).toContain('401');
  });

  test('replaces the secret of the webhook while the receiver runs', async () => {
    const { output } = startReceiver();
    await vi.waitUntil(checkpoint, { timeout: 20_000 });
    const [before] = await client.webhooks.list().toArray();
    writeFileSync(
      join(project, 'kubectl'),
      `#!${process.execPath}
      import { readFileSync, writeFileSync } from 'node:fs';
      const { stringData } = JSON.parse(readFileSync(0, 'utf8'));
      writeFileSync(process.env.TRACKING_WEBHOOK_SECRETS_FILE, stringData.secrets);`,
    );
    chmodSync(join(project, 'kubectl'), 0o755);
    Object.assign(env, { WEBHOOK_URL: url, PATH: project + delimiter + process.env.PATH });
    const rotation = start(1, { '150_000': '0' });
    expect(await once(rotation.child, 'exit')).toEqual([0, null]);
    const after = await client.webhooks.list().toArray();
    expect(after).toMatchObject([{ active: true, url }]);
    expect(rotation.output()).toContain(`The new webhook is ${after[0]?.id}`);
    expect(after[0]?.id).not.toBe(before?.id);
    const result = await client.webhooks.trigger({
      url,
      event: 'container.updated',
      secret: String(after[0]?.secret),
    });
    expect(result).toMatchObject({ succeeded: true });
    expect(output()).not.toContain('mismatch');
  });
});
