/** A column of a table of rows. */
interface Column {
  key: string;
  label: string;
  /** Where the value is, if not at the key. */
  path?: string;
  compute?: 'length';
}

const column = (key: string, label: string, path?: string): Column => ({ key, label, ...(path && { path }) });
const count = (key: string, label: string, path: string): Column => ({ key, label, path, compute: 'length' });

/** What the rows of the list tools can be shown with. */
export const COLUMNS = {
  container: [
    column('number', 'Number'),
    column('currentStatus', 'Status'),
    column('availableForPickup', 'Available', 'location.availableForPickup'),
    column('pickupLfd', 'Last free day', 'demurrage.pickupLfd'),
    count('holdsCount', 'Holds', 'demurrage.holds'),
    count('feesCount', 'Fees', 'demurrage.fees'),
    column('podDischargedAt', 'Discharged', 'location.podDischargedAt'),
    column('podFullOutAt', 'Picked up'),
    column('pickupAppointmentAt', 'Appointment', 'demurrage.pickupAppointmentAt'),
    column('holdsAtPodTerminal', 'Holds in detail', 'demurrage.holds'),
    column('locationAtPodTerminal', 'Yard place', 'location.currentLocation'),
    column('terminals.podTerminal.name', 'Terminal'),
    column('shipment.billOfLading', 'Bill of lading'),
    column('shipment.shippingLineScac', 'Carrier'),
    column('podRailCarrierScac', 'Railway', 'rail.podRailCarrierScac'),
    column('indEtaAt', 'Inland arrival, expected', 'rail.indEtaAt'),
    column('indAtaAt', 'Inland arrival', 'rail.indAtaAt'),
  ],
  shipment: [
    column('billOfLading', 'Bill of lading'),
    column('shippingLineScac', 'Carrier'),
    column('portOfDischargeName', 'Port of discharge'),
    column('podEtaAt', 'Arrival, expected'),
    column('podAtaAt', 'Arrival'),
    column('destinationName', 'Destination'),
    column('shippingLineName', 'Name of the carrier'),
    column('podVesselName', 'Ship'),
    column('podVoyageNumber', 'Voyage'),
    column('destinationEtaAt', 'Arrival at the destination, expected'),
    column('lineTrackingLastSucceededAt', 'Last update'),
  ],
  tracking_request: [
    column('requestNumber', 'Number'),
    column('requestType', 'Kind'),
    column('status', 'Status'),
    column('scac', 'Carrier'),
    column('createdAt', 'Created'),
    column('failedReason', 'Reason'),
    column('updatedAt', 'Changed'),
    column('isRetrying', 'Tries again'),
  ],
} satisfies Record<string, Column[]>;

export type ListedKind = keyof typeof COLUMNS;

export function columnsOf(kind: ListedKind): string[] {
  return COLUMNS[kind].map(({ key }) => key);
}
