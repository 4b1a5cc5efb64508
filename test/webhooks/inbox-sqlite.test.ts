import { once } from 'node:events';
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { type SqliteInboxOptions, sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import {
  type Claim,
  createReceiver,
  fakeDelivery,
  type Inbox,
  type InboxEntry,
  signWebhook,
} from '../../src/webhooks/index.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'inbox-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const file = () => join(directory, `${crypto.randomUUID()}.db`);

function open(path = file(), options: SqliteInboxOptions = {}) {
  const inbox = sqliteInbox(path, options);
  closers.push(() => inbox.close());
  return inbox;
}

/** A second connection to the file of the inbox. */
function database(path: string): DatabaseSync {
  const opened = new DatabaseSync(path);
  closers.push(() => opened.close());
  return opened;
}

function entry(id: string, over: Partial<InboxEntry> = {}): InboxEntry {
  const body = new TextEncoder().encode(id);
  return { id, event: 'container.updated', group: `container ${id}`, order: '', body, receivedAt: 1, ...over };
}

async function take(inbox: Inbox): Promise<Claim> {
  const [claim] = await inbox.claim({ limit: 1, leaseMs: 10_000 });
  if (!claim) throw new Error('The inbox gave nothing.');
  return claim;
}

const idsOf = (claims: Claim[]) => claims.map(({ entry }) => entry.id);

describe('the inbox in SQLite', () => {
  /** Every statement that the inbox prepares. */
  async function statements() {
    const prepared = new Set<string>();
    class Watched extends DatabaseSync {
      override prepare(sql: string) {
        prepared.add(sql);
        return super.prepare(sql);
      }
    }
    const { getBuiltinModule } = process;
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
      name === 'node:sqlite' ? { DatabaseSync: Watched } : getBuiltinModule(name)) as never);
    const path = file();
    const inbox = open(path, { retentionMs: 1 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await inbox.put(entry(id, { group: id < 'd' ? 'g' : id }));
    await inbox.put(entry('poison', { poison: 'no' }));
    await inbox.has('a');
    const claims = await inbox.claim({ limit: 3, leaseMs: 10_000, except: ['x'] });
    const [first, second, third] = claims;
    if (!first || !second || !third) throw new Error('not claimed');
    await inbox.renew(first, { leaseMs: 10_000 });
    await inbox.done(first);
    await inbox.done(second);
    await inbox.fail(third, { error: 'no', retryInMs: 1 });
    await new Promise(resolve => setTimeout(resolve, 5));
    await inbox.fail(await take(inbox), { error: 'no', retryInMs: undefined });
    await inbox.revive('poison');
    await inbox.deadLetters();
    database(path).exec('DELETE FROM entries');
    expect(await inbox.claim({ limit: 10, leaseMs: 1 })).toEqual([]);
    expect(prepared.size).toBeGreaterThan(20);
    return { path, prepared: [...prepared].filter(sql => !/PRAGMA|sqlite_schema/.test(sql)) };
  }

  test('uses an index in every statement, and never scans or sorts a table', async () => {
    const { path, prepared } = await statements();
    const plain = database(path);
    // With these statistics, SQLite makes its plans for large tables.
    plain.exec(`ANALYZE; UPDATE sqlite_stat1 SET stat = replace(stat, '1 ', '1000000 ') WHERE stat LIKE '1 %'`);
    const bad = prepared.flatMap(sql =>
      plain
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter(detail => /^SCAN (?!json_each|CONSTANT ROW)|TEMP B-TREE|AUTOMATIC/.test(detail))
        .map(detail => [detail, sql]),
    );
    // Exceptions: statements that run once at the opening, and the list of dead letters, which stops at its limit.
    const known = [/^SELECT DISTINCT/, /^SELECT \* FROM dead_letters ORDER BY seq/];
    expect(bad.filter(([, sql]) => !known.some(pattern => pattern.test(String(sql))))).toEqual([]);
  });

  /** Inserts ids that were handled `msAgo` ms ago. Returns a function that counts the stored ids. */
  function remember(path: string, count: number, msAgo: number): () => number {
    const plain = database(path);
    plain.exec('BEGIN');
    const insert = plain.prepare('INSERT INTO handled VALUES (?, ?)');
    for (let n = 0; n < count; n++) insert.run(`${msAgo} ${n}`, Date.now() - msAgo);
    plain.exec('COMMIT');
    return () => Number(plain.prepare('SELECT count(*) AS count FROM handled').get()?.count);
  }

  test.each([0, 1000])('writes nothing for an empty claim, even if the retention of %i ids is over', async due => {
    const path = file();
    const inbox = open(path, { retentionMs: 60_000 });
    await inbox.put(entry('a'));
    await inbox.done(await take(inbox));
    remember(path, due, 120_000);
    const sizes = () => [`${path}-wal`, path].map(name => statSync(name).size);
    const before = sizes();
    const other = database(path);
    const version = () => other.prepare('PRAGMA data_version').get();
    const seen = version();
    for (let n = 0; n < 5; n++) expect(await inbox.claim({ limit: 8, leaseMs: 1 })).toEqual([]);
    expect(version()).toEqual(seen);
    expect(sizes()).toEqual(before);
  });

  test('deletes a few expired ids with each new id, until none is left', async () => {
    const path = file();
    const inbox = open(path, { retentionMs: 60_000 });
    remember(path, 1, 30_000);
    const stored = remember(path, 10, 120_000);
    const counts: number[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      await inbox.put(entry(id));
      await inbox.done(await take(inbox));
      counts.push(stored());
    }
    expect(counts).toEqual([8, 5, 4, 5]);
    expect(await inbox.has('30000 0')).toBe(true);
  });

  test('accepts an expired id as new, even if its row still exists, and then stores it for a full retention', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const path = file();
    const inbox = open(path, { retentionMs: 60_000 });
    const handle = async (id: string) => {
      expect(await inbox.put(entry(id))).toBe('stored');
      expect(await inbox.done(await take(inbox))).toBe(true);
    };
    await handle('a');
    vi.setSystemTime(Date.now() + 60_000);
    expect(await inbox.put(entry('a'))).toBe('duplicate');
    vi.setSystemTime(Date.now() + 1);
    remember(path, 10, 120_000);
    expect(await inbox.has('a')).toBe(false);
    await handle('a');
    vi.setSystemTime(Date.now() + 60_000);
    expect(await inbox.put(entry('a'))).toBe('duplicate');
  });
});

describe('a clock that is set back by an hour', () => {
  const HOUR = 3_600_000;
  const setBack = () => vi.setSystemTime(Date.now() - HOUR);

  test('does not delay a ready group: this is true for a new group and for a group with a further entry', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const inbox = open();
    await inbox.put(entry('a1', { group: 'a' }));
    await inbox.put(entry('a2', { group: 'a' }));
    await inbox.put(entry('b'));
    await inbox.done(await take(inbox));
    setBack();
    expect(idsOf(await inbox.claim({ limit: 5, leaseMs: 1000 }))).toEqual(['b', 'a2']);
  });

  test.each<[string, (inbox: Inbox, claim: Claim) => Promise<unknown>]>([
    ['the next attempt', (inbox, claim) => inbox.fail(claim, { error: 'no', retryInMs: 1000 })],
    ['the end of a lease', (inbox, claim) => inbox.renew(claim, { leaseMs: 1000 })],
  ])('delays %s by at most its original wait', async (_, wait) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const inbox = open();
    await inbox.put(entry('a'));
    await wait(inbox, await take(inbox));
    setBack();
    expect(await inbox.claim({ limit: 1, leaseMs: 1000 })).toEqual([]);
    vi.setSystemTime(Date.now() + 999);
    expect(await inbox.claim({ limit: 1, leaseMs: 1000 })).toEqual([]);
    vi.setSystemTime(Date.now() + 1);
    expect(idsOf(await inbox.claim({ limit: 1, leaseMs: 1000 }))).toEqual(['a']);
  });
});

describe('rows that somebody has deleted from the file', () => {
  test('may leave a group without entries: the inbox removes and reports this group, and does not delay other groups', async () => {
    const path = file();
    const inbox = open(path);
    for (const id of ['a', 'b', 'c']) await inbox.put(entry(id));
    database(path).exec(`DELETE FROM entries WHERE id IN ('a', 'b')`);
    const warnings: string[] = [];
    const claims = async () => inbox.claim({ limit: 1, leaseMs: 1000, warn: warning => warnings.push(warning) });
    expect([...(await claims()), ...(await claims()), ...(await claims())].map(({ entry }) => entry.id)).toEqual(['c']);
    expect(warnings).toEqual(['container a had no entry left: removed.', 'container b had no entry left: removed.']);
    expect(await inbox.put(entry('a'))).toBe('stored');
    expect((await take(inbox)).entry.id).toBe('a');
  });

  test('may leave entries without a group: the group is rebuilt when the file is opened', async () => {
    const path = file();
    const inbox = open(path);
    for (const id of ['a', 'b']) await inbox.put(entry(id));
    database(path).exec('DELETE FROM groups');
    expect(await inbox.claim({ limit: 5, leaseMs: 1000 })).toEqual([]);
    expect(idsOf(await open(path).claim({ limit: 5, leaseMs: 1000 })).sort()).toEqual(['a', 'b']);
  });

  test('may include the counter of claims: the counter then restarts', async () => {
    const path = file();
    const inbox = open(path);
    await inbox.put(entry('a'));
    database(path).exec('DELETE FROM counter');
    expect(await inbox.done(await take(inbox))).toBe(true);
  });
});

describe('an open file that somebody removes or replaces', () => {
  /** An inbox with its file, and a function that sends a delivery to its receiver and returns the status. */
  async function receiving() {
    const path = file();
    const inbox = open(path);
    await inbox.put(entry('before'));
    const errors: unknown[] = [];
    const onRejected = ({ error }: { error?: unknown }) => errors.push(error);
    const receiver = createReceiver({ secrets: 'secret', inbox, logger: false, onRejected });
    const server = createServer(receiver.node).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const deliver = async () => {
      const body = JSON.stringify(fakeDelivery('container.updated'));
      const headers = { 'x-svc-webhook-signature': await signWebhook({ body, secret: 'secret' }) };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
    };
    expect(await deliver()).toBe(202);
    return { path, inbox, deliver, errors };
  }

  const others = (path: string) => ['-wal', '-shm'].map(end => `${path}${end}`);

  test.each<[string, (path: string) => void, string]>([
    ['deleted', path => [path, ...others(path)].map(name => rmSync(name, { force: true })), 'was deleted or moved'],
    ['moved', path => renameSync(path, `${path}-moved`), 'was deleted or moved'],
    [
      'replaced',
      path => {
        const copy = `${path}-copy`;
        copyFileSync(path, copy);
        for (const name of others(path)) rmSync(name, { force: true });
        renameSync(copy, path);
      },
      'was replaced by another file',
    ],
  ])('makes the receiver refuse deliveries, and the error has the reason: %s', async (_, take, reason) => {
    const { path, deliver, errors } = await receiving();
    take(path);
    expect([await deliver(), await deliver()]).toEqual([503, 503]);
    expect(String(errors[0])).toContain(`${path} ${reason}`);
  });

  test('makes the receiver refuse deliveries even if only the log was removed: a process that is killed would lose these deliveries', async () => {
    const { path, deliver, errors } = await receiving();
    rmSync(`${path}-wal`);
    expect(await deliver()).toBe(503);
    expect(String(errors[0])).toContain(`${path}-wal was deleted or moved`);
  });

  test('still lets the worker claim and finish its entries once, but later claims fail', async () => {
    const { path, inbox } = await receiving();
    rmSync(path);
    const claims = await inbox.claim({ limit: 5, leaseMs: 1000 });
    expect(claims).toHaveLength(2);
    for (const claim of claims) expect(await inbox.done(claim)).toBe(true);
    await expect(inbox.claim({ limit: 5, leaseMs: 1000 })).rejects.toThrow('was deleted or moved');
    await expect(inbox.has('before')).rejects.toThrow('was deleted or moved');
  });
});

describe('claims', () => {
  test('have numbers that rise with each claim, even in another process', async () => {
    const path = file();
    const inbox = open(path);
    for (const id of ['a', 'b', 'c']) await inbox.put(entry(id));
    const fences = (await inbox.claim({ limit: 2, leaseMs: 10_000 })).map(({ fence }) => fence);
    const [next] = await open(path).claim({ limit: 2, leaseMs: 10_000 });
    expect([...fences, next?.fence]).toEqual([1, 2, 3]);
  });

  test('do not return a group that the worker still handles, even if the lease of the group is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const inbox = open();
    for (const id of ['a', 'b']) await inbox.put(entry(id));
    const claim = await take(inbox);
    vi.setSystemTime(Date.now() + 20_000);
    const { group } = claim.entry;
    expect(idsOf(await inbox.claim({ limit: 5, leaseMs: 1000, except: [group] }))).toEqual(['b']);
    expect(await inbox.renew(claim, { leaseMs: 10_000 })).toBe(true);
    expect(await inbox.claim({ limit: 5, leaseMs: 1000 })).toEqual([]);
    expect(await inbox.done(claim)).toBe(true);
  });
});

describe('a file of an earlier version', () => {
  /** Creates a file as version 0.1.0 did. */
  function makeOld(path: string) {
    const old = database(path);
    old.exec(`
      CREATE TABLE entries (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL CHECK (state IN ('open', 'done', 'dead')), event TEXT NOT NULL, "group" TEXT NOT NULL,
        "order" TEXT NOT NULL, body BLOB, received_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        error TEXT, ended_at INTEGER
      );
      CREATE INDEX entries_open ON entries ("group", "order", seq) WHERE state = 'open';
      CREATE INDEX entries_ended ON entries (state, ended_at) WHERE state <> 'open';
      CREATE TABLE groups ("group" TEXT PRIMARY KEY, due_at INTEGER NOT NULL, lease TEXT) WITHOUT ROWID;
      CREATE INDEX groups_due ON groups (due_at);
      INSERT INTO entries (id, state, event, "group", "order", body, received_at, attempts, error, ended_at) VALUES
        ('done', 'done', 'container.updated', 'g', '1', NULL, 5, 1, NULL, ${Date.now() - 1000}),
        ('second', 'open', 'container.updated', 'g', '3', x'02', 6, 0, NULL, NULL),
        ('first', 'open', 'container.created', 'g', '2', x'01', 7, 2, 'no', NULL),
        ('other', 'open', 'container.updated', 'h', '', x'03', 8, 0, NULL, NULL),
        ('dead', 'dead', 'container.updated', 'g', '0', x'04', 9, 20, 'never', 77);
      INSERT INTO groups VALUES ('g', ${Date.now() + 1e9}, 'lease'), ('h', 1, NULL);
    `);
  }

  test('keeps its open entries, dead letters and handled ids', async () => {
    const path = file();
    makeOld(path);
    const inbox = open(path);
    for (const id of ['done', 'second', 'first', 'other', 'dead']) expect(await inbox.put(entry(id))).toBe('duplicate');
    expect(await inbox.deadLetters()).toEqual([
      { id: 'dead', event: 'container.updated', body: new Uint8Array([4]), attempts: 20, error: 'never', diedAt: 77 },
    ]);
    const [other, first] = await inbox.claim({ limit: 5, leaseMs: 1000 });
    expect(other?.entry.id).toBe('other');
    expect(first).toMatchObject({
      attempt: 3,
      entry: { id: 'first', event: 'container.created', group: 'g', order: '2', receivedAt: 7 },
    });
    expect([...(first?.entry.body ?? [])]).toEqual([1]);
    expect(first && (await inbox.done(first))).toBe(true);
    expect((await take(inbox)).entry.id).toBe('second');
    expect(await inbox.revive('dead')).toBe(true);
  });

  test('is converted to the present format once, by the first process that opens it', async () => {
    const path = file();
    makeOld(path);
    const inboxes = [open(path), open(path), open(path)];
    expect(idsOf(await (inboxes[2] as Inbox).claim({ limit: 5, leaseMs: 1000 })).sort()).toEqual(['first', 'other']);
    expect(database(path).prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
  });

  test('without the column for suspects is converted, and keeps its entries', async () => {
    const path = file();
    const first = open(path);
    await first.put(entry('a'));
    await first.claim({ limit: 1, leaseMs: 1 });
    database(path).exec('ALTER TABLE entries DROP COLUMN suspicion; PRAGMA user_version = 1');
    await new Promise(resolve => setTimeout(resolve, 5));
    const [claim] = await open(path).claim({ limit: 5, leaseMs: 1000, begins: true });
    expect(claim).toMatchObject({ attempt: 2, entry: { id: 'a' } });
    expect(claim?.begunAlone).toBeUndefined();
  });

  test('is not changed if the conversion fails', () => {
    const path = file();
    const other = database(path);
    other.exec('CREATE TABLE entries (name TEXT); CREATE TABLE groups (name TEXT)');
    expect(() => open(path)).toThrow(ConfigurationError);
    expect(() => open(path)).toThrow(/cannot be opened: no such column: seq/);
    expect(other.prepare('SELECT name FROM entries').all()).toEqual([]);
  });
});

describe('opening fails with the path and the reason for', () => {
  const attempt = (path: string, options?: SqliteInboxOptions) => {
    try {
      open(path, options);
    } catch (error) {
      return error as Error;
    }
    return undefined;
  };

  test.each<[string, () => string, RegExp]>([
    ['a directory that does not exist', () => join(directory, 'none', 'x.db'), /there is no directory .*none/],
    [
      'a directory',
      () => {
        const path = file();
        mkdirSync(path);
        return path;
      },
      /it is a directory/,
    ],
    [
      'a file of another kind',
      () => {
        const path = file();
        writeFileSync(path, 'This is a text, and far longer than the head of a database. '.repeat(100));
        return path;
      },
      /file is not a database/,
    ],
    [
      'a file that may only be read',
      () => {
        const path = file();
        database(path).exec('CREATE TABLE x (y)');
        return `file:${path}?mode=ro`;
      },
      /readonly/,
    ],
    [
      'a file of a later version',
      () => {
        const path = file();
        database(path).exec('CREATE TABLE x (y); PRAGMA user_version = 3');
        return path;
      },
      /has format 3, and this version of the package knows formats up to 2: update container-tracking-sdk/,
    ],
  ])('%s', (_, make, reason) => {
    const path = make();
    const error = attempt(path);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error?.message).toContain(path);
    expect(error?.message).toMatch(reason);
    expect(
      readdirSync(directory).filter(name => name.endsWith('-reserve') && path.includes(name.slice(0, -8))),
    ).toEqual([]);
  });

  test('a file in a directory that the process has no permission to enter', () => {
    const path = join(directory, 'x.db');
    mkdirSync(path);
    // The tests may run as root, and root has access to every directory.
    vi.spyOn(fs, 'statSync').mockImplementation(() => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    });
    const error = attempt(path);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error?.message).toMatch(/may not read and write/);
  });

  test.each([':memory:', 'file::memory:', 'file:x?mode=memory&cache=shared'])(
    'the temporary database %s, unless `ephemeral` is true',
    async path => {
      for (const options of [undefined, {}, { ephemeral: false }]) {
        const error = attempt(path, options);
        expect(error).toBeInstanceOf(ConfigurationError);
        expect(error?.message).toMatch(/loses notifications when the process ends: pass \{ ephemeral: true \}/);
      }
      const inbox = open(path, { ephemeral: true });
      expect(await inbox.put(entry('a'))).toBe('stored');
      expect((await take(inbox)).entry.id).toBe('a');
      expect(existsSync(`${path}-reserve`)).toBe(false);
    },
  );

  test('a version of Node without node:sqlite: the reason includes the required version and an alternative', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    const error = attempt(file());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error?.message).toMatch(/Node has from 22\.13 on; this is v\d+\..*redisInbox\(\)/);
  });
});
