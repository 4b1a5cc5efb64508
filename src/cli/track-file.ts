import type { TrackingClient } from '../client.ts';
import { NotFoundError, TrackingError } from '../errors.ts';
import { concurrentMap } from '../internal/concurrent-map.ts';
import type { TrackedRequest } from '../model/index.ts';
import { printable } from '../printable.ts';
import type { TrackItem } from '../tracking/track.ts';
import { TrackingPendingError } from '../tracking/tracking-errors.ts';
import type { WaitOptions } from '../tracking/wait-options.ts';
import { API_OPTIONS } from './api.ts';
import { CommandError, choiceOption, durationOption, EXIT, type OptionValues, textOption } from './command.ts';
import { REQUEST_TYPES } from './commands/tracking-requests.ts';
import { failureOf } from './failure.ts';
import { type NumberRow, type RowProblem, readNumbers } from './numbers-file.ts';
import { type OutcomeRow, openOutcomes } from './outcomes-file.ts';
import { isForPrograms, print, say } from './output/print.ts';
import { plainly } from './plainly.ts';
import { follow, openRequests, sentenceAbout } from './requested-before.ts';
import { digitProblem, trackedBefore } from './tracked-before.ts';
import { inWords } from './words.ts';

/** Tracks the numbers of the file `--from`, and writes their outcomes into the file `--to`. @throws {CommandError} unless all are tracked. */
export async function trackFile(values: OptionValues, client: TrackingClient, signal: AbortSignal): Promise<void> {
  const rows = await readNumbers(String(values.from), REQUEST_TYPES, textOption(values, 'number-column'));
  const [scac, type] = [textOption(values, 'scac')?.toUpperCase(), choiceOption(values, 'type', REQUEST_TYPES)];
  const options = { waitTimeout: durationOption(values, 'wait'), signal };
  const to = String(values.to);
  const outcomes = await openOutcomes(to);
  const left = rows.filter(({ key }) => outcomes.of(key)?.outcome !== 'tracked');
  const counts = { tracked: rows.length - left.length, failed: 0, pending: 0 };
  let retryable = false;
  try {
    if (counts.tracked > 0) say(`Tracked before: ${counts.tracked} of ${rows.length}.`);
    const items = left.map(row => ({
      row,
      number: row.number,
      scac: row.scac ?? scac,
      type: REQUEST_TYPES.find(known => known === row.type) ?? type,
      before: outcomes.of(row.key),
    }));
    let done = 0;
    for await (const { key, ...result } of outcomesOf(client, items, options)) {
      counts[result.outcome] += 1;
      retryable ||= result.retryable;
      await outcomes.add(key, result);
      const { text, outcome, reason } = result;
      done += 1;
      say(
        printable(`${done} of ${left.length}  ${[text, outcome].filter(Boolean).join(': ')}${reason && `, ${reason}`}`),
      );
    }
    await outcomes.arrange(rows.map(({ key }) => key));
  } finally {
    await outcomes.close();
  }
  const summary = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  await print(isForPrograms(values) ? JSON.stringify(counts) : summary.join(', '));
  const open = counts.failed + counts.pending;
  if (open === 0) return;
  const [code, exitCode] =
    counts.failed > 0 ? (['failed', EXIT.failed] as const) : (['pending', EXIT.pending] as const);
  const message = `Not tracked: ${open} of ${rows.length} numbers. ${to} has the reasons. The same command tries only these again.`;
  throw new CommandError(message, exitCode, { code, retryable });
}

interface Item extends TrackItem {
  row: NumberRow;
  /** Its outcome in an earlier run. */
  before: OutcomeRow | undefined;
}

interface Outcome extends OutcomeRow {
  key: string;
  outcome: 'tracked' | 'failed' | 'pending';
  retryable: boolean;
}

/** The outcomes of numbers, as they come: first of those that need no request of their own. */
async function* outcomesOf(
  client: TrackingClient,
  items: readonly Item[],
  options: { waitTimeout: number; signal: AbortSignal },
): AsyncGenerator<Outcome> {
  const { signal } = options;
  const right = items.filter(item => !problemOf(item));
  const shipments = await trackedBefore(client, right, { signal });
  for (const item of items) {
    const problem = problemOf(item);
    const shipment = shipments.get(item.number);
    const scac = shipment?.shipping_line_scac ?? item.scac ?? '';
    if (problem) yield { ...noneOf(item), outcome: 'failed', ...problem };
    else if (shipment) yield { ...noneOf(item), scac, outcome: 'tracked', shipment_id: shipment.id };
  }
  const open = right.filter(({ number }) => !shipments.has(number));
  const requests = await openRequests(client, open, { signal });
  const requestOf = (item: Item) => requests.get(item.number) ?? openId(item);
  for (const item of open) sayBefore(item, requests.get(item.number));
  const waits = { concurrency: MOST_AT_ONCE, startNext: 'at-yield', signal } as const;
  const results = concurrentMap(open, waits, (item, _, signal) =>
    trackItem(client, item, requestOf(item), { ...options, signal }),
  );
  for await (const result of results) {
    yield { ...noneOf(result.item), ...(result.ok ? trackedRow(result) : failedRow(result.error)) };
  }
}

/** It limits memory only. */
const MOST_AT_ONCE = 1000;

async function trackItem(
  client: TrackingClient,
  { row, before, ...item }: Item,
  request: string | TrackedRequest | undefined,
  options: WaitOptions,
) {
  try {
    if (request) return await follow(client, request, item, options);
  } catch (error) {
    // The file may be of another account.
    if (!(error instanceof NotFoundError)) throw error;
  }
  return client.track({ ...item, ...options });
}

/** The id of the request that had no outcome at the end of the run before. */
function openId({ before }: Item): string | undefined {
  return before?.outcome === 'pending' ? before.tracking_request_id || undefined : undefined;
}

function sayBefore(item: Item, request: TrackedRequest | undefined): void {
  const [{ before, row }, id] = [item, openId(item)];
  if (request) say(printable(`${sentenceAbout(request)} It is not requested again.`));
  else if (id) say(printable(`${row.text} was requested before (${id}). It is not requested again.`));
  else if (before?.tracking_request_id)
    say(printable(`${row.text} was requested before, and failed: ${before.reason} It is requested again.`));
}

/** Why a row cannot be sent, with its line. */
function problemOf({ row, number, type }: Item): RowProblem | undefined {
  const digit = digitProblem({ number, type });
  const problem = row.problem ?? (digit === undefined ? undefined : { code: 'check_digit', reason: digit });
  return problem && { code: problem.code, reason: `Line ${row.line}: ${problem.reason}` };
}

function noneOf(item: Item) {
  const { key, text } = item.row;
  const ids = { tracking_request_id: openId(item) ?? '', shipment_id: '' };
  return { key, text, scac: item.scac ?? '', ...ids, code: '', reason: '', retryable: false };
}

function trackedRow({ trackingRequest, shipment }: { trackingRequest: TrackedRequest; shipment: { id: string } }) {
  const { id, scac } = trackingRequest;
  const ids = { tracking_request_id: id, shipment_id: shipment.id };
  return { ...(scac && { scac }), ...ids, outcome: 'tracked' as const };
}

function failedRow(error: unknown) {
  const outcome = error instanceof TrackingPendingError ? ('pending' as const) : ('failed' as const);
  const code = error instanceof TrackingError ? error.code : 'unknown';
  const { trackingRequest } = Object(error) as { trackingRequest?: { id: string } };
  const reason = inWords(error instanceof TrackingError ? plainly(error) : String(error), { options: API_OPTIONS });
  const retryable = (failureOf(error) as Partial<CommandError>).details?.retryable === true;
  return { outcome, ...(trackingRequest && { tracking_request_id: trackingRequest.id }), code, reason, retryable };
}
