import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { compare, type Ratio, steadily, takeTurns } from '../support/benchmarks/measure.ts';
import { pagedAfter, serveAsChild, startChild } from './child-server.ts';
import { containersPage } from './fixtures.ts';
import { ours } from './packages.ts';

const PAGES = 96;
const PAGE_SIZE = 30;
const ANSWER_MS = 50;
const CONCURRENCY = 8;
const ROUNDS = 3;
const ATTEMPTS = 2;
/** Upper bound of the ratio: the list must be read at least six times as fast. */
const LIMIT = 1 / 6;
const CONTROL = 'one after the other, again';
const SAME = { atLeast: 0.95, limit: 1.05 };

/**
 * The time to read a whole list with eight requests at the same time, compared with one request after the other. Each
 * page takes 50 ms.
 */
export async function draining(): Promise<Ratio[]> {
  const server = await startChild(import.meta.filename);
  try {
    const drainWith = (concurrency: number) => () => drain(`${server.origin}/v2`, concurrency);
    const contenders = [
      { name: 'one after the other', run: drainWith(1) },
      { name: CONTROL, run: drainWith(1) },
      { name: `concurrency: ${CONCURRENCY}`, run: drainWith(CONCURRENCY) },
    ];
    const group = `a list of ${PAGES} pages, ${ANSWER_MS} ms a page`;
    return await steadily(ATTEMPTS, async () =>
      compare(group, contenders, await takeTurns(contenders, ROUNDS)).map(ratio =>
        ratio.name === CONTROL ? { ...ratio, ...SAME } : { ...ratio, limit: LIMIT },
      ),
    );
  } finally {
    await server.close();
  }
}

async function drain(baseUrl: string, concurrency: number): Promise<void> {
  const { TrackingClient } = await ours<typeof import('container-tracking-sdk')>();
  const client = new TrackingClient({ baseUrl, apiKey: 'key', rateLimit: false });
  let next = 0;
  for await (const { id } of client.containers.list({ concurrency, pageSize: PAGE_SIZE })) {
    if (id !== `container-${next}`) throw new Error(`${id} came in place of container-${next}.`);
    next += 1;
  }
  if (next !== PAGES * PAGE_SIZE) throw new Error(`Only ${next} records came.`);
}

function pages(): string[] {
  const { data } = JSON.parse(containersPage(PAGES * PAGE_SIZE)) as WireDocument<WireResource[]>;
  return Array.from({ length: PAGES }, (_, page) => {
    const links = page + 1 < PAGES ? { next: `/v2/containers?page[number]=${page + 2}` } : {};
    const records = data.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    return JSON.stringify({ data: records, meta: { total: data.length }, links });
  });
}

serveAsChild(import.meta.filename, () => pagedAfter(ANSWER_MS, pages()));
