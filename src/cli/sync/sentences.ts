import type { PassPhase, SyncEvent } from '../../sync/events.ts';
import { inWords } from '../words.ts';

const BEGINNINGS: Readonly<Record<PassPhase, string>> = {
  backfill: 'Filling the store',
  reconcile: 'Reading everything again',
  resync: 'Reading tables again',
};

/** The sentence for an event on a terminal; `undefined` for an event that needs no sentence. */
export function sentenceOf(event: SyncEvent): string | undefined {
  switch (event.type) {
    case 'migrated':
      return event.from === event.to ? undefined : `The tables are at version ${event.to}.`;
    case 'started': {
      const what = BEGINNINGS[event.phase];
      const how = event.resumed ? ', from where it was interrupted' : '';
      return `${what}${how}: ${count(event.records)} records in about ${count(event.requests)} requests, ${duration(event.estimatedMs)}.`;
    }
    case 'finished':
      return `Done: ${count(event.records)} records read, ${count(event.written)} rows written, ${count(event.deleted)} marked as deleted, ${count(event.requests)} requests.`;
    case 'refreshed':
      return `${count(event.written)} rows have changed: ${count(event.records)} records read, ${count(event.requests)} requests.`;
    case 'incomplete':
      return `${count(event.missing)} of ${count(event.total)} ${event.list} have moved while they were read. The next reading may find them.`;
    case 'skipped':
      return `${event.list ?? `${event.record?.type} ${event.record?.id}`} cannot be read: ${messageOf(event.error)}`;
    case 'webhook':
      return `Webhook ${event.id} sends to ${event.url}.`;
    case 'checked':
    case 'history':
      return inWords(event.message, { options: {} });
    case 'recovered':
      return `${count(event.records)} records of notifications that did not arrive are read now.`;
    case 'reader':
      return event.active ? undefined : 'Another process reads. This process waits to take over.';
    case 'misfit':
      return `${event.count} values of ${event.recordType}.${event.column} are not of the kind ${event.expected}: see the column record.`;
    case 'continued':
      return `The work succeeds again after ${duration(event.afterMs)}.`;
    default:
      return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function duration(ms: number): string {
  if (ms < 1000) return 'a moment';
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
