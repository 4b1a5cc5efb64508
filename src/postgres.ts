export type { PostgresClient, PostgresPool } from './internal/postgres.ts';
export { StoreError, type StoreErrorCode } from './internal/store-error.ts';
export { type PostgresStoreOptions, postgresStore } from './sync/postgres/postgres-store.ts';
export { type PostgresInbox, type PostgresInboxOptions, postgresInbox } from './webhooks/inbox/postgres-inbox.ts';
