import { describeValue } from '../../internal/arguments.ts';
import { LAST_TIME } from './clock.ts';
import type { Store } from './store.ts';

type Records = Exclude<keyof Store, 'containerNumbers'>;
type RecordOf<C extends Records> = ReturnType<Store[C]['newestFirst']>[number];

/** The times of a record, and whether each may be missing. */
type TimesOf<T> = {
  readonly [K in keyof T & `${string}At` as T[K] extends number | null ? K : never]: null extends T[K] ? true : false;
};

const TIMES: { readonly [C in Records]: TimesOf<RecordOf<C>> } = {
  shipments: { createdAt: false, inPhaseAt: false, stoppedAt: true },
  containers: { createdAt: false, refreshedAt: true },
  partyRoles: { createdAt: false },
  trackingRequests: { createdAt: false, updatedAt: false },
  announced: { inPhaseAt: false },
  parties: {},
  webhooks: { createdAt: false },
  notifications: { createdAt: false, lastAttemptAt: true, dueAt: false },
  customFieldDefinitions: { createdAt: false, updatedAt: false },
  customFields: {},
  uploads: { createdAt: false },
  documents: { createdAt: false, updatedAt: false },
  emailSubmissions: { createdAt: false },
};

/**
 * Checks that all times in the records of an account are times.
 *
 * @throws {TypeError} for the first that is not one.
 */
export function checkTimes(store: Store): void {
  for (const [name, times] of Object.entries(TIMES)) {
    for (const record of store[name as Records].newestFirst()) {
      const values = record as unknown as Record<string, unknown>;
      for (const [field, mayBeMissing] of Object.entries(times)) {
        if (!(mayBeMissing && values[field] === null)) timeIn(`${field} in ${name}`, values[field]);
      }
    }
  }
  for (const { gaps } of store.shipments.newestFirst())
    for (const { from, to } of gaps) for (const at of [from, to]) timeIn('gaps in shipments', at);
  for (const { representation } of store.documents.newestFirst())
    if (representation) timeIn('createdAt in representations', representation.createdAt);
  for (const { about } of store.notifications.newestFirst())
    if ('at' in about) timeIn('about.at in notifications', about.at);
  for (const { definition, value } of store.customFields.newestFirst()) {
    if (definition.dataType === 'datetime' && value !== null)
      timeIn('value in customFields', Date.parse(String(value)));
  }
}

/** @throws {TypeError} for something else than a time. */
export function timeIn(where: string, value: unknown): void {
  if (typeof value === 'number' && Math.abs(value) <= LAST_TIME) return;
  throw new TypeError(`${where} is ${describeValue(value)}, which is not a time`);
}
