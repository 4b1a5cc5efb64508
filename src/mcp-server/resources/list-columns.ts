interface Column {
  key: string;
  label: string;
  /** Where the value is in a row, if not under its key. */
  path?: string;
  description?: string;
  /** How the value is made of what is at the path. */
  compute?: 'length';
}

/** The columns that a table of rows may have. */
export const LIST_COLUMN_CATALOG: Record<'container' | 'shipment' | 'tracking_request', readonly Column[]> = {
  container: [
    { key: 'number', label: 'Container' },
    { key: 'currentStatus', label: 'Status' },
    { key: 'podDischargedAt', label: 'Discharged', path: 'location.podDischargedAt' },
    { key: 'podFullOutAt', label: 'Left the terminal' },
    { key: 'availableForPickup', label: 'Can be picked up', path: 'location.pickup' },
    {
      key: 'pickupLfd',
      label: 'Last free day',
      path: 'demurrage.pickupLfdLocal',
      description: 'The day at the place, with its time zone.',
    },
    { key: 'pickupAppointmentAt', label: 'Appointment', path: 'demurrage.pickupAppointmentAt' },
    { key: 'holdsCount', label: 'Holds', path: 'demurrage.holds', compute: 'length' },
    { key: 'holdsAtPodTerminal', label: 'Which holds', path: 'demurrage.holds' },
    { key: 'feesCount', label: 'Fees', path: 'demurrage.fees', compute: 'length' },
    { key: 'feesAtPodTerminal', label: 'Which fees', path: 'demurrage.fees' },
    { key: 'locationAtPodTerminal', label: 'Place at the terminal', path: 'location.currentLocation' },
    { key: 'terminals.podTerminal.name', label: 'Terminal' },
    { key: 'shipment.billOfLading', label: 'Bill of lading' },
    { key: 'shipment.shippingLineScac', label: 'Carrier' },
    { key: 'podRailCarrierScac', label: 'Railway', path: 'rail.podRailCarrierScac' },
    { key: 'indEtaAt', label: 'Expected inland', path: 'rail.indEtaAt' },
    { key: 'indAtaAt', label: 'Arrived inland', path: 'rail.indAtaAt' },
  ],
  shipment: [
    { key: 'billOfLading', label: 'Bill of lading' },
    { key: 'shippingLineScac', label: 'Carrier' },
    { key: 'shippingLineName', label: 'Name of the carrier' },
    { key: 'podVesselName', label: 'Vessel' },
    { key: 'podVoyageNumber', label: 'Voyage' },
    { key: 'portOfDischargeName', label: 'Port of discharge' },
    { key: 'podEtaAt', label: 'Expected' },
    { key: 'podAtaAt', label: 'Arrived' },
    { key: 'destinationName', label: 'Destination' },
    { key: 'destinationEtaAt', label: 'Expected at the destination' },
    { key: 'lineTrackingLastSucceededAt', label: 'Carrier last answered' },
  ],
  tracking_request: [
    { key: 'requestNumber', label: 'Number' },
    { key: 'requestType', label: 'Kind' },
    { key: 'status', label: 'Status' },
    { key: 'scac', label: 'Carrier' },
    { key: 'createdAt', label: 'Requested' },
    { key: 'updatedAt', label: 'Changed' },
    { key: 'failedReason', label: 'Why it failed' },
    { key: 'isRetrying', label: 'Tried again' },
  ],
};
