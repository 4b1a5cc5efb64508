import type { TrackingClient } from '../../client.ts';
import type { DynamicInclude, Shipment } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, listOption, wrongUsage } from '../command.ts';
import { confirmed, YES_OPTION } from '../confirm.ts';
import { FIELDS_OPTION, printRecord } from '../output/print.ts';
import { timeThere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';

export const shipments: RecordGroup<Shipment<DynamicInclude>> = {
  type: 'shipment',
  operation: 'shipments.list',
  list: (client, { filter, ...options }) => {
    // An option of its own there: it is not a filter of the service.
    const { number, ...others }: { number?: string } = filter;
    return client.shipments.list({ ...options, number, filter: others });
  },
  get: (client, id, options) => client.shipments.get(id, options),
  // An older service ignores the number, and sends every shipment.
  named: async (client, number, signal) =>
    (await client.shipments.list({ number, signal })).data.filter(found => found.bill_of_lading_number === number),
  filterExample: 'number=MEDU1234567890',
  includeExample: 'containers,port_of_lading',
  columns: [
    ['BILL OF LADING', ({ bill_of_lading_number }) => bill_of_lading_number, 'whole'],
    ['CARRIER', ({ shipping_line_scac }) => shipping_line_scac],
    ['FROM', ({ port_of_lading_name }) => port_of_lading_name],
    ['TO', ({ port_of_discharge_name }) => port_of_discharge_name],
    ['ETA', ({ pod_eta_at, pod_timezone }) => timeThere(pod_eta_at, pod_timezone), 'whole'],
    ['ARRIVED', ({ pod_ata_at, pod_timezone }) => timeThere(pod_ata_at, pod_timezone), 'whole'],
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
      help: 'a reference number; all of them replace those before',
    },
    tag: { type: 'string', value: 'TEXT', multiple: true, help: 'a tag; all of them replace those before' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const attributes = {
        ...(values.ref !== undefined && { ref_numbers: listOption(values, 'ref') }),
        ...(values.tag !== undefined && { tags: listOption(values, 'tag') }),
      };
      if (Object.keys(attributes).length === 0) throw wrongUsage('There is nothing to update: use --ref or --tag.');
      const id = await idOf(shipments, client, name, signal);
      await printRecord(values, await client.shipments.update(id, attributes, { signal }), shipments.columns);
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
        await printRecord(values, await run(client, id, signal), shipments.columns);
      }),
  };
}

export const stop: Command = change(
  'The service then asks the carrier and the terminals for no more news of its containers.',
  number => `Stop the tracking of ${number}?`,
  (client, id, signal) => client.shipments.stopTracking(id, { signal }),
);

export const resume: Command = change(
  'The service then follows its containers again.',
  undefined,
  (client, id, signal) => client.shipments.resumeTracking(id, { signal }),
);
