export { StoreError, type StoreErrorCode } from '../sync/errors.ts';
export type { PostgresClient, PostgresPool } from './pool.ts';
export { type PostgresStoreOptions, postgresStore } from './store.ts';
