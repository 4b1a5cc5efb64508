import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sizes } from '../../support/benchmarks/sizes.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/guides/browsers.md'), 'utf8');

/** The names of the rows of the page, each with its name in the budgets. */
const ROWS: Record<string, string> = {
  '`TrackingClient`, when the page starts': 'TrackingClient, at once',
  'one resource with `createTransport`, when the page starts': 'one resource with createTransport, at once',
  'all that `TrackingClient` can load later, with the schemas':
    'everything that TrackingClient can ever load, zod included',
  '`verifyWebhook`': 'verifyWebhook',
};

test('the sizes on the page about browsers are not smaller than the sizes of the published files, and not much larger', async () => {
  const table = Array.from(PAGE.matchAll(/^\| (.+) \| ([\d.]+) KiB \|$/gm), ([, name = '', kib]) => [
    name,
    Number(kib),
  ]);
  expect(table.map(([name]) => name)).toEqual(Object.keys(ROWS));
  const measured = new Map((await sizes()).map(({ name, gzip }) => [name, gzip / 1024]));
  for (const [name, kib] of table as [string, number][]) {
    const actual = measured.get(ROWS[name] ?? '') ?? Number.POSITIVE_INFINITY;
    expect(actual, name).toBeLessThanOrEqual(kib);
    // If a size has become much smaller, the page must be changed too.
    expect(actual, name).toBeGreaterThan(kib * 0.85);
  }
});
