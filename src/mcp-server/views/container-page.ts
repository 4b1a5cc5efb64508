import { counted, joined, quoted } from '../../domain/record-values.ts';
import { labelText } from './changes.ts';
import type { containerView } from './container.ts';
import { clock, factLines, markedText, said } from './read.ts';
import { eventLine } from './timeline.ts';

type ContainerFacts = ReturnType<typeof containerView>;

/** All known facts about a container as text, with one line for each fact. Times are in local time of the place. */
export function containerPage(view: ContainerFacts): string {
  const { location, journey, rail, equipment, shipment, pod_terminal, pickup_facility, events, _metadata } = view;
  const size = equipment.length && `${equipment.length} ft`;
  const last = view.last_event;
  const late = latenessText(shipment);
  const weight = equipment.weight_lbs && `${equipment.weight_lbs} lb`;
  return markedText(`# Container ${quoted(view.container_number || view.id)}`, [
    ...factLines({
      Status: `${quoted(view.status)}${view.status_source === 'derived' ? ' (read from its times)' : ''}`,
      Pickup: joined(
        [`${view.pickup.possible}${view.pickup.reasons.length > 0 ? '.' : ''}`, ...view.pickup.reasons],
        ' ',
      ),
      'Last free day': lastFreeDay(view),
      Appointment: clock(view.demurrage.pickup_appointment_at),
      Fees: feesText(view),
      Holds: holdsText(view),
      Terminal: said(pod_terminal?.name),
      'Pickup place': said(pickup_facility?.name),
      Yard: said(location.current_location),
      'Last event': last && joined([labelText(last.event ?? ''), clock(last.at), said(last.place)]),
      Vessel: joined([said(shipment?.pod_vessel), shipment?.voyage_number && `voyage ${said(shipment.voyage_number)}`]),
      Expected: joined([eta(shipment?.pod_eta_at, shipment?.port_of_discharge_name), shipment?.pod_eta_at && late]),
      Arrived: joined([clock(location.pod_arrived_at), location.pod_arrived_at && late]),
      Discharged: clock(location.pod_discharged_at),
      Rail: joined([
        said(rail.pod_rail_carrier),
        named('loaded', rail.pod_rail_loaded_at),
        named('departed', rail.pod_rail_departed_at),
        !rail.destination_ata && named('expected inland', rail.destination_eta),
        named('arrived inland', rail.destination_ata),
        named('unloaded', rail.destination_unloaded_at),
      ]),
      'Expected inland': !rail.destination_eta && eta(shipment?.destination_eta_at, shipment?.destination_name),
      'Left the terminal': clock(journey.gate_out_at),
      Delivered: clock(journey.delivered_at),
      'Empty returned': clock(journey.empty_returned_at),
      Shipment: shipment && said(shipment.bill_of_lading || shipment.id),
      Carrier: shipment && joined([said(shipment.shipping_line_name), said(shipment.line)]),
      From: said(shipment?.port_of_lading_name),
      To: joined([said(shipment?.port_of_discharge_name), said(shipment?.destination_name)], ', then '),
      Customer: said(shipment?.customer_name),
      References: shipment?.ref_numbers.map(said).join(', '),
      Equipment: joined([size, said(equipment.type), said(equipment.height), weight]),
      Stale: _metadata.stale.join(' '),
      Next: _metadata.suggestions?.recommended_follow_up,
      Id: quoted(view.id),
    }),
    ...(events
      ? [joined([`${counted(events.count, 'event')}, newest first`, events.cut], '. '), ...events.newest.map(eventLine)]
      : []),
  ]);
}

const named = (what: string, at: string | null) => at && `${what} ${clock(at)}`;

/** The first estimate of the arrival, and the days of delay. */
const latenessText = (shipment: ContainerFacts['shipment']) =>
  joined([
    shipment?.pod_original_eta_at && `first ${clock(shipment.pod_original_eta_at)}`,
    !!shipment?.days_late && `${counted(shipment.days_late, 'day')} late`,
  ]);

const eta = (at: string | null | undefined, place: string | null | undefined) =>
  at && joined([clock(at), said(place)], ' at ');

function lastFreeDay({ demurrage }: ContainerFacts): string {
  const {
    pickup_lfd_local: day,
    days_until_lfd: days,
    urgency,
    urgency_reason,
    urgency_suppressed,
    last_free_days: sources,
  } = demurrage;
  if (!day) return 'not known';
  const left = days !== null && (days < 0 ? `${counted(-days, 'day')} too late` : `${counted(days, 'day')} left`);
  // If a container has left the place of its deadline, it has no days left and is not urgent.
  const hasLeft = urgency === 'none' && urgency_reason !== null;
  const haste = (urgency === 'overdue' || urgency === 'imminent') && urgency;
  const known = Object.entries(sources).flatMap(([source, day]) => (day ? [{ source, day }] : []));
  const by = known.map(({ source, day }) => (known.length > 1 ? `${source} ${day}` : source)).join(', ');
  return joined(
    [
      day,
      !hasLeft && joined([left, haste]),
      joined([urgency_suppressed && 'not certain', urgency_reason?.replace(/\.$/, '')], ': '),
      by && `reported by ${by}`,
    ],
    '; ',
  );
}

function feesText({ demurrage, journey }: ContainerFacts): string {
  const { fees_at_pod_terminal: fees, fees_total_amount, fees_currency_code } = demurrage;
  if (!fees || fees.length === 0) return noneOf(fees, journey);
  const parts = (fees.length > 1 ? fees.filter(({ type }) => type !== 'total') : fees)
    .map(({ type, amount }) => joined([said(type), amount], ' '))
    .join(', ');
  return `${joined([fees_total_amount, said(fees_currency_code)], ' ')} in all: ${parts}`;
}

function holdsText({ demurrage, journey }: ContainerFacts): string {
  const { holds_at_pod_terminal: holds } = demurrage;
  if (!holds || holds.length === 0) return noneOf(holds, journey);
  return holds.map(({ name, status, description }) => joined([name, status, description].map(said), ' ')).join(', ');
}

/** An empty list is mentioned only for a container that is at a terminal. */
function noneOf(reported: readonly unknown[] | null, { stage }: ContainerFacts['journey']): string {
  if (!stage.startsWith('at_') || stage === 'at_origin') return '';
  return reported ? 'none' : 'not reported';
}
