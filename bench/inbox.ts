/**
 * Measures the cost of an inbox in SQLite for different contents. Run `node bench/inbox.ts` on a disk, or with `TMPDIR`
 * in memory to measure without the disk.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type SqliteInbox, sqliteInbox } from '../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import type { Inbox } from '../src/webhooks/index.ts';

const RETENTION_MS = 3_600_000;
const EXPIRED_MS = 2 * RETENTION_MS;
const BODY = new Uint8Array(1000).fill(120);

interface Contents {
  /** Number of remembered ids. */
  retained?: number;
  /** Number of remembered ids that should have been forgotten. */
  expired?: number;
  open?: number;
  groups?: number;
}

/**
 * Creates an inbox with these contents. They are written directly to the database, because deliveries would take hours.
 */
function filled(directory: string, { retained = 0, expired = 0, open = 0, groups = open }: Contents): SqliteInbox {
  const path = join(directory, `${crypto.randomUUID()}.db`);
  const inbox = sqliteInbox(path, { retentionMs: RETENTION_MS });
  const plain = new DatabaseSync(path);
  plain.exec('PRAGMA synchronous = OFF; BEGIN');
  const handled = plain.prepare('INSERT INTO handled VALUES (?, ?)');
  for (let n = 0; n < retained; n++) handled.run(crypto.randomUUID(), Date.now() - (n < expired ? EXPIRED_MS : 0));
  const entry = plain.prepare(
    `INSERT INTO entries (id, event, "group", "order", body, received_at) VALUES (?, '', ?, ?, ?, 0)`,
  );
  const group = plain.prepare('INSERT INTO groups ("group", line) VALUES (?, ?) ON CONFLICT DO NOTHING');
  for (let n = 0; n < open; n++) {
    entry.run(crypto.randomUUID(), `g${n % groups}`, String(n).padStart(8, '0'), BODY);
    group.run(`g${n % groups}`, n);
  }
  plain.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  plain.close();
  // Otherwise the first write of a measured call would wait until all contents are on the disk.
  const handle = openSync(path, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  return inbox;
}

const nothing = (inbox: Inbox) => inbox.claim({ limit: 8, leaseMs: 30_000 });

/** Claims an entry and marks it as done. Only this entry of the store changes. */
async function turn(inbox: Inbox): Promise<void> {
  const [claim] = await inbox.claim({ limit: 1, leaseMs: 30_000 });
  if (claim) await inbox.done(claim);
}

export interface InboxCost {
  what: string;
  /** The median in ms. */
  median: number;
  longest: number;
  /** The median, as a multiple of the median of the inbox that is almost empty. */
  ofEmpty: number;
}

/**
 * The inboxes take turns, so that other work of the machine affects all of them. The first inbox is almost empty.
 */
async function costs(
  what: string,
  all: Contents[],
  rounds: number,
  work: (inbox: Inbox) => Promise<unknown>,
): Promise<InboxCost[]> {
  const directory = mkdtempSync(join(tmpdir(), 'inbox-'));
  const inboxes = all.map(contents => ({ contents, inbox: filled(directory, contents), times: [] as number[] }));
  for (let round = -20; round < rounds; round++) {
    for (const { inbox, times } of inboxes) {
      const began = performance.now();
      await work(inbox);
      if (round >= 0) times.push(performance.now() - began);
    }
  }
  for (const { inbox } of inboxes) inbox.close();
  rmSync(directory, { recursive: true });
  const medianOf = (times: number[] = []) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  const empty = medianOf(inboxes[0]?.times);
  return inboxes.map(({ contents, times }) => ({
    what: `${what}, ${JSON.stringify(contents)}`,
    median: round(medianOf(times)),
    longest: round(Math.max(...times)),
    ofEmpty: round(medianOf(times) / empty),
  }));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Measures claims and polls in inboxes that have many remembered ids or open entries, and in inboxes that forget ids.
 */
export async function inboxCosts(): Promise<InboxCost[]> {
  const retaining = [{}, { retained: 200_000 }, { retained: 1_000_000 }, { retained: 200_000, expired: 200_000 }];
  const holding = [
    { open: 300 },
    { open: 200_000 },
    { open: 20_000, groups: 1 },
    { open: 200_000, groups: 1000, retained: 1_000_000 },
  ];
  const forgetting = [
    { open: 3000 },
    { open: 3000, retained: 200_000, expired: 200_000 },
    { open: 3000, retained: 1_000_000, expired: 1_000_000 },
  ];
  return [
    ...(await costs('an empty claim', retaining, 500, nothing)),
    ...(await costs('claim and done', holding, 250, turn)),
    ...(await costs('claim and done that forgets', forgetting, 2000, turn)),
  ];
}

if (import.meta.main) console.table(await inboxCosts());
