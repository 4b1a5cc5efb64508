import type { TrackingClient } from '../client.ts';
import { NotFoundError, TrackingError } from '../errors.ts';
import { concurrentMap } from '../internal/concurrent-map.ts';
import type { TrackedRequest } from '../model/index.ts';
import { printable } from '../printable.ts';
import { isGone } from '../tracking/read-errors.ts';
import type { TrackItem } from '../tracking/track.ts';
import { TrackingFailedError, TrackingPendingError } from '../tracking/tracking-errors.ts';
import type { WaitOptions } from '../tracking/wait-options.ts';
import { API_OPTIONS } from './api.ts';
import {
  CommandError,
  choiceOption,
  durationOption,
  EXIT,
  inUnits,
  type OptionValues,
  textOption,
  wrongUsage,
} from './command.ts';
import { REQUEST_TYPES } from './commands/tracking-requests.ts';
import { failureOf } from './failure.ts';
import { type NumberRow, type RowProblem, readNumbers } from './numbers-file.ts';
import { type OutcomeRow, openOutcomes } from './outcomes-file.ts';
import { isForPrograms, print, say } from './output/print.ts';
import { timeHere } from './output/times.ts';
import { isFinal, plainly, reasonOf, stateOf } from './plainly.ts';
import { type Found, openRequests, trackOrFollow } from './requested-before.ts';
import { digitProblem, trackedBefore } from './tracked-before.ts';
import { inWords } from './words.ts';

/** Tracks the numbers of the file `--from`, and writes their outcomes into the file `--to`. @throws {CommandError} unless all are tracked. */
export async function trackFile(values: OptionValues, client: TrackingClient, signal: AbortSignal): Promise<void> {
  const { rows, unused } = await readNumbers(String(values.from), REQUEST_TYPES, textOption(values, 'number-column'));
  if (rows.length === 0) throw wrongUsage(printable(`${values.from} has no numbers.`));
  const [scac, type] = [textOption(values, 'scac')?.toUpperCase(), choiceOption(values, 'type', REQUEST_TYPES)];
  const options = { waitTimeout: durationOption(values, 'wait'), signal };
  const to = String(values.to);
  if (to === '-') throw wrongUsage('--to must be a file: the next run reads from it which numbers are done.');
  const outcomes = await openOutcomes(to);
  const earlier = rows.flatMap(({ key }) => outcomes.of(key) ?? []).filter(({ outcome }) => outcome === 'tracked');
  const left = rows.filter(({ key }) => outcomes.of(key)?.outcome !== 'tracked');
  const counts = { tracked: rows.length - left.length, failed: 0, pending: 0 };
  let retryable = false;
  let done = 0;
  try {
    await requireSameAccount(client, to, earlier, signal);
    if (unused.length > 0) say(printable(`Columns that are not used: ${unused.join(', ')}.`));
    sayRepeats(rows);
    if (counts.tracked > 0) say(`Tracked before: ${counts.tracked} of ${rows.length}.`);
    const items = left.map(row => ({
      row,
      number: row.number,
      scac: row.scac ?? scac,
      type: REQUEST_TYPES.find(known => known === row.type) ?? type,
      ref_numbers: row.references.length > 0 ? [...row.references] : undefined,
      before: outcomes.of(row.key),
      again: values.again === true,
    }));
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
  } catch (error) {
    if (signal.aborted)
      say(`Outcomes in ${to}: ${done} of ${left.length}. The same command continues with the others.`);
    throw error;
  } finally {
    await outcomes.close();
  }
  const summary = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  await print(isForPrograms(values) ? JSON.stringify(counts) : summary.join(', '));
  const open = counts.failed + counts.pending;
  if (open === 0) return;
  const [code, exitCode] =
    counts.failed > 0 ? (['failed', EXIT.failed] as const) : (['pending', EXIT.pending] as const);
  const message = `Not tracked: ${open} of ${rows.length} numbers. ${to} has the reasons. The same command tries these again, unless they have failed permanently.`;
  throw new CommandError(message, exitCode, { code, retryable });
}

/**
 * Looks for the first and the last tracked shipment of the file in the account.
 *
 * @throws {CommandError} if the account does not have one of them: its number would wrongly count as tracked.
 */
async function requireSameAccount(
  { shipments }: TrackingClient,
  path: string,
  tracked: readonly OutcomeRow[],
  signal: AbortSignal,
): Promise<void> {
  const known = tracked.filter(({ shipment_id }) => shipment_id !== '');
  for (const { text, shipment_id } of new Set([...known.slice(0, 1), ...known.slice(-1)])) {
    await shipments.get(shipment_id, { signal }).catch(error => {
      if (!isGone(error)) throw error;
      throw wrongUsage(
        printable(
          `${path} says that ${text} is tracked, but this account has no shipment with the id ${shipment_id}. If the file is of another account, use another file for --to. If the shipment was deleted, delete the line of ${text}.`,
        ),
      );
    });
  }
}

const MOST_REPEATS = 10;

/** Says which lines of the file have the number of an earlier line. */
function sayRepeats(rows: readonly NumberRow[]): void {
  const repeats = rows.flatMap(row => row.repeats.map(repeat => ({ ...repeat, of: row })));
  for (const { line, text, of } of repeats.slice(0, MOST_REPEATS)) {
    const spelling = text === of.text ? '' : `, as ${of.text}`;
    const all = of.references.length > 1 ? `, with the references ${of.references.join(', ')}` : '';
    say(printable(`Line ${line} (${text}) repeats line ${of.line}${spelling}: the number is tracked once${all}.`));
  }
  const left = repeats.length - MOST_REPEATS;
  if (left > 0) say(`${left} more lines repeat an earlier line.`);
}

interface Item extends TrackItem {
  row: NumberRow;
  /** The outcome of the number in an earlier run. */
  before: OutcomeRow | undefined;
  /** True if the number is requested again even after a final failure. */
  again: boolean;
}

interface Outcome extends OutcomeRow {
  key: string;
  outcome: 'tracked' | 'failed' | 'pending';
  retryable: boolean;
}

/**
 * The outcomes of numbers, in the order in which they become known. Numbers without a new tracking request come first.
 */
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
    else if (shipment) {
      const reason = unsavedReferences(item, shipment.ref_numbers);
      yield { ...noneOf(item), scac, outcome: 'tracked', shipment_id: shipment.id, reason };
    }
  }
  const others = right.filter(({ number }) => !shipments.has(number));
  for (const item of others) {
    const { before, row } = item;
    if (!before || !isRefused(item)) continue;
    say(printable(`${row.text} was requested before, and failed permanently. It is not requested again: see --again.`));
    yield { ...noneOf(item), ...before, key: row.key, outcome: 'failed' };
  }
  const open = others.filter(item => !isRefused(item));
  const requests = await openRequests(client, open, { signal });
  const requestOf = (item: Item) => requests.get(item.number) ?? openId(item);
  sayBefore(
    open.filter(requestOf).length,
    open.filter(item => !requestOf(item)),
  );
  if (open.length > 0) say(`Waiting for ${open.length}, up to ${inUnits(options.waitTimeout)} …`);
  const waits = { concurrency: MOST_AT_ONCE, startNext: 'at-yield', signal } as const;
  const results = concurrentMap(open, waits, (item, _, signal) =>
    trackItem(client, item, requestOf(item), { ...options, signal }),
  );
  for await (const result of results) {
    const { item } = result;
    // The number did not fail. The next run finds its tracking request, or makes a new one.
    if (!result.ok && signal.aborted) continue;
    const isNew = requestOf(item) === undefined;
    const row = result.ok ? trackedRow(result) : failedRow(result.error);
    const reason = result.ok && !isNew ? unsavedReferences(item, result.trackingRequest.ref_numbers) : '';
    yield { ...noneOf(item), reason, ...row };
  }
}

/** The command waits for the outcomes of at most this many numbers at the same time. This limit only saves memory. */
const MOST_AT_ONCE = 1000;

async function trackItem(
  client: TrackingClient,
  { row, before, again: _, ...item }: Item,
  request: string | TrackedRequest | undefined,
  options: WaitOptions,
): Promise<Found> {
  try {
    return await trackOrFollow(client, request, item, options);
  } catch (error) {
    // The file may have the request id of another account.
    if (request === undefined || !(error instanceof NotFoundError)) throw error;
    return trackOrFollow(client, undefined, item, options);
  }
}

/** The id of the tracking request that had no outcome at the end of the earlier run. */
function openId({ before }: Item): string | undefined {
  return before?.outcome === 'pending' ? before.tracking_request_id || undefined : undefined;
}

/**
 * True if another request of the number does not help, because the earlier request for the same carrier has failed
 * permanently.
 */
function isRefused({ before, scac, again }: Item): boolean {
  return !again && before?.outcome === 'failed' && isFinal(before.reason) && (!scac || scac === before.scac);
}

function sayBefore(openCount: number, others: readonly Item[]): void {
  if (openCount > 0) say(`Not requested again, because an earlier request has no outcome yet: ${openCount}.`);
  for (const { before, row } of others) {
    if (!before?.tracking_request_id) continue;
    say(printable(`${row.text} was requested before, and failed: ${before.reason} It is requested again.`));
  }
}

/** The reason why a row cannot be sent, with the line of the row. */
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

/** A sentence about the references of a row, if the number was tracked or requested before without them. */
function unsavedReferences(
  { row: { references } }: Item,
  stored: readonly (string | null)[] | null | undefined,
): string {
  const left = references.filter(reference => !stored?.includes(reference));
  if (left.length === 0) return '';
  const subject = left.length === 1 ? `the reference ${left[0]} was` : `the references ${left.join(', ')} were`;
  return `${subject} not stored, because the number was tracked before. See shipments update.`;
}

function trackedRow({ trackingRequest, shipment }: Found) {
  const { id, scac } = trackingRequest;
  const ids = { tracking_request_id: id, shipment_id: shipment.id };
  return { ...(scac && { scac }), ...ids, outcome: 'tracked' as const };
}

function failedRow(error: unknown) {
  const { trackingRequest } = Object(error) as Partial<Pick<Found, 'trackingRequest'>>;
  const row = {
    outcome: error instanceof TrackingPendingError ? ('pending' as const) : ('failed' as const),
    code: error instanceof TrackingError ? error.code : 'unknown',
    reason: inWords(reasonFor(error), { options: API_OPTIONS }),
    retryable: (failureOf(error) as Partial<CommandError>).details?.retryable === true,
  };
  return trackingRequest ? { ...row, tracking_request_id: trackingRequest.id } : row;
}

/** The reason for a failure. It does not name the number, which is in the same row. */
function reasonFor(error: unknown): string {
  if (error instanceof TrackingFailedError) return `${reasonOf(error.failedReason)}.`;
  if (error instanceof TrackingPendingError) {
    const when = timeHere(error.trackingRequest.created_at);
    return `${stateOf(error.trackingRequest)}${when ? `; requested on ${when}` : ''}.`;
  }
  return error instanceof TrackingError ? plainly(error) : String(error);
}
