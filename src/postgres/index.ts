export { StoreError, type StoreErrorCode } from '../sync/errors.ts';
export { type PostgresInbox, type PostgresInboxOptions, postgresInbox } from './inbox.ts';
export type { PostgresClient, PostgresPool } from './pool.ts';
export { type PostgresStoreOptions, postgresStore } from './store.ts';
