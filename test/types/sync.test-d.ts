import { expectTypeOf, test } from 'vitest';
import { createSync, type RecordAt, type StatusAt, type SyncClient, type SyncStore } from '../../src/sync/index.ts';

declare const client: SyncClient;
declare const store: SyncStore;

test('the history is on or off, or has settings by record type', () => {
  createSync({ client, store, history: true });
  createSync({ client, store, history: { fields: { container: ['current_status'] }, keepDays: 365 } });
  // @ts-expect-error a record type that sync does not keep
  createSync({ client, store, history: { fields: { box: ['current_status'] } } });
  // @ts-expect-error a single field must be in a list too
  createSync({ client, store, history: { fields: { container: 'current_status' } } });
  // @ts-expect-error a name that does not exist
  createSync({ client, store, history: { keepdays: 1 } });
});

test('statusAt() takes a date, and returns a list of records with their statuses', () => {
  const sync = createSync({ client, store });
  expectTypeOf(sync.statusAt).parameters.toEqualTypeOf<[Date]>();
  expectTypeOf(sync.statusAt).returns.resolves.toEqualTypeOf<StatusAt>();
  expectTypeOf<StatusAt['records']>().toEqualTypeOf<RecordAt[]>();
});
