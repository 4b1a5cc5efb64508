/** The instructions that the server sends to a model at the beginning. */
export const INSTRUCTIONS = `Data is live and changes between calls. Words: SCAC (code of a carrier), bill of lading and booking number, POL and POD (ports of lading and discharge), last free day, demurrage, hold, transport event.
Only track_container changes something. Usual order: search_container, then get_container or get_shipment_details, then get_container_transport_events or get_container_route. Look up the carrier before tracking. Use the lists for overviews.
_response_contract in a result is guidance, not content.`;

export const GLOSSARY = `# Milestones

Events are called \`object.category.action\`.

## Tracking requests
- tracking_request.succeeded: the shipment is known.
- tracking_request.failed: the shipment could not be found.
- tracking_request.awaiting_manifest: the carrier does not know the shipment yet.

## Origin
- container.transport.empty_out: the empty container was picked up.
- container.transport.full_in: the full container was brought to the port of lading.
- container.transport.vessel_loaded, vessel_departed: loaded on board, and departed.

## Transshipment
- container.transport.transshipment_arrived, transshipment_discharged, transshipment_loaded, transshipment_departed: at a port on the way.
- container.transport.feeder_*: the same events for a smaller ship.

## Discharge
- container.transport.vessel_arrived, vessel_discharged: at the port of discharge.
- container.transport.available, not_available: the container can be picked up, or cannot be picked up.
- container.transport.full_out: the full container has left the terminal.
- container.transport.empty_in: the empty container is back.

## Rail and inland
- container.transport.rail_loaded, rail_departed, rail_arrived, rail_unloaded.
- container.transport.arrived_at_inland_destination.

## Estimates and changes
- container.transport.estimated.*: the expected times.
- container.pickup_lfd.changed and other changes: the new value is in \`value\`.

## Typical sequences
- Direct: vessel_loaded, vessel_departed, vessel_arrived, vessel_discharged, full_out, empty_in.
- With transshipment: the same, with transshipment events between departure and arrival.
- With rail: vessel_discharged, rail_loaded, rail_departed, rail_arrived, rail_unloaded, full_out.

## Reading them
The latest event that is not an estimate shows where a container is. Events may come late and out of order. A container can be available and held at the same time.
`;

export const QUERY_GUIDANCE = `# Which tool for which question

| Question | Tool |
|---|---|
| Which container or shipment has this number? | search_container |
| Where is it, and can it be picked up? | get_container |
| When does the shipment arrive? | get_shipment_details |
| What happened on the way? | get_container_transport_events |
| Which ports and ships? | get_container_route |
| Start tracking | track_container |
| Which records does the account have? | list_shipments, list_containers, list_tracking_requests |

The lists cannot filter by status, port, carrier or time: such arguments are named in \`dropped_filters\`. Tell the user when an argument was dropped.
`;

/** A column of a table of rows. */
interface Column {
  key: string;
  label: string;
  /** Path of the value, if it differs from the key. */
  path?: string;
  compute?: 'length';
}

const column = (key: string, label: string, path?: string): Column => ({ key, label, ...(path && { path }) });
const count = (key: string, label: string, path: string): Column => ({ key, label, path, compute: 'length' });

/** The tables in which the rows of the list tools can be shown. */
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

/** A prompt of the server. Its text includes the values of the arguments. */
interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  text(args: Record<string, string>): string;
}

const CONTAINER_ID = { name: 'container_id', description: 'Id of the container.', required: true };

export const prompts: Prompt[] = [
  {
    name: 'track-shipment',
    title: 'Track a container',
    description: 'Asks for the state of a container.',
    arguments: [
      { name: 'container_number', description: 'Number of the container.', required: true },
      { name: 'carrier', description: 'SCAC of the carrier.', required: false },
    ],
    text: ({ container_number, carrier }) =>
      `Track container ${container_number}${carrier ? ` with carrier ${carrier}` : ''}. Tell its status, its place, its holds and any problems.`,
  },
  {
    name: 'check-demurrage',
    title: 'Check demurrage',
    description: 'Asks for last free day, holds and fees.',
    arguments: [CONTAINER_ID],
    text: ({ container_id }) =>
      `Check container ${container_id} for demurrage: the last free day and the days left, whether it can be picked up, what blocks it, what the terminal charges, and what to do.`,
  },
  {
    name: 'analyze-delays',
    title: 'Analyze delays',
    description: 'Asks for the causes of the delay of a container.',
    arguments: [CONTAINER_ID],
    text: ({ container_id }) =>
      `Go through the timeline of container ${container_id}: delays against the plan, actual and estimated time of each step, long gaps, likely causes, and what they mean for the transit time.`,
  },
];
