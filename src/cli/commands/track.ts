import type { TrackingClient } from '../../client.ts';
import { numberAsSent } from '../../domain/container-number.ts';
import { TrackingError } from '../../errors.ts';
import { dynamicInclude } from '../../jsonapi/include.ts';
import { printable } from '../../printable.ts';
import type { TrackItem } from '../../tracking/track.ts';
import type { TrackResult } from '../../tracking/track-many.ts';
import { TrackingPendingError } from '../../tracking/tracking-errors.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  CommandError,
  choiceOption,
  durationOption,
  EXIT,
  type OptionValues,
  textOption,
  wrongUsage,
} from '../command.ts';
import { failureOf } from '../failure.ts';
import { type NumberRow, type OutcomeRow, openOutcomes, readNumbers } from '../numbers-file.ts';
import { FIELDS_OPTION, isForPrograms, print, printValue, say } from '../output/print.ts';
import { digitProblem, trackedBefore } from '../tracked-before.ts';
import { inWords } from '../words.ts';
import { JOURNEY, journeysOf } from './journey.ts';
import { NUMBER_OPTIONS, REQUEST_TYPES } from './tracking-requests.ts';

export const command: Command = {
  about: `A number that the account tracks already is not sent again: the shipment that exists is printed.

With --from, the numbers are those of a CSV file with the columns number, scac and type, of which only the first is needed; - stands for the standard input. The outcomes are appended to the CSV file of --to as they come: the number as you wrote it, the ids, and the reason of a failure. At the end they are put into the order of the numbers. Started again with the same files, it goes on: what is tracked is not sent again, and what has failed or is pending is tried again.`,
  options: {
    ...NUMBER_OPTIONS,
    wait: {
      type: 'string',
      value: 'DURATION',
      default: '2m',
      help: 'how long to wait for the outcome; a number alone is in seconds',
    },
    from: { type: 'string', value: 'FILE', help: 'tracks the numbers of this CSV file; needs --to' },
    to: { type: 'string', value: 'FILE', help: 'the CSV file of the outcomes' },
    'number-column': {
      type: 'string',
      value: 'NAME',
      help: 'the column of --from that has the numbers; number unless given',
    },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['[NUMBER]'],
  run: (values, [number]) =>
    withClient(values, (client, signal) => {
      const { from, to } = values;
      if (from === undefined && to === undefined) {
        if (number === undefined) throw wrongUsage('The command track needs NUMBER, or --from FILE --to FILE.');
        return trackNumber(values, number, client, signal);
      }
      if (from === undefined || to === undefined) throw wrongUsage('--from and --to belong together.');
      if (number !== undefined) throw wrongUsage(`--from takes the place of the number ${number}.`);
      return trackFile(values, client, signal);
    }),
};

async function trackNumber(
  values: OptionValues,
  given: string,
  client: TrackingClient,
  signal: AbortSignal,
): Promise<void> {
  const number = numberAsSent(given);
  const scac = textOption(values, 'scac');
  const type = choiceOption(values, 'type', REQUEST_TYPES);
  const waitTimeout = durationOption(values, 'wait');
  const problem = digitProblem({ number, type });
  if (problem) throw wrongUsage(problem);
  const before = (await trackedBefore(client, [{ number, scac, type }], { signal })).get(number);
  if (before) say(printable(`${given} is tracked already.`));
  const { trackingRequest, shipment } = before
    ? { trackingRequest: await requestBefore(client, number, signal), shipment: before }
    : await client.track({
        number,
        scac,
        type,
        waitTimeout,
        signal,
        onProgress: ({ trackingRequest: { status } }) => say(`${printable(number)}: ${printable(status)} …`),
      });
  const include = isForPrograms(values) ? (['containers.transport_events'] as const) : JOURNEY;
  const voyage = await client.shipments.get(shipment.id, { include: dynamicInclude(include), signal });
  await printValue(values, { trackingRequest, shipment: voyage }, () => journeysOf(voyage));
}

/** None if the shipment was tracked by another number. */
async function requestBefore(client: TrackingClient, request_number: string, signal: AbortSignal) {
  const { data } = await client.trackingRequests.list({ filter: { request_number }, signal });
  return data.find(({ status }) => status === 'created') ?? null;
}

async function trackFile(values: OptionValues, client: TrackingClient, signal: AbortSignal): Promise<void> {
  const rows = await readNumbers(String(values.from), REQUEST_TYPES, textOption(values, 'number-column'));
  const [scac, type] = [textOption(values, 'scac'), choiceOption(values, 'type', REQUEST_TYPES)];
  const waitTimeout = durationOption(values, 'wait');
  const outcomes = await openOutcomes(String(values.to));
  const counts = { tracked: 0, failed: 0, pending: 0 };
  let retryable = false;
  try {
    const left = rows.filter(({ text }) => !outcomes.isTracked(text));
    if (left.length < rows.length) say(`${rows.length - left.length} numbers are tracked already.`);
    const items = left.map(row => ({
      text: row.text,
      number: row.number,
      scac: row.scac ?? scac,
      type: (row.type as typeof type) ?? type,
    }));
    for await (const result of outcomesOf(client, items, { waitTimeout, signal })) {
      counts[result.outcome] += 1;
      retryable ||= result.retryable;
      await outcomes.add(result);
      const { text, outcome, reason } = result;
      const done = counts.tracked + counts.failed + counts.pending;
      say(printable(`${done} of ${left.length}  ${text}: ${outcome}${reason && `, ${reason}`}`));
    }
    await outcomes.arrange(rows.map(({ text }) => text));
  } finally {
    await outcomes.close();
  }
  const summary = () =>
    Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  await print(isForPrograms(values) ? JSON.stringify(counts) : summary());
  const open = counts.failed + counts.pending;
  if (open === 0) return;
  const [code, exitCode] =
    counts.failed > 0 ? (['failed', EXIT.failed] as const) : (['pending', EXIT.pending] as const);
  throw new CommandError(`${open} of the numbers are not tracked: see ${values.to}.`, exitCode, {
    code,
    retryable,
  });
}

type Item = Pick<NumberRow, 'text'> & TrackItem;
type Outcome = OutcomeRow & { index: number; retryable: boolean };

/** The outcomes of numbers, as they come: first of those that need no request of their own. */
async function* outcomesOf(
  client: TrackingClient,
  items: readonly Item[],
  options: { waitTimeout: number; signal: AbortSignal },
): AsyncGenerator<Outcome> {
  const right = items.filter(item => !digitProblem(item));
  const before = await trackedBefore(client, right, { signal: options.signal });
  const open: number[] = [];
  for (const [index, item] of items.entries()) {
    const shipment = before.get(item.number);
    const reason = digitProblem(item);
    const row = { ...NONE, index, text: item.text, scac: item.scac ?? '' };
    if (reason) yield { ...row, outcome: 'failed', code: 'check_digit', reason };
    else if (shipment)
      yield { ...row, scac: shipment.shipping_line_scac ?? row.scac, outcome: 'tracked', shipment_id: shipment.id };
    else open.push(index);
  }
  const sent = open.map(index => items[index] as Item);
  for await (const result of client.trackMany(
    sent.map(({ text, ...item }) => item),
    options,
  )) {
    const index = open[result.index] as number;
    yield { ...outcomeOf(result), index, text: items[index]?.text ?? '' };
  }
}

const NONE = { tracking_request_id: '', shipment_id: '', code: '', reason: '', retryable: false };

function outcomeOf(result: TrackResult): Omit<Outcome, 'index' | 'text'> {
  const scac = result.item.scac ?? '';
  if (result.ok) {
    const { trackingRequest, shipment } = result;
    const ids = { tracking_request_id: trackingRequest.id, shipment_id: shipment.id };
    return { ...NONE, ...ids, scac: trackingRequest.scac ?? scac, outcome: 'tracked' };
  }
  const { error } = result;
  const outcome = error instanceof TrackingPendingError ? 'pending' : 'failed';
  const code = error instanceof TrackingError ? error.code : 'unknown';
  const { trackingRequest } = Object(error) as { trackingRequest?: { id: string } };
  const reason = inWords(error instanceof Error ? error.message : String(error), command);
  const retryable = (failureOf(error) as Partial<CommandError>).details?.retryable === true;
  return { ...NONE, scac, outcome, tracking_request_id: trackingRequest?.id ?? '', code, reason, retryable };
}
