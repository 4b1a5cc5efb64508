import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SyncRow, SyncStore } from '../../src/sync/store.ts';
import { storeConformance } from '../../src/sync/testing/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { postgresPlace, sqlitePlace } from '../../support/sync-stores.ts';

let postgres: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});

afterAll(() => postgres?.stop());

describe('the store in SQLite', () => {
  for (const { name, run } of storeConformance(sqlitePlace)) test(name, run);
});

describe.skipIf(!hasPostgres)('the store in PostgreSQL', () => {
  const place = () => postgresPlace(postgres as PostgresServer);
  for (const { name, run } of storeConformance(place)) test(name, run);
});

type Break = (store: SyncStore) => Partial<SyncStore>;

/** A store that changes rows before it writes them. */
const changing =
  (change: (row: SyncRow) => SyncRow): Break =>
  store => ({ write: batch => store.write({ ...batch, rows: batch.rows.map(change) }) });

const withRecord = (change: (record: object) => object) =>
  changing(row => ({ ...row, record: row.record && (change(row.record) as SyncRow['record']) }));

const forgetsFields = withRecord(record => {
  const { id, type, number } = record as Record<string, unknown>;
  return { id, type, number };
});

let time = 0;
const lastOneWins = changing(row => {
  time += 1;
  return { ...row, asOf: Date.UTC(2026, 5) + time };
});
const seconds = changing(row => ({ ...row, asOf: Math.floor(row.asOf / 1000) * 1000 }));
const ignoresDeletions: Break = store => ({
  write: batch => store.write({ ...batch, rows: batch.rows.filter(({ record }) => record !== null) }),
});
const forgetsHistory: Break = store => ({ write: batch => store.write({ ...batch, history: undefined }) });
const hidesTies: Break = store => ({
  write: async batch => ({ ...(await store.write(batch)), ties: [] }),
});
const ignoresCheckpoints: Break = store => ({ write: ({ rows }) => store.write({ rows }) });
const writesRowByRow: Break = store => ({
  async write({ rows, checkpoint, history }) {
    const result = await store.write({ rows: [], checkpoint });
    for (const row of rows) result.written += (await store.write({ rows: [row], history })).written;
    return result;
  },
});
const sorted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'object' && item ? { keys: Object.entries(item) } : item)),
  );

/** Faults of a store. Each fault has to make a case fail. */
const breaks: Record<string, Break> = {
  'a newer content replaces an older one': changing(row => ({ ...row, asOf: 1 })),
  'an older content never replaces a newer one': lastOneWins,
  'times are compared to the millisecond': seconds,
  'the same content with a later time changes only the stored time': changing(row => ({
    ...row,
    asOf: Math.min(row.asOf, Date.UTC(2026, 2, 9, 3, 4, 41)),
  })),
  'other content with the same time is a tie, and is not written': hidesTies,
  'a tie is resolved by reading the record again': store => ({
    write: async batch => ({ ...(await store.write(batch)), written: 0 }),
  }),
  'a deletion and a content of the same time are a tie': hidesTies,
  'a deletion keeps the row, and older content does not undo it': lastOneWins,
  'missing() does not return a deleted record, and repeating a deletion changes only its time': ignoresDeletions,
  'a record that comes back is live again': store => ({
    write: batch =>
      store.write({
        ...batch,
        rows: batch.rows.filter(({ asOf }) => asOf % 2 !== 0 || asOf < Date.UTC(2026, 2, 9, 3, 4, 42)),
      }),
  }),
  'an older deletion does not remove a newer content': lastOneWins,
  'within a batch the newest row of a record is kept': store => ({
    write: batch => store.write({ ...batch, rows: batch.rows.slice(-1) }),
  }),
  'two contents of the same time in one batch are a tie': store => ({
    write: batch => store.write({ ...batch, rows: batch.rows.slice(-1) }),
  }),
  'every order of arrival results in the same row': ignoresDeletions,
  'an unknown field is kept': forgetsFields,
  'values that do not fit their columns are kept in the record and reported': store => ({
    write: async batch => ({ ...(await store.write(batch)), misfits: [] }),
  }),
  'texts of every kind are stored': store => ({
    write: batch =>
      batch.rows.some(({ record }) => JSON.stringify(record).includes('\\u0000'))
        ? Promise.reject(new Error('unsupported Unicode escape sequence'))
        : store.write(batch),
  }),
  'numbers of every size are stored': store => ({
    write: batch =>
      JSON.stringify(batch).includes('e+308') ? Promise.reject(new Error('out of range')) : store.write(batch),
  }),
  'differing() returns the rows whose content is not stored, and writes nothing': store => ({
    differing: async rows => store.missing(rows),
  }),
  'a record that was included is kept as a reference': withRecord(record => ({
    ...record,
    copy: JSON.stringify(record),
  })),
  'the order of keys does not matter': withRecord(record => ({ ...record, copy: sorted(record) })),
  'a checkpoint is saved, replaced and removed by its name': ignoresCheckpoints,
  'a refused batch changes nothing': writesRowByRow,
  'an asOf that is not a time is refused': changing(row => ({ ...row, asOf: 5 })),
  'a large batch of several types is written': store => ({
    write: batch => store.write({ ...batch, rows: batch.rows.slice(0, 1000) }),
  }),
  'missing() returns the type and id of each record without a row': store => ({
    missing: async refs => (await store.missing(refs)).filter(({ type }) => type === 'container'),
  }),
  'unseen() returns ids page by page': store => ({
    unseen: async (type, options) => (await store.unseen(type, options)).sort((a, b) => a.localeCompare(b, 'en')),
  }),
  'the status counts rows and deletions, and has the checkpoints': store => ({
    status: async () => ({ ...(await store.status()), checkpoints: [] }),
  }),
  'due() returns reads in the order in which they became due': store => ({
    due: async options => (await store.due(options)).sort((a, b) => (a.id < b.id ? -1 : 1)),
  }),
  'a read that is due again keeps its position, and gets the new token and the later time': store => ({
    due: async options => (await store.due(options)).map(read => ({ ...read, token: 'first' })),
  }),
  'a read is settled only if its token is unchanged': store => ({
    write: async batch => {
      const due = await store.due({ limit: 100 });
      return store.write({ ...batch, settled: due.filter(({ id }) => batch.settled?.some(other => other.id === id)) });
    },
  }),
  'a batch with a tie settles nothing': store => ({
    write: async batch => {
      const result = await store.write(batch);
      if (batch.settled) await store.write({ rows: [], settled: batch.settled });
      return result;
    },
  }),
  'if one batch settles a read and makes it due again, the read moves to the end': store => ({
    write: ({ settled: _, ...batch }) => store.write(batch),
  }),
  'each value of a field has its first and last time': forgetsHistory,
  'older content is inserted before newer content': lastOneWins,
  'content that arrives twice changes nothing': lastOneWins,
  'every order of arrival results in the same history': lastOneWins,
  'each hold has a separate history, and a deletion ends it': ignoresDeletions,
  'a record that exists again after a deletion has a gap in its history': ignoresDeletions,
  'a refused batch adds no history': writesRowByRow,
  'rows without chosen fields leave no history': store => ({
    write: batch => store.write({ history: { container: ['current_status'] }, ...batch }),
  }),
  'values that ended long ago are removed, and current values stay': () => ({ trimHistory: async () => 0 }),
  'migrating again changes nothing': store => ({ migrate: async () => ({ ...(await store.migrate()), from: 0 }) }),
  'several processes may migrate at the same time': store => {
    let isBusy = false;
    return {
      async migrate() {
        if (isBusy) throw new Error('database is locked');
        isBusy = true;
        return store.migrate();
      },
    };
  },
  'an abort ends a migration before it begins': store => ({ migrate: () => store.migrate() }),
  'each process has the rows that the other process has written': ignoresCheckpoints,
  'two processes that write the same records in opposite orders both succeed, and the newest rows stay': lastOneWins,
  'only one process at a time holds a lock': () => ({
    lock: async () => ({ signal: new AbortController().signal, release: async () => {} }),
  }),
  'closing a store releases its locks': () => ({ close: async () => {} }),
};

describe('a broken store fails the case', () => {
  test.each(storeConformance(sqlitePlace).map(({ name }) => name))('%s', async name => {
    const opened: SyncStore[] = [];
    const broken = storeConformance(() => {
      const place = sqlitePlace();
      const open = () => {
        const store = place.open();
        opened.push(store);
        const wrong = breaks[name]?.(store) ?? {};
        return new Proxy(store, {
          get(target, key) {
            const own = wrong[key as keyof SyncStore] ?? Reflect.get(target, key);
            return typeof own === 'function' ? own.bind(target) : own;
          },
        });
      };
      return { open, remove: () => place.remove() };
    }).find(each => each.name === name);
    await expect(broken?.run()).rejects.toThrow();
    await Promise.all(opened.map(store => store.close()));
  });
});
