import type { TrackingClient } from '../../client.ts';
import { numberAsSent } from '../../domain/container-number.ts';
import { AuthenticationError, PermissionDeniedError } from '../../errors.ts';
import type { DynamicInclude, TrackedRequest, TrackingRequest } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  CommandError,
  choiceOption,
  EXIT,
  neededOption,
  type OptionValues,
  textOption,
  textsOption,
  wrongUsage,
} from '../command.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { textIn } from '../output/facts.ts';
import { FIELDS_OPTION, printChanged, printValue, say } from '../output/print.ts';
import { pairs } from '../output/table.ts';
import { timeHere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';
import { requestsOf, sentenceAbout } from '../requested-before.ts';
import { digitProblem, trackedBefore, type Wanted } from '../tracked-before.ts';

const FACTS: readonly Column<TrackingRequest<DynamicInclude>>[] = [
  ['NUMBER', ({ request_number }) => request_number, 'whole'],
  ['KIND', ({ request_type }) => codeCell(request_type), 'whole'],
  ['CARRIER', ({ scac }) => scac],
  ['STATUS', ({ status }) => codeCell(status), 'whole'],
  ['REASON', ({ failed_reason }) => codeCell(failed_reason), 'key'],
  ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
];
const ID: Column<TrackingRequest<DynamicInclude>> = ['ID', ({ id }) => id, 'whole'];
const DETAILS: readonly Column<TrackingRequest<DynamicInclude>>[] = [
  ...FACTS,
  ['SHIPMENT', ({ tracked_object }) => textIn(tracked_object, 'bill_of_lading_number'), 'whole', ['tracked_object']],
  ['REFERENCES', ({ ref_numbers }) => ref_numbers],
  ['TAGS', ({ tags, shipment_tags }) => shipment_tags ?? tags],
  ID,
];

export const trackingRequests: RecordGroup<TrackingRequest<DynamicInclude>> = {
  type: 'tracking_request',
  operation: 'trackingRequests.list',
  list: (client, options) => client.trackingRequests.list(options),
  get: (client, id, options) => client.trackingRequests.get(id, options),
  named: async (client, request_number, signal) =>
    (await client.trackingRequests.list({ filter: { request_number }, signal })).data.map(({ id, ...request }) => ({
      id,
      number: request.request_number,
    })),
  filterExample: 'status=failed',
  includeExample: 'tracked_object',
  columns: [...FACTS, ID],
  details: DETAILS,
};

export const list: Command = listCommand(trackingRequests);
export const get: Command = getCommand(trackingRequests);

export const REQUEST_TYPES = ['bill_of_lading', 'booking_number', 'container'] as const;

export const NUMBER_OPTIONS = {
  scac: { type: 'string', value: 'SCAC', help: 'code of the carrier; inferred from the number unless given' },
  type: {
    type: 'string',
    value: 'TYPE',
    help: `${REQUEST_TYPES.join(', ')}; inferred from the number unless given`,
    values: REQUEST_TYPES,
  },
} as const satisfies Command['options'];

export const create: Command = {
  about:
    'Starts the tracking and does not wait for its outcome: see the command track. A number is not requested again without --again if it has a shipment, or a tracking request that may still succeed: the existing request is printed.',
  options: {
    scac: { type: 'string', value: 'SCAC', help: 'code of the carrier; the service finds it out unless given' },
    type: { ...NUMBER_OPTIONS.type, help: `${REQUEST_TYPES.join(', ')}`, default: 'bill_of_lading' },
    ref: { type: 'string', value: 'TEXT', multiple: true, help: 'a reference number' },
    tag: { type: 'string', value: 'TEXT', multiple: true, help: 'a tag of the shipment' },
    again: { type: 'boolean', help: 'requests a number that was requested before' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['NUMBER'],
  run: (values, [given = '']) =>
    withClient(values, async (client, signal) => {
      const type = choiceOption(values, 'type', REQUEST_TYPES) ?? 'bill_of_lading';
      const wanted = { number: numberAsSent(given), type, scac: textOption(values, 'scac')?.toUpperCase() };
      const problem = digitProblem(wanted);
      if (problem) throw wrongUsage(problem);
      const request =
        (values.again === true ? undefined : await requestBefore(client, wanted, signal, values)) ??
        (await client.trackingRequests.create(
          {
            request_number: wanted.number,
            request_type: type,
            ...(values.ref !== undefined && { ref_numbers: textsOption(values, 'ref') }),
            ...(values.tag !== undefined && { shipment_tags: textsOption(values, 'tag') }),
            ...(wanted.scac === undefined ? { auto_detect_vocc_scac: true as const } : { scac: wanted.scac }),
          },
          { signal },
        ));
      await printChanged(values, request as TrackingRequest<DynamicInclude>, DETAILS);
    }),
};

/**
 * The earlier request of a number, unless it has failed.
 *
 * @throws {CommandError} if the number has a shipment, but no such request.
 */
async function requestBefore(
  client: TrackingClient,
  wanted: Wanted,
  signal: AbortSignal,
  { ref, tag }: OptionValues,
): Promise<TrackedRequest | undefined> {
  const requests = await requestsOf(client, wanted, { signal }).catch((error: unknown) => {
    // With a free plan, a key may create tracking requests, but may not read them. So this error does not end the
    // command.
    if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return undefined;
    throw error;
  });
  if (requests === undefined) return undefined;
  const request = requests.find(({ status }) => status !== 'failed');
  if (request) {
    const kept = ref === undefined && tag === undefined ? '' : ' Its references and tags stay as they are.';
    say(printable(`${sentenceAbout(request)} It is not requested again: see --again.${kept}`));
    return request;
  }
  const shipment = (await trackedBefore(client, [wanted], { signal })).get(wanted.number);
  if (shipment) {
    const message = `${wanted.number} is tracked already: shipment ${shipment.id}. To request it nevertheless, use --again.`;
    throw new CommandError(printable(message), EXIT.failed, { code: 'tracked_already', retryable: false });
  }
  return undefined;
}

export const update: Command = {
  options: {
    ref: {
      type: 'string',
      value: 'TEXT',
      help: 'the reference number to add. To replace all references, see shipments update',
    },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const ref_number = neededOption(values, 'ref');
      const id = await idOf(trackingRequests, client, name, signal);
      const request = await client.trackingRequests.update(id, { ref_number }, { signal });
      await printChanged(values, request as TrackingRequest<DynamicInclude>, DETAILS);
    }),
};

export const infer: Command = {
  about: 'Prints the carrier and the kind that the number may have. Nothing is tracked.',
  options: { ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['NUMBER'],
  run: (values, [given = '']) =>
    withClient(values, async (client, signal) => {
      const number = numberAsSent(given);
      const inferred = await client.trackingRequests.inferNumber(number, { signal });
      await printValue(values, inferred, () => {
        const { number_type, shipping_line } = inferred;
        const { decision, selected, candidates } = shipping_line;
        const named = candidates.map(({ scac, confidence }) => `${scac} (${Math.round(Number(confidence) * 100)} %)`);
        return pairs([
          ['Number', number],
          // The service has two names for this kind, but --type takes only `booking_number`.
          ['Kind', number_type === 'booking' ? 'booking_number' : number_type],
          ['Carrier', selected ? `${selected.name} (${selected.scac})` : undefined],
          ['Decision', decision],
          ['Candidates', named],
        ]);
      });
    }),
};
