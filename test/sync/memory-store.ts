import { isDeepStrictEqual } from 'node:util';
import type { DueRead, JsonValue, SyncRow, SyncStore } from '../../src/sync/store.ts';
import { SYNCED_TYPES, type SyncedType, TABLE_NAMES } from '../../src/sync/tables/names.ts';

export interface MemoryStore extends SyncStore {
  /** All rows by `<type> <id>`. */
  readonly rows: Map<string, SyncRow>;
  readonly checkpoints: Map<string, JsonValue>;
  readonly dueReads: Map<string, DueRead>;
  /** Called before each write. If it throws, the write fails. */
  beforeWrite: () => void;
}

const keyOf = ({ type, id }: { type: string; id: string }) => `${type} ${id}`;

/** The shortest implementation of the contract. Each write is atomic, because it never awaits anything. */
export function memoryStore(): MemoryStore {
  const rows = new Map<string, SyncRow>();
  const checkpoints = new Map<string, JsonValue>();
  const dueReads = new Map<string, DueRead>();
  const locked = new Set<string>();
  const store: MemoryStore = {
    description: 'memory',
    rows,
    checkpoints,
    dueReads,
    beforeWrite: () => {},
    migrate: async () => ({ from: 1, to: 1 }),
    async write(batch) {
      store.beforeWrite();
      const result = { written: 0, unchanged: 0, stale: 0, ties: [] as SyncRow[], misfits: [] };
      for (const row of structuredClone(batch.rows) as SyncRow[]) {
        const known = rows.get(keyOf(row));
        const same = known !== undefined && isDeepStrictEqual(known.record, row.record);
        if (known && known.asOf > row.asOf) result.stale += 1;
        else if (known && known.asOf === row.asOf && !same) result.ties.push(row);
        else {
          if (same) result.unchanged += 1;
          else result.written += 1;
          rows.set(keyOf(row), row);
        }
      }
      if (result.ties.length === 0) {
        for (const { type, id, token } of batch.settled ?? []) {
          if (dueReads.get(keyOf({ type, id }))?.token === token) dueReads.delete(keyOf({ type, id }));
        }
      }
      for (const due of batch.due ?? []) {
        const known = dueReads.get(keyOf(due));
        dueReads.set(keyOf(due), { ...due, since: Math.max(due.since, known?.since ?? 0) });
      }
      if (batch.checkpoint) {
        const { name, value } = batch.checkpoint;
        if (value === null) checkpoints.delete(name);
        else checkpoints.set(name, structuredClone(value) as JsonValue);
      }
      const ties = new Map(result.ties.map(({ type, id }) => [keyOf({ type, id }), { type, id }]));
      return { ...result, ties: [...ties.values()] };
    },
    checkpoint: async name => checkpoints.get(name),
    differing: async given =>
      given.filter(row => !isDeepStrictEqual(rows.get(keyOf(row))?.record, structuredClone(row.record))),
    missing: async refs => refs.filter(ref => !rows.has(keyOf(ref))),
    async unseen(type, { before, after = '', limit }) {
      const found = [...rows.values()].filter(row => row.type === type && row.record !== null && row.asOf < before);
      return found
        .map(({ id }) => id)
        .filter(id => id > after)
        .sort()
        .slice(0, limit);
    },
    due: async ({ limit }) => [...dueReads.values()].slice(0, limit),
    async lock(name) {
      if (locked.has(name)) return undefined;
      locked.add(name);
      return { signal: new AbortController().signal, release: async () => void locked.delete(name) };
    },
    async status() {
      const tables = SYNCED_TYPES.map((type: SyncedType) => {
        const of = [...rows.values()].filter(row => row.type === type);
        const live = of.filter(({ record }) => record !== null).length;
        const newest = of.length === 0 ? undefined : Math.max(...of.map(({ asOf }) => asOf));
        return { type, table: TABLE_NAMES[type], rows: live, deleted: of.length - live, newest };
      });
      const saved = [...checkpoints].map(([name, value]) => ({ name, value }));
      return { version: 1, due: dueReads.size, tables, checkpoints: saved };
    },
    historyAt: async () => [],
    trimHistory: async () => 0,
    close: async () => {},
  };
  return store;
}

/** The records in a store, by their keys. */
export const recordsOf = ({ rows }: MemoryStore) => new Map([...rows].map(([key, { record }]) => [key, record]));
