import type { TrackingClient } from '../../client.ts';
import { lastFreeDay } from '../../domain/last-free-days.ts';
import { wordsOf } from '../../domain/words-of.ts';
import type { DynamicInclude, Shipment } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, textsOption, wrongUsage } from '../command.ts';
import { confirmed, YES_OPTION } from '../confirm.ts';
import type { Column } from '../output/columns.ts';
import { carrierOf, containersOf, etaOf, feesOf, holdsOf, placeOf, textIn, vesselOf } from '../output/facts.ts';
import { FIELDS_OPTION, printChanged } from '../output/print.ts';
import { timeHere, timeThere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';

/** The columns for one shipment, with facts about its containers. */
export const DETAILS: readonly Column<Shipment<DynamicInclude>>[] = [
  ['BILL OF LADING', ({ bill_of_lading_number }) => bill_of_lading_number, 'whole'],
  ['CARRIER', carrierOf],
  ['FROM', shipment => placeOf(shipment, 'port_of_lading'), 'text', ['port_of_lading']],
  ['TO', shipment => placeOf(shipment, 'port_of_discharge'), 'text', ['port_of_discharge']],
  ['DESTINATION', shipment => placeOf(shipment, 'destination'), 'text', ['destination']],
  ['TERMINAL', ({ pod_terminal }) => textIn(pod_terminal, 'name'), 'text', ['pod_terminal']],
  ['VESSEL', vesselOf],
  ['ETA', etaOf, 'whole'],
  ['ARRIVED', ({ pod_ata_at, pod_timezone }) => timeThere(pod_ata_at, pod_timezone), 'whole'],
  [
    'CONTAINERS',
    shipment =>
      containersOf(shipment).map(
        ({ number, current_status }) => `${number} (${wordsOf(current_status ?? 'not known')})`,
      ),
    'text',
    ['containers'],
  ],
  ['LAST FREE DAY', earliestLastFreeDay, 'whole', ['containers']],
  ['HOLDS', shipment => holdsOf(containersOf(shipment)), 'key', ['containers']],
  ['FEES', shipment => feesOf(containersOf(shipment)), 'key', ['containers']],
  ['CUSTOMER', ({ customer_name }) => customer_name],
  ['REFERENCES', ({ ref_numbers }) => ref_numbers],
  ['TAGS', ({ tags }) => tags],
  ['STOPPED', ({ line_tracking_stopped_at }) => timeHere(line_tracking_stopped_at), 'whole'],
  ['ID', ({ id }) => id, 'whole'],
];

/** The earliest last free day of the containers that were not collected yet. */
function earliestLastFreeDay(shipment: Shipment<DynamicInclude>): string | undefined {
  const deadlines = containersOf(shipment).flatMap(container => lastFreeDay(container) ?? []);
  const open = deadlines.filter(({ hasEnded }) => !hasEnded);
  return open.map(({ date }) => date).toSorted()[0];
}

export const shipments: RecordGroup<Shipment<DynamicInclude>> = {
  type: 'shipment',
  operation: 'shipments.list',
  list: (client, { filter, ...options }) => {
    // In the client, `number` is an option of the method, because it is not a filter of the service.
    const { number, ...others }: { number?: string } = filter;
    return client.shipments.list({ ...options, number, filter: others });
  },
  get: (client, id, options) => client.shipments.get(id, options),
  named: async (client, number, signal) =>
    (await client.shipments.list({ number, signal })).data.map(({ id, bill_of_lading_number }) => ({
      id,
      number: bill_of_lading_number,
    })),
  documentsOf: ({ bill_of_lading_number }) => bill_of_lading_number,
  filterExample: 'number=MEDU1234567890',
  includeExample: 'containers,port_of_lading',
  details: DETAILS,
  columns: [
    ['BILL OF LADING', ({ bill_of_lading_number }) => bill_of_lading_number, 'whole'],
    ['CARRIER', ({ shipping_line_scac }) => shipping_line_scac],
    ['TO', ({ port_of_discharge_name }) => port_of_discharge_name],
    ['ETA', ({ pod_eta_at, pod_timezone }) => timeThere(pod_eta_at, pod_timezone), 'whole'],
    ['ARRIVED', ({ pod_ata_at, pod_timezone }) => timeThere(pod_ata_at, pod_timezone), 'whole'],
    ['FROM', ({ port_of_lading_name }) => port_of_lading_name],
    ['ID', ({ id }) => id, 'whole'],
  ],
};

export const list: Command = listCommand(shipments);
export const get: Command = getCommand(shipments);

export const update: Command = {
  options: {
    ref: {
      type: 'string',
      value: 'TEXT',
      multiple: true,
      help: 'a reference number; the given numbers replace all earlier numbers',
    },
    tag: { type: 'string', value: 'TEXT', multiple: true, help: 'a tag; the given tags replace all earlier tags' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const attributes = {
        ...(values.ref !== undefined && { ref_numbers: textsOption(values, 'ref') }),
        ...(values.tag !== undefined && { tags: textsOption(values, 'tag') }),
      };
      if (Object.keys(attributes).length === 0) throw wrongUsage('There is nothing to update: use --ref or --tag.');
      const id = await idOf(shipments, client, name, signal);
      await printChanged(values, await client.shipments.update(id, attributes, { signal }), DETAILS);
    }),
};

type Change = (client: TrackingClient, id: string, signal: AbortSignal) => PromiseLike<Shipment>;

function change(about: string, question: ((number: string) => string) | undefined, run: Change): Command {
  return {
    about,
    options: { ...(question && YES_OPTION), ...FIELDS_OPTION, ...API_OPTIONS },
    arguments: ['ID|NUMBER'],
    run: (values, [name = '']) =>
      withClient(values, async (client, signal) => {
        const id = await idOf(shipments, client, name, signal);
        if (question) await confirmed(values, question(name), signal);
        await printChanged(values, await run(client, id, signal), DETAILS);
      }),
  };
}

export const stop: Command = change(
  'Then the service no longer requests news of the containers of the shipment from the carrier and the terminals.',
  number => `Stop the tracking of ${number}?`,
  (client, id, signal) => client.shipments.stopTracking(id, { signal }),
);

export const resume: Command = change(
  'The service then follows its containers again.',
  undefined,
  (client, id, signal) => client.shipments.resumeTracking(id, { signal }),
);
