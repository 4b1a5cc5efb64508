export { StoreError, type StoreErrorCode } from '../internal/store-error.ts';
export { createSync, type Sync, type SyncCallOptions } from './create-sync.ts';
export type * from './events.ts';
export type { SyncInbox, SyncIntervals, SyncOptions, SyncWebhook } from './options.ts';
export type { PassResult } from './pass.ts';
export type { SyncClient } from './service-reader.ts';
export type { SyncStatus } from './status.ts';
export type * from './store.ts';
export type { SyncedType } from './tables/names.ts';
