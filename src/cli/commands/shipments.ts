import type { DynamicInclude, Shipment } from '../../model/index.ts';
import type { Command } from '../command.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

const shipments: RecordGroup<Shipment<DynamicInclude>> = {
  operation: 'shipments.list',
  list: (client, { filter, ...options }) => {
    // An option of its own there: it is no filter of the service's.
    const { number, ...others }: { number?: string } = filter;
    return client.shipments.list({ ...options, number, filter: others });
  },
  get: (client, id, options) => client.shipments.get(id, options),
  filterExample: 'number=MEDU1234567890',
  includeExample: 'containers,port_of_lading',
  columns: [
    ['ID', ({ id }) => id],
    ['BILL OF LADING', ({ bill_of_lading_number }) => bill_of_lading_number],
    ['CARRIER', ({ shipping_line_scac }) => shipping_line_scac],
    ['FROM', ({ port_of_lading_name }) => port_of_lading_name],
    ['TO', ({ port_of_discharge_name }) => port_of_discharge_name],
    ['ETA', ({ pod_eta_at }) => pod_eta_at],
    ['ARRIVED', ({ pod_ata_at }) => pod_ata_at],
  ],
};

export const list: Command = listCommand(shipments);
export const get: Command = getCommand(shipments);
