/** `<base URL> <log> <n>`: writes each item of a feed to the log, continues where the log ends, and is killed after `n` items. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { TrackingClient } from '../../src/index.ts';

const [baseUrl = '', log = '', last = ''] = process.argv.slice(2);
const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
const from = lines.map(line => JSON.parse(line).checkpoint);

const client = new TrackingClient({
  baseUrl,
  apiKey: 'sandbox',
  validation: 'off',
  rateLimit: { limits: { default: 100_000 } },
});
let written = 0;
for await (const { record, ...item } of client.containers.watch({ every: 1, reconcile: 1, from }) as AsyncIterable<{
  record?: object;
}>) {
  appendFileSync(log, `${JSON.stringify(item)}\n`);
  written += 1;
  // SIGKILL cannot be handled: no code of the feed runs after this line.
  if (written === Number(last)) process.kill(process.pid, 'SIGKILL');
}
