/**
 * What an inbox in SQLite costs, by what it holds. Run by itself: `node bench/inbox.ts`, on a disk, or with `TMPDIR` in
 * memory for the cost without the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteInbox } from '../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import type { Inbox } from '../src/webhooks/index.ts';

const RETENTION_MS = 3_600_000;
const EXPIRED_MS = 2 * RETENTION_MS;
const BODY = new Uint8Array(1000).fill(120);
const directory = mkdtempSync(join(tmpdir(), 'inbox-'));

interface Contents {
  /** Ids that are remembered. */
  retained?: number;
  /** Of those, how many should have been forgotten. */
  expired?: number;
  open?: number;
  groups?: number;
}

/** An inbox that holds so much, without the hours that it would take to come to that. */
function filled({ retained = 0, expired = 0, open = 0, groups = open }: Contents) {
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
  return inbox;
}

/** Median and longest, in ms. */
async function times(rounds: number, work: () => Promise<unknown>) {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await work();
    all.push(performance.now() - began);
  }
  all.sort((a, b) => a - b);
  return { median: all[all.length >> 1] ?? 0, longest: all.at(-1) ?? 0 };
}

const rows: { what: string; median: string; longest: string }[] = [];
const tell = (what: string, { median, longest }: { median: number; longest: number }) =>
  rows.push({ what, median: median.toFixed(3), longest: longest.toFixed(1) });

const nothing = (inbox: Inbox) => () => inbox.claim({ limit: 8, leaseMs: 30_000 });

/** A claim and its end, so that the store is as it was but for one entry. */
const turn = (inbox: Inbox) => async () => {
  const [claim] = await inbox.claim({ limit: 1, leaseMs: 30_000 });
  if (claim) await inbox.done(claim);
};

for (const retained of [0, 200_000, 1_000_000]) {
  const inbox = filled({ retained });
  await times(20, nothing(inbox));
  tell(`an empty claim, ${retained} ids retained`, await times(500, nothing(inbox)));
  inbox.close();
}
for (const contents of [
  { open: 300 },
  { open: 200_000 },
  { open: 20_000, groups: 1 },
  { open: 200_000, groups: 1000, retained: 1_000_000 },
]) {
  const inbox = filled(contents);
  await times(20, turn(inbox));
  tell(`claim and done, ${JSON.stringify(contents)}`, await times(250, turn(inbox)));
  inbox.close();
}
const inbox = filled({ retained: 200_000, expired: 200_000 });
const { median, longest } = await times(2001, nothing(inbox));
tell('forgetting 200,000 ids, a claim each', { median, longest });
console.table(rows);
inbox.close();
rmSync(directory, { recursive: true });
