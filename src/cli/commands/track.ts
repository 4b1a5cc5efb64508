import type { TrackingClient } from '../../client.ts';
import { lastFreeDay } from '../../domain/last-free-day.ts';
import { milestones } from '../../domain/milestones.ts';
import type { Container, Shipment } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import type { TrackOptions } from '../../tracking/track.ts';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import { type Command, type OptionValues, positiveOption, textOption } from '../command.ts';
import { printValue, say } from '../output/print.ts';
import { table } from '../output/table.ts';

type Voyage = Shipment<['containers.transport_events']>;

export const command: Command = {
  details: `      --scac      code of the carrier; inferred from the number unless given
      --type      bill_of_lading, booking_number or container; inferred from the number unless given
      --wait      seconds to wait for the outcome, 120 unless given
${API_DETAILS}`,
  options: {
    scac: { type: 'string' },
    type: { type: 'string' },
    wait: { type: 'string', default: '120' },
    ...API_OPTIONS,
  },
  arguments: ['NUMBER'],
  run: (values, [number = '']) =>
    withClient(values, async (client, signal) => {
      const item = { number, scac: textOption(values, 'scac'), type: typeOf(values) };
      const { trackingRequest, shipment } = await client.track({
        ...item,
        waitTimeout: 1000 * positiveOption(values, 'wait'),
        signal,
        onProgress: ({ trackingRequest: { status } }) => say(`${printable(number)}: ${printable(status)} …`),
      });
      const voyage = await read(client, shipment.id, signal);
      printValue(values, { trackingRequest, shipment: voyage }, () => textOf(voyage));
    }),
};

/** The client refuses a type that does not exist. */
function typeOf(values: OptionValues): TrackOptions['type'] {
  return textOption(values, 'type') as TrackOptions['type'];
}

function read(client: TrackingClient, id: string, signal: AbortSignal): PromiseLike<Voyage> {
  return client.shipments.get(id, { include: ['containers.transport_events'], signal });
}

function textOf(shipment: Voyage): string {
  const { bill_of_lading_number, shipping_line_scac, port_of_lading_name, port_of_discharge_name } = shipment;
  const arrival = shipment.pod_ata_at ? `arrived ${shipment.pod_ata_at}` : `expected ${shipment.pod_eta_at ?? '-'}`;
  const route = `${port_of_lading_name ?? '?'} to ${port_of_discharge_name ?? '?'}, ${arrival}`;
  const head = printable(`${bill_of_lading_number} (${shipping_line_scac}): ${route}`);
  return [head, ...shipment.containers.map(timelineOf)].join('\n\n');
}

function timelineOf(container: Container<['transport_events']>): string {
  const day = lastFreeDay(container);
  const free = day ? `, last free day ${day.date}` : '';
  const head = printable(`${container.number}: ${container.current_status ?? 'status not known'}${free}`);
  const steps = table(
    [
      ['WHEN', ({ local }) => local.text],
      ['WHAT', ({ name, estimated }) => `${name.replaceAll('_', ' ')}${estimated ? ' (expected)' : ''}`],
      ['WHERE', ({ locode }) => locode],
    ],
    milestones(container),
  );
  return `${head}\n${steps.replace(/^/gm, '  ')}`;
}
