import type { DynamicInclude } from '../../records/relationship.ts';
import type { Shipment } from '../../records/shipment.ts';
import type { Command } from '../command.ts';
import { getCommand, listCommand, type RecordGroup } from '../records.ts';

const shipments: RecordGroup<Shipment<DynamicInclude>> = {
  list: (client, options) => client.shipments.list(options),
  get: (client, id, options) => client.shipments.get(id, options),
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
