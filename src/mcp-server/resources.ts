import type * as z from 'zod/mini';
import { containerRowSchema, shipmentRowSchema, trackingRequestRowSchema } from './views/rows.ts';

/** Resources: the address of a container's page, and the resources that do not depend on the account. */

export const CONTAINER_TEMPLATE = 'tracking://container/{id}';

/** The meaning of the events of a container. */
const MILESTONE_GLOSSARY = `# Milestones

Names are built as \`object.category.action\`: \`container.transport.vessel_arrived\`.

## Tracking requests

- \`tracking_request.succeeded\`: the shipment was found, and its containers are tracked.
- \`tracking_request.awaiting_manifest\`: the carrier has no data yet. The service tries again daily, for 7 days, longer on paid plans.
- \`tracking_request.failed\`: the number could not be tracked. \`failed_reason\` has the reason.
- \`tracking_request.tracking_stopped\`: the shipment is no longer updated.

## Changes of a container

- \`container.created\`, \`container.updated\`: the record is new, or some of its fields changed.
- \`container.pod_terminal_changed\`: the terminal at the port of discharge changed.
- \`container.pickup_lfd.changed\`, and the same for the line, the terminal and the railway: the last free day changed. The new day is in \`value\`.
- \`container.pickup_appointment.changed\`: the appointment to collect it changed.

## Origin

| Event after \`container.transport.\` | Meaning | Field of the container |
|---|---|---|
| \`empty_out\` | the empty container leaves the depot | \`empty_out_at\` |
| \`full_in\` | the full container enters the port | \`pol_full_in_at\` |
| \`vessel_loaded\` | loaded on the first ship | \`pol_vessel_loaded_at\` |
| \`vessel_departed\` | that ship sails | \`pol_vessel_departed_at\` |

## Transshipment and feeder

- \`transshipment_arrived\`, \`transshipment_discharged\`, \`transshipment_loaded\`, \`transshipment_departed\`: a change of ship on the way. They repeat at every port.
- \`feeder_arrived\`, \`feeder_discharged\`, \`feeder_loaded\`, \`feeder_departed\`: the same for a small ship between a small and a large port.

## Discharge

| Event after \`container.transport.\` | Meaning | Field of the container |
|---|---|---|
| \`vessel_arrived\` | the last ship arrives | \`pod_arrived_at\` |
| \`vessel_berthed\` | it is at its berth | |
| \`vessel_discharged\` | the container is off the ship | \`pod_discharged_at\` |
| \`available\`, \`not_available\` | it can, or cannot, be collected | \`available_for_pickup\` |
| \`full_out\` | it leaves the terminal | \`pod_full_out_at\`, inland \`final_destination_full_out_at\` |

## Rail and inland

| Event after \`container.transport.\` | Meaning | Field of the container |
|---|---|---|
| \`rail_loaded\` | on a train at the port | \`pod_rail_loaded_at\` |
| \`rail_departed\` | the train leaves | \`pod_rail_departed_at\` |
| \`rail_arrived\` | at a stop; it repeats | |
| \`arrived_at_inland_destination\` | at the inland destination | \`ind_ata_at\` |
| \`rail_unloaded\` | off the train | \`ind_rail_unloaded_at\` |
| \`delivered\` | a person has marked it so | \`delivered_at\` |
| \`empty_in\` | the empty container is back | \`empty_terminated_at\` |

## Estimates

\`container.transport.estimated.vessel_departed\`, \`….vessel_arrived\` and \`….arrived_at_inland_destination\` are about what is expected. The latest counts, until the same event has happened. \`shipment.estimated.arrival\` is a new arrival time of the whole shipment.

## Usual sequences

- Direct: empty_out, full_in, vessel_loaded, vessel_departed, vessel_arrived, vessel_discharged, available, full_out, empty_in.
- With a transshipment: after vessel_departed come transshipment_arrived, _discharged, _loaded and _departed.
- With rail: after vessel_discharged come rail_loaded, rail_departed, rail_arrived, arrived_at_inland_destination, rail_unloaded, available, full_out.

## How to read a timeline

- What has happened: the last event that is not an estimate.
- Where it is: the place of that event.
- Delays: compare the estimate with what happened, and look for gaps of days between two events.
- Most important to a user: available, not_available and the last free day; then arrival and discharge; then departures.

## When it looks wrong

- Discharged days after the arrival: the ship waited, or the report came late.
- Available although there is a hold: the terminal reports both. The hold counts.
- Several departures: transshipments, or a ship that came back. The last counts.
- Out of order: sources report late. Order by \`timestamp\`, and prefer the later report.
`;

/** The tool for each question. */
const QUERY_GUIDANCE = `# Which tool for which question

| Question | Tool |
|---|---|
| Where is container X? | \`get_container\` with its number |
| When does the ship of bill of lading X arrive? | \`get_shipment_details\` with its number |
| What has this reference or this part of a number? | \`search_container\` |
| What does customer X have? | \`list_shipments\` or \`list_containers\` with \`customer\` |
| What has happened to it? | \`get_container_transport_events\` |
| Has the arrival notice come? | \`get_container\` with \`include: ["documents"]\`, \`get_shipment_details\` with \`include_documents\` |
| Which ports does it pass? | \`get_container_route\` (paid), else \`get_container_transport_events\` |
| Can it be picked up, and until when? | \`get_container\`: \`pickup\` and \`demurrage\` |
| What can be picked up, is held, late or on demurrage? | \`worklist\` |
| Which deadlines are near? | \`worklist\` with \`lists: ["last_free_day"]\` |
| Which deadlines are near at one port? | \`worklist\` with \`lists: ["last_free_day"], port: "USLAX"\` |
| What costs money now, and how much? | \`worklist\` without arguments: \`fees_due\` adds up demurrage and other fees |
| Whose containers are late? | \`worklist\` with \`lists: ["late"]\` |
| What has changed since yesterday? | \`list_changes\` with \`since: "yesterday"\` |
| What is later than it was yesterday? | \`list_changes\` with \`what: "delays"\` |
| What arrives this week? | \`list_containers\` with \`arrival\`, such as \`>=today <=7.days.from_now\` |
| How many are where? | \`summarize_containers\` |
| Which shipments are there? | \`list_shipments\`, page by page |
| What could not be tracked? | \`list_tracking_requests\` with the status \`failed\` |
| Is carrier Y supported? | \`get_supported_shipping_lines\` |
| Track this number. | \`track_container\` |
| Which account is this? | \`whoami\` |

## Lists

- The text of a result is a table; the structured content has the same rows. What the service does not say is left out.
- \`next\` holds the arguments for the rows after these. It is null on the last page.
- \`list_shipments\` cannot filter by status, carrier or time of change: read the pages, and say how many you have read.
- \`pickup_lfd\` filters and sorts by the day that the service prefers among its sources: rows then show it beside \`last_free_day\`, the earliest of all.
- \`list_changes\` has the most important groups first, and \`follow\` counts the rest. It knows times of events, estimates, last free days and appointments. Holds and fees have no history: \`not_recorded\` counts those containers.
- \`port\`, \`terminal\`, \`carrier\`, \`customer\` and \`reference\` of \`worklist\` and \`list_changes\` are codes or parts of names, several with commas. \`what\` is a group of changes, such as \`estimates\`, or a part of their kind; \`events\` includes \`availability\`, \`estimates\` includes \`delays\`.
- The total of a list without a filter is not reliable above 1,000.
- \`lists: ["demurrage"]\` of \`worklist\` has only containers that are charged for each day now. \`has_fees\` of \`list_containers\` also has those that were picked up.
- \`has_holds\` and \`has_fees\` with \`false\` find containers whose list is empty. Containers without a report match neither.

## Details

- A last free day is a day at the place. \`pickup_lfd_local\` gives it with its time zone, \`days_until_lfd\` counts the days there.
- Where \`urgency_suppressed\` is true, the facts are too old to judge: give \`urgency_reason\`.
- \`fees_total_amount\` is the sum of what the terminal reports. There are no daily rates.
- \`cut\` says what was left out, and how to get it.
`;

const columnsOf = (row: z.ZodMiniObject) =>
  Object.keys(row._zod.def.shape).map(key => ({ key, label: key.replaceAll('_', ' ') }));

interface Document {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  text(readOnly: boolean): string;
}

export const DOCUMENTS: readonly Document[] = [
  {
    name: 'milestone-glossary',
    uri: 'tracking://docs/milestone-glossary',
    title: 'Milestones',
    description: 'What the events of a container mean, and how to read a timeline.',
    mimeType: 'text/markdown',
    text: () => MILESTONE_GLOSSARY,
  },
  {
    name: 'mcp-query-guidance',
    uri: 'tracking://docs/mcp-query-guidance',
    title: 'Which tool for which question',
    description: 'Which tool finds what, and what lists cannot filter by.',
    mimeType: 'text/markdown',
    text: readOnly => (readOnly ? QUERY_GUIDANCE.replace(/^.*track_container.*\n/gm, '') : QUERY_GUIDANCE),
  },
  {
    name: 'list-display-columns',
    uri: 'tracking://docs/list-display-columns',
    title: 'Columns of lists',
    description: 'The columns that a table of containers, shipments or tracking requests may have.',
    mimeType: 'application/json',
    text: () =>
      JSON.stringify({
        container: columnsOf(containerRowSchema()),
        shipment: columnsOf(shipmentRowSchema()),
        tracking_request: columnsOf(trackingRequestRowSchema()),
      }),
  },
];
