/** Runs the program of the guide about Kubernetes as it is printed, with PostgreSQL and a service that sends deliveries. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
      TRACKING_WEBHOOK_SECRET: String(secret),
    };
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await pool.end();
    client.close();
    await service.close();
    await postgres.stop();
    rmSync(project, { recursive: true });
  });

  /** Starts the program. `minute` replaces the pause after a failed recovery. */
  function start(minute = '60_000'): { child: ChildProcess; output: () => string } {
    const port = new URL(url).port;
    const code = (snippets[0]?.code ?? '').replace('listen(3000)', `listen(${port})`).replace('60_000', minute);
    const directory = mkdtempSync(join(project, 'program-'));
    const files = writeSnippets(
      snippets.map(snippet => ({ ...snippet, code })),
      directory,
    );
    const started = startNode(['--no-warnings', ...files], env);
    children.push(started.child);
    return started;
  }

  async function checkpoint(): Promise<object | undefined> {
    const { rows } = await pool.query('SELECT point FROM recovery').catch(() => ({ rows: [] }));
    return rows[0]?.point;
  }

  test('handles every record that changed while the webhook was inactive, after 30 hours', async () => {
    sandbox.seedShipments(6, { phase: 'at_sea' });
    sandbox.seedShipments(6, { phase: 'available' });
    const first = start();
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

    const { output } = start();
    const handled = () => output().match(/(?<=Now: ).+/g) ?? [];
    await vi.waitFor(() => expect(handled()).toEqual(expect.arrayContaining(changed)), { timeout: 20_000 });
    const [repaired] = await client.webhooks.list().toArray();
    expect(repaired?.active).toBe(true);
  });

  test('recovers a minute after a recovery has failed', async () => {
    sandbox.fail({ match: { path: '/webhooks' }, status: 401 });
    const { output } = start('50');
    await vi.waitUntil(checkpoint, { timeout: 20_000 });
    expect(output()).toContain('401');
  });
});
