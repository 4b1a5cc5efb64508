import type { SyncEvent } from '../../sync/events.ts';
import type { DryRun, Sync } from '../../sync/index.ts';
import type { SyncStatus } from '../../sync/status.ts';
import { withServiceNames } from '../output/service-names.ts';
import { onScreen, type Screen } from './on-screen.ts';
import { count, duration } from './sentences.ts';

const REPORTED = [
  ...['migrated', 'started', 'progress', 'finished', 'refreshed', 'incomplete', 'skipped', 'webhook', 'checked'],
  ...['recovered', 'reader', 'misfit', 'history', 'error', 'continued'],
] as readonly SyncEvent['type'][];

/**
 * Reports events: one JSON object per line, or sentences on a terminal.
 *
 * @param goesOn the way in which a sync that does not end finds changes, such as `reads changes every 5 min`.
 * @returns A function that ends the output.
 */
export function reportTo(
  sync: Pick<Sync, 'on' | 'readAt'>,
  out: Screen & { isTTY?: boolean },
  goesOn?: string,
  { TERM }: NodeJS.ProcessEnv = process.env,
): () => void {
  const screen = out.isTTY ? onScreen(sync, out, { goesOn, hasEscapes: TERM !== 'dumb' }) : undefined;
  const report =
    screen?.report ?? ((event: SyncEvent) => out.write(`${JSON.stringify(withServiceNames(lineOf(event)))}\n`));
  for (const type of REPORTED) sync.on(type, report);
  return screen?.end ?? (() => {});
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
