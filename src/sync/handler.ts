import { isIdentifier, isRecord } from '../jsonapi/document.ts';
import { mainRecordOf } from '../webhooks/notification/main-record.ts';
import type { Notification } from '../webhooks/notification/notification.ts';
import { type Context, commit } from './context.ts';
import { dueReads, keyOf, type LiveRow, type PlainRecord, referencesOf } from './rows.ts';
import type { SyncRef } from './store.ts';
import { isStorableId } from './tables/canonical.ts';
import { isSyncedType, SYNCED_TYPES, type SyncedType } from './tables/names.ts';

/** Types whose records are always complete in a payload, as in the responses of the service. */
const ALWAYS_WHOLE: ReadonlySet<string> = new Set([
  'port',
  'metro_area',
  'terminal',
  'rail_terminal',
  'vessel',
  'party',
]);

/** Attributes that are missing in the shorter forms of payloads (docs/service/webhooks.md#payloads). */
const SIGNS_OF_WHOLE: Partial<Record<SyncedType, readonly string[]>> = {
  container: [
    'current_status',
    'import_deadlines',
    'pol_vessel_departed_at',
    'pod_rail_loaded_at',
    'transport_events',
    'shipment',
  ],
  shipment: ['line_tracking_last_succeeded_at', 'pod_ata_at', 'containers', 'port_of_lading'],
  tracking_request: ['status', 'updated_at', 'tracked_object'],
  transport_event: ['created_at', 'container', 'location'],
  document: ['created_at', 'shipments', 'cargos'],
};

/**
 * Writes the records that a notification contains, and marks the other records of the event as due to be read. It sends
 * no requests. Therefore every process may handle notifications, even if it is not the reader.
 *
 * The rows have the time of the notification. This time is rounded down to a second. The content was true in that
 * second. Therefore stored content with a later time is newer. Stored content with the same time is a tie, and the
 * record is read again.
 *
 * A notification without a time, or with a time in the future, writes nothing: its records are read.
 *
 * A payload changes only records that the store already has. A record that the store does not have, for example from
 * the sample of a self-check, is stored only if a read shows that the service has it.
 */
export function createHandler(
  context: Omit<Context, 'lists'>,
  onDue: () => void,
): (notification: Notification) => Promise<void> {
  const { store, types, emit, reader } = context;

  return async notification => {
    await context.checkHistory();
    const { id, event, created_at } = notification;
    const created = Date.parse(created_at);
    const isDated = !Number.isNaN(created) && !reader.clock.isAhead(created);
    const asOf = isDated ? Math.floor(created / 1000) * 1000 : 0;
    const subjects = subjectsOf(notification, types);
    const unknown = new Set((await store.missing(subjects)).map(keyOf));
    const isKnown = isDated && unknown.size < subjects.length;
    const sent = (notification.included as readonly PlainRecord[]).filter(isWhole);
    const rows = isKnown ? rowsFrom(sent, asOf, types).filter(row => !unknown.has(keyOf(row))) : [];
    const written = new Set(rows.map(keyOf));
    const expected = SYNCED_TYPES.filter(type => types.has(type));
    const missing = await store.missing(referencesOf(rows, expected));
    // The shortest payloads do not name a record. If the same notification is read from the service, it names its
    // record.
    const unnamed = subjects.length === 0 ? [{ type: 'webhook_notification' as const, id }] : [];
    const due = dueReads([...unnamed, ...missing, ...subjects.filter(ref => !written.has(keyOf(ref)))], asOf, rows);
    const result = await commit(context, { rows, due });
    const ties = dueReads(result.ties, asOf, rows);
    if (ties.length > 0) await commit(context, { rows: [], due: ties });
    if (due.length + ties.length > 0) onDue();
    const lagMs = reader.requests > 0 && asOf > 0 ? Math.max(0, reader.clock.now() - asOf) : undefined;
    emit({ type: 'handled', id, event, written: result.written, due: due.length + ties.length, lagMs });
  };
}

/** The events that change only the container. Their notifications do not include the container. */
const CONTAINER_ONLY = /\.(?:available|not_available|delivered)$|\.pickup_/;

/** The records that a notification is about, if sync keeps their types. They must be up to date afterwards. */
export function subjectsOf(notification: Notification, types: ReadonlySet<SyncedType>): SyncRef[] {
  const { event, reference_object, document, container, shipment } = notification;
  const subject: Record<string, unknown> = isRecord(reference_object) ? reference_object : {};
  const named = [mainRecordOf(notification), document, container, subject.container];
  if (!CONTAINER_ONLY.test(event)) named.push(shipment, subject.shipment as SyncRef | undefined);
  if (subject.type === 'tracking_request') named.push(subject.tracked_object as SyncRef | undefined);
  const found = new Map<string, SyncRef>();
  for (const ref of named) {
    if (!isIdentifier(ref) || !isSyncedType(ref.type) || !types.has(ref.type) || !isStorableId(ref.id)) continue;
    found.set(keyOf(ref), { type: ref.type, id: ref.id });
  }
  return [...found.values()];
}

function isWhole(record: PlainRecord): boolean {
  if (ALWAYS_WHOLE.has(record.type)) return true;
  const signs = SIGNS_OF_WHOLE[record.type as SyncedType];
  return signs?.every(name => Object.hasOwn(record, name)) ?? false;
}

function rowsFrom(records: readonly PlainRecord[], asOf: number, types: ReadonlySet<SyncedType>): LiveRow[] {
  return records.flatMap(record => {
    const { type, id } = record;
    return isSyncedType(type) && types.has(type) && isStorableId(id) ? [{ type, id, asOf, record }] : [];
  });
}
