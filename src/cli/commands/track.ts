import { statSync } from 'node:fs';
import type { TrackingClient } from '../../client.ts';
import { numberAsSent } from '../../domain/container-number.ts';
import { dynamicInclude } from '../../jsonapi/include.ts';
import type { TrackedRequest } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import type { TrackItem } from '../../tracking/track.ts';
import type { WaitOptions } from '../../tracking/wait-options.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, choiceOption, durationOption, type OptionValues, textOption, wrongUsage } from '../command.ts';
import { FIELDS_OPTION, isForPrograms, printValue, say, withKnownFields } from '../output/print.ts';
import { isOpen, requestsOf, sentenceAbout, trackOrFollow } from '../requested-before.ts';
import { trackFile } from '../track-file.ts';
import { digitProblem, trackedBefore } from '../tracked-before.ts';
import { JOURNEY, journeysOf } from './journey.ts';
import { NUMBER_OPTIONS, REQUEST_TYPES } from './tracking-requests.ts';

export const command: Command = {
  about: `A number that the account tracks already is not sent again: the shipment that exists is printed. A number that was requested before and has no outcome yet is not sent again either: the command waits for the outcome of that request. A number whose request has failed is requested again.

With --from, the numbers are those of a CSV file with the columns number, scac, type and reference, of which only the first is needed; - stands for the standard input. The reference becomes a reference number of a new tracking request; its column may also have a name such as Ref or PO number. The outcomes are appended to the CSV file of --to as they come: the number as you wrote it, the ids, and the reason of a failure. At the end they are put into the order of the numbers. If you start it again with the same files, it continues. Numbers that are tracked or pending are not sent again. Numbers that have failed are tried again, unless the carrier has refused them permanently, as with invalid_number: such a number needs --again.

A row that cannot be sent, such as a row with a wrong check digit, counts as failed, and its outcome has its line and the reason. The other rows are sent. The exit code is 0 if all numbers are tracked, 1 if one has failed, and 7 if none has failed and one is pending.`,
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
      help: 'the column of --from that has the numbers; the column "number" unless given',
    },
    again: { type: 'boolean', help: 'with --from: also requests the numbers again that have failed permanently' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['[NUMBER]'],
  run: (values, [number]) =>
    withClient(values, (client, signal) => {
      const { from, to } = values;
      if (from === undefined && to === undefined) {
        if (number === undefined) throw wrongUsage('The command track needs NUMBER, or --from FILE --to FILE.');
        if (values.again === true)
          throw wrongUsage('--again works only with --from. A single number is always requested again.');
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
  const wanted = {
    number: numberAsSent(given),
    scac: textOption(values, 'scac')?.toUpperCase(),
    type: choiceOption(values, 'type', REQUEST_TYPES),
  };
  if (statSync(given, { throwIfNoEntry: false })?.isFile()) {
    throw wrongUsage(`${given} is a file. To track its numbers, use --from ${given} --to FILE.`);
  }
  const waitTimeout = durationOption(values, 'wait');
  const problem = digitProblem(wanted);
  if (problem) throw wrongUsage(problem);
  const tracked = await trackOnce(client, given, wanted, {
    waitTimeout,
    signal,
    onProgress: ({ trackingRequest: { status } }) => say(printable(`${wanted.number}: ${status} …`)),
  });
  const include = isForPrograms(values) ? (['containers.transport_events'] as const) : JOURNEY;
  const voyage = await client.shipments.get(tracked.shipment.id, { include: dynamicInclude(include), signal });
  const found = { tracking_request: tracked.trackingRequest, shipment: voyage };
  await printValue(withKnownFields(values, found), found, () => journeysOf(voyage));
}

/**
 * Creates a tracking request only if the account has no shipment of the number, and no earlier tracking request that
 * may still succeed.
 */
async function trackOnce(
  client: TrackingClient,
  given: string,
  wanted: TrackItem,
  options: WaitOptions & { signal: AbortSignal },
): Promise<{ trackingRequest: TrackedRequest | null; shipment: { id: string } }> {
  const { signal } = options;
  const requests = await requestsOf(client, wanted, { signal });
  const done = requests.find(({ status, tracked_object }) => status === 'created' && tracked_object);
  const shipment = done?.tracked_object ?? (await trackedBefore(client, [wanted], { signal })).get(wanted.number);
  if (shipment) {
    say(printable(`${given} is tracked already.`));
    return { trackingRequest: done ?? null, shipment };
  }
  const open = requests.find(isOpen);
  const failed = requests.find(({ status }) => status === 'failed');
  if (open) say(printable(`${sentenceAbout(open)} It is not requested again.`));
  else if (failed) say(printable(`${sentenceAbout(failed)} It is requested again.`));
  return trackOrFollow(client, open, wanted, options);
}
