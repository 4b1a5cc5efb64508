import type { TrackingClient } from '../../client.ts';
import { TrackingError } from '../../errors.ts';
import { dynamicInclude } from '../../jsonapi/include.ts';
import { printable } from '../../printable.ts';
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
import { type OutcomeRow, openOutcomes, readNumbers } from '../numbers-file.ts';
import { FIELDS_OPTION, isForPrograms, printValue, say } from '../output/print.ts';
import { inWords } from '../words.ts';
import { JOURNEY, journeysOf } from './journey.ts';
import { NUMBER_OPTIONS, REQUEST_TYPES } from './tracking-requests.ts';

export const command: Command = {
  about: `With --from, the numbers are those of a CSV file with the columns number, scac and type, of which only the first is needed; - stands for the standard input. The outcomes are appended to the CSV file of --to as they come: the ids, and the reason of a failure. Started again with the same files, it goes on: what is tracked is not sent again, and what has failed or is pending is tried again.`,
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
  number: string,
  client: TrackingClient,
  signal: AbortSignal,
): Promise<void> {
  const { trackingRequest, shipment } = await client.track({
    number,
    scac: textOption(values, 'scac'),
    type: choiceOption(values, 'type', REQUEST_TYPES),
    waitTimeout: durationOption(values, 'wait'),
    signal,
    onProgress: ({ trackingRequest: { status } }) => say(`${printable(number)}: ${printable(status)} …`),
  });
  const include = isForPrograms(values) ? (['containers.transport_events'] as const) : JOURNEY;
  const voyage = await client.shipments.get(shipment.id, { include: dynamicInclude(include), signal });
  await printValue(values, { trackingRequest, shipment: voyage }, () => journeysOf(voyage));
}

async function trackFile(values: OptionValues, client: TrackingClient, signal: AbortSignal): Promise<void> {
  const rows = await readNumbers(String(values.from), REQUEST_TYPES);
  const outcomes = await openOutcomes(String(values.to));
  const counts = { tracked: 0, failed: 0, pending: 0 };
  let retryable = false;
  try {
    const left = rows.filter(({ number }) => outcomes.before.get(number) !== 'tracked');
    if (left.length < rows.length) say(`${rows.length - left.length} numbers are tracked already.`);
    const [scac, type] = [textOption(values, 'scac'), choiceOption(values, 'type', REQUEST_TYPES)];
    const items = left.map(row => ({
      number: row.number,
      scac: row.scac ?? scac,
      type: (row.type as typeof type) ?? type,
    }));
    for await (const result of client.trackMany(items, { waitTimeout: durationOption(values, 'wait'), signal })) {
      const outcome = outcomeOf(result);
      counts[outcome.outcome] += 1;
      if (!result.ok) retryable ||= (failureOf(result.error) as Partial<CommandError>).details?.retryable === true;
      await outcomes.add(outcome);
      const done = counts.tracked + counts.failed + counts.pending;
      say(
        printable(
          `${done} of ${left.length}  ${outcome.number}: ${outcome.outcome}${outcome.reason && `, ${outcome.reason}`}`,
        ),
      );
    }
  } finally {
    await outcomes.close();
  }
  await printValue(values, counts, () =>
    Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', '),
  );
  const open = counts.failed + counts.pending;
  if (open === 0) return;
  const [code, exitCode] =
    counts.failed > 0 ? (['failed', EXIT.failed] as const) : (['pending', EXIT.pending] as const);
  throw new CommandError(`${open} of the numbers are not tracked: see ${values.to}.`, exitCode, {
    code,
    retryable,
  });
}

function outcomeOf(result: TrackResult): OutcomeRow {
  const { number, scac = '' } = result.item;
  const none = { tracking_request_id: '', shipment_id: '', code: '', reason: '' };
  if (result.ok) {
    const { trackingRequest, shipment } = result;
    const ids = { tracking_request_id: trackingRequest.id, shipment_id: shipment.id };
    return { ...none, ...ids, number, scac: trackingRequest.scac ?? scac, outcome: 'tracked' };
  }
  const { error } = result;
  const outcome = error instanceof TrackingPendingError ? 'pending' : 'failed';
  const code = error instanceof TrackingError ? error.code : 'unknown';
  const { trackingRequest } = Object(error) as { trackingRequest?: { id: string } };
  const reason = inWords(error instanceof Error ? error.message : String(error), command);
  return { ...none, number, scac, outcome, tracking_request_id: trackingRequest?.id ?? '', code, reason };
}
