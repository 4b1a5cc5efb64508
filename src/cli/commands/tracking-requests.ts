import { numberAsSent } from '../../domain/container-number.ts';
import type { DynamicInclude, TrackingRequest } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, choiceOption, listOption, neededOption, textOption, wrongUsage } from '../command.ts';
import type { Column } from '../output/columns.ts';
import { textIn } from '../output/facts.ts';
import { FIELDS_OPTION, printRecord, printValue } from '../output/print.ts';
import { pairs } from '../output/table.ts';
import { timeHere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';
import { digitProblem } from '../tracked-before.ts';

const FACTS: readonly Column<TrackingRequest<DynamicInclude>>[] = [
  ['NUMBER', ({ request_number }) => request_number, 'whole'],
  ['KIND', ({ request_type }) => request_type, 'whole'],
  ['CARRIER', ({ scac }) => scac],
  ['STATUS', ({ status }) => status, 'whole'],
  ['REASON', ({ failed_reason }) => failed_reason],
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
  about: 'Starts the tracking and does not wait for its outcome: see the command track.',
  options: {
    scac: { type: 'string', value: 'SCAC', help: 'code of the carrier; the service finds it out unless given' },
    type: { ...NUMBER_OPTIONS.type, help: `${REQUEST_TYPES.join(', ')}`, default: 'bill_of_lading' },
    ref: { type: 'string', value: 'TEXT', multiple: true, help: 'a reference number' },
    tag: { type: 'string', value: 'TEXT', multiple: true, help: 'a tag of the shipment' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['NUMBER'],
  run: (values, [given = '']) =>
    withClient(values, async (client, signal) => {
      const number = numberAsSent(given);
      const type = choiceOption(values, 'type', REQUEST_TYPES) ?? 'bill_of_lading';
      const problem = digitProblem({ number, type });
      if (problem) throw wrongUsage(problem);
      const attributes = {
        request_number: number,
        request_type: type,
        ...(values.ref !== undefined && { ref_numbers: listOption(values, 'ref') }),
        ...(values.tag !== undefined && { shipment_tags: listOption(values, 'tag') }),
      };
      const scac = textOption(values, 'scac');
      const carrier = scac === undefined ? { auto_detect_vocc_scac: true as const } : { scac };
      const request = await client.trackingRequests.create({ ...attributes, ...carrier }, { signal });
      await printRecord(values, request as TrackingRequest<DynamicInclude>, DETAILS);
    }),
};

export const update: Command = {
  options: {
    ref: { type: 'string', value: 'TEXT', help: 'the reference number, in place of that before' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const ref_number = neededOption(values, 'ref');
      const id = await idOf(trackingRequests, client, name, signal);
      const request = await client.trackingRequests.update(id, { ref_number }, { signal });
      await printRecord(values, request as TrackingRequest<DynamicInclude>, DETAILS);
    }),
};

export const infer: Command = {
  about: 'Says which carrier and which kind of number it may be. Nothing is tracked.',
  options: { ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['NUMBER'],
  run: (values, [given = '']) =>
    withClient(values, async (client, signal) => {
      const number = numberAsSent(given);
      const inferred = await client.trackingRequests.inferNumber(number, { signal });
      await printValue(values, inferred, () => {
        const { number_type, shipping_line } = inferred;
        const { decision, selected, candidates } = shipping_line;
        return pairs([
          ['NUMBER', number],
          ['KIND', number_type],
          ['CARRIER', selected ? `${selected.name} (${selected.scac})` : undefined],
          ['DECISION', decision],
          ['CANDIDATES', candidates.map(({ scac }) => scac)],
        ]);
      });
    }),
};
