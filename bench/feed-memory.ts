/**
 * The memory of a feed: the heap after a garbage collection and the peak of the resident memory. It is measured with few and
 * many containers, and with two fields and all fields. The service is a sandbox in its own process.
 *
 * npm run build && node bench/feed-memory.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ours } from './packages.ts';

const [mode, ...given] = process.argv.slice(2);
if (mode === 'serve') await serve(Number(given[0]));
else if (mode === 'watch') await watch(given[0] ?? '', Number(given[1]), given[2]?.split(','));
else await compare();

async function compare(): Promise<void> {
  console.log('| containers | fields | heap, MiB | per container, bytes | its text, bytes | peak RSS, MiB |');
  console.log('|---:|---|---:|---:|---:|---:|');
  for (const containers of [500, 50_000]) {
    // Each shipment has at least one container, so this number of shipments is enough.
    const server = run('inherit', 'serve', String(containers));
    const [baseUrl] = await once(server, 'message');
    for (const fields of ['pickup_lfd,current_status', undefined]) {
      const watcher = run('pipe', 'watch', String(baseUrl), String(containers), ...(fields ? [fields] : []));
      process.stdout.write(await text(watcher.stdout as NodeJS.ReadableStream));
    }
    server.disconnect();
    await once(server, 'exit');
  }
}

function run(stdout: 'inherit' | 'pipe', ...args: string[]) {
  const node = ['--expose-gc', '--max-old-space-size=4096', import.meta.filename, ...args];
  return spawn(process.execPath, node, { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}

async function serve(shipments: number): Promise<void> {
  const { createSandbox } = await ours<typeof import('container-tracking-sdk/sandbox')>('sandbox');
  const { baseUrl } = await createSandbox({ shipments, rateLimit: false, speed: 0, keepRequests: 0 }).listen();
  process.on('disconnect', () => process.exit());
  process.send?.(baseUrl);
}

async function watch(baseUrl: string, containers: number, fields: string[] | undefined): Promise<void> {
  const { TrackingClient } = await ours<typeof import('container-tracking-sdk')>();
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', logger: false, rateLimit: false });
  const before = heap();
  const feed = client.containers.watch({ fields: fields as ['pickup_lfd'] | undefined });
  for (let taken = 0; taken < containers; taken += 1) await feed.next();
  const kept = heap() - before;
  const texts = feed.checkpoint?.records.map(
    ({ id, askedAt, state }) => id.length + askedAt.length + String(state).length,
  );
  const characters = (texts ?? []).reduce((sum, length) => sum + length, 0);
  const peak = process.resourceUsage().maxRSS / 1024;
  const cells = [
    containers,
    fields ?? 'all',
    (kept / 2 ** 20).toFixed(1),
    Math.round(kept / containers),
    Math.round(characters / containers),
    Math.round(peak),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  process.exit();
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
