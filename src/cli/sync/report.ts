import { printable } from '../../printable.ts';
import type { PassPhase, SyncEvent } from '../../sync/events.ts';
import type { DryRun, Sync } from '../../sync/index.ts';
import type { SyncStatus } from '../../sync/status.ts';
import { withServiceNames } from '../output/service-names.ts';

const REPORTED = [
  ...['migrated', 'started', 'progress', 'finished', 'refreshed', 'incomplete', 'skipped', 'webhook', 'checked'],
  ...['recovered', 'reader', 'misfit', 'history', 'error', 'continued'],
] as readonly SyncEvent['type'][];

/**
 * Reports events: one JSON object per line, or a progress bar and sentences on a terminal. A terminal that does not
 * support escape sequences (`TERM=dumb`) gets only sentences.
 */
export function reportTo(
  sync: Sync,
  out: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean; columns?: number },
  { TERM }: NodeJS.ProcessEnv = process.env,
) {
  const report = out.isTTY
    ? barOn(out, TERM !== 'dumb')
    : (event: SyncEvent) => out.write(`${JSON.stringify(withServiceNames(lineOf(event)))}\n`);
  for (const type of REPORTED) sync.on(type, report);
}

function lineOf(event: SyncEvent): Record<string, unknown> {
  const { type, ...rest } = event as SyncEvent & { error?: unknown; secret?: unknown };
  const { error, secret: _, ...details } = rest;
  const failure = error === undefined ? {} : { error: errorOf(error) };
  return { at: new Date().toISOString(), event: type, ...details, ...failure };
}

function errorOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return { name: error.name, ...(code !== undefined && { code }), message: error.message };
}

function barOn(
  out: Pick<NodeJS.WriteStream, 'write'> & { columns?: number },
  hasEscapes: boolean,
): (event: SyncEvent) => void {
  const erase = hasEscapes ? '\r\u001B[K' : '';
  return event => {
    if (event.type === 'progress') {
      if (hasEscapes) out.write(`${erase}${bar(event, out.columns ?? 80)}`);
      return;
    }
    const sentence = sentenceOf(event);
    if (sentence !== undefined) out.write(`${erase}${printable(sentence)}\n`);
  };
}

function bar({ records, total, remainingMs, list }: Extract<SyncEvent, { type: 'progress' }>, columns: number): string {
  const part = total === 0 ? 1 : records / total;
  const words = ` ${Math.floor(part * 100)} % · ${count(records)} of ${count(total)} · ${list} · ${duration(remainingMs)} left`;
  const width = Math.max(10, Math.min(40, columns - words.length - 3));
  const full = Math.round(part * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]${words}`.slice(0, columns - 1);
}

const BEGINNINGS: Readonly<Record<PassPhase, string>> = {
  backfill: 'Filling the store',
  reconcile: 'Reading everything again',
  resync: 'Reading tables again',
};

/** Prints the result of a dry run: a line of JSON, or sentences on a terminal. */
export function planTo(out: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean }, plan: DryRun): void {
  out.write(
    `${out.isTTY ? planText(plan) : JSON.stringify(withServiceNames({ at: new Date().toISOString(), event: 'planned', ...plan }))}\n`,
  );
}

function planText({ requests, estimatedMs, records, tables }: DryRun): string {
  const changed = tables.filter(({ written, deleted }) => written + deleted > 0);
  const width = Math.max(...changed.map(({ table }) => table.length));
  const lines = changed.map(
    ({ table, written, deleted }) =>
      `\n  ${table.padEnd(width)} ${count(written).padStart(8)} to write, ${count(deleted)} to mark as deleted`,
  );
  const changes = changed.length > 0 ? `These rows would change:${lines.join('')}` : 'No row would change.';
  return `A pass takes ${count(requests)} requests, ${duration(estimatedMs)}, for ${count(records)} records. ${changes}\nNothing was written.`;
}

function sentenceOf(event: SyncEvent): string | undefined {
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
      return event.message;
    case 'recovered':
      return `${count(event.records)} records of notifications that did not arrive are read now.`;
    case 'reader':
      return event.active ? undefined : 'Another process reads. This process waits to take over.';
    case 'misfit':
      return `${event.count} values of ${event.recordType}.${event.column} are no ${event.expected}: see the column record.`;
    case 'error':
      return `${messageOf(event.error)} Tried again in ${duration(event.retryInMs)}.`;
    case 'continued':
      return `The work succeeds again after ${duration(event.afterMs)}.`;
    default:
      return undefined;
  }
}

/** The output of `--status` in a pipe, with the facts that a probe or a log needs. */
export function summaryOf({ version, due, oldestDue, readAt, tables }: SyncStatus): object {
  const timeOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  return {
    readAt: timeOf(readAt),
    due,
    oldestDue: timeOf(oldestDue),
    version,
    tables: tables.map(({ table, rows, deleted }) => ({ table, rows, deleted })),
  };
}

/** The output of `--status` on a terminal. */
export function statusText(description: string, status: SyncStatus, now = Date.now()): string {
  const { version, due, oldestDue = now, readAt, tables } = status;
  const ago = (time: number) => `${duration(now - time)} ago`;
  if (version === 0) return `${description}: no tables yet.`;
  const width = Math.max(...tables.map(({ table }) => table.length));
  const lines = tables.map(({ table, rows, deleted, newest }) => {
    const gone = deleted > 0 ? `, ${count(deleted)} deleted` : '';
    const as = newest === undefined ? '' : `, as of ${new Date(newest).toISOString()}, ${ago(newest)}`;
    return `  ${table.padEnd(width)} ${count(rows).padStart(8)}${gone}${as}`;
  });
  const waiting = due > 0 ? `\n${count(due)} records wait to be read, the first for ${duration(now - oldestDue)}.` : '';
  const read = readAt === undefined ? '' : `\nIn step with the service as of ${ago(readAt)}.`;
  return `${description}, version ${version}\n${lines.join('\n')}${waiting}${read}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function duration(ms: number): string {
  if (ms < 1000) return 'a moment';
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
