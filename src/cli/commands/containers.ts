import { attribute } from '../../domain/attribute.ts';
import { containerState, hasGone } from '../../domain/container-state.ts';
import { lastFreeDay } from '../../domain/last-free-days.ts';
import { type LabelledMilestone, labelledMilestones } from '../../domain/milestone-labels.ts';
import { pickupPlace } from '../../domain/pickup-place.ts';
import { wordsOf } from '../../domain/words-of.ts';
import type { Container, DynamicInclude, RouteLocation } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import type { Command } from '../command.ts';
import { codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { carrierOf, etaOf, feesOf, holdsOf, placeOf, textIn, vesselOf } from '../output/facts.ts';
import { FIELDS_OPTION, printRecords, printValue, tableOptions, withKnownFields } from '../output/print.ts';
import { paragraph } from '../output/table.ts';
import { timeThere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';
import { timeline } from './timeline.ts';

const number: Column<Container<DynamicInclude>> = ['NUMBER', container => container.number, 'whole'];
const status: Column<Container<DynamicInclude>> = ['STATUS', ({ current_status }) => codeCell(current_status), 'whole'];
const arrived: Column<Container<DynamicInclude>> = [
  'ARRIVED',
  ({ pod_arrived_at, pod_timezone }) => timeThere(pod_arrived_at, pod_timezone),
  'whole',
];
const id: Column<Container<DynamicInclude>> = ['ID', container => container.id, 'whole'];

/** The related records from which the events and the names of their places are read. */
const JOURNEY = ['shipment', 'transport_events.location'];

/** The columns for one container, with facts about its shipment. */
const DETAILS: readonly Column<Container<DynamicInclude>>[] = [
  number,
  status,
  ['READY', readinessOf, 'key'],
  ['SHIPMENT', ({ shipment }) => textIn(shipment, 'bill_of_lading_number'), 'whole', ['shipment']],
  ['CARRIER', ({ shipment }) => carrierOf(shipment), 'text', ['shipment']],
  ['FROM', ({ shipment }) => placeOf(shipment, 'port_of_lading'), 'text', ['shipment']],
  [
    'TO',
    ({ shipment }) => placeOf(shipment, 'port_of_discharge') ?? placeOf(shipment, 'destination'),
    'text',
    ['shipment'],
  ],
  ['DESTINATION', inlandDestinationOf, 'text', ['shipment']],
  ['VESSEL', ({ shipment }) => vesselOf(shipment), 'text', ['shipment']],
  ['TERMINAL', ({ pod_terminal }) => textIn(pod_terminal, 'name'), 'text', ['pod_terminal']],
  ['YARD', ({ location_at_pod_terminal }) => location_at_pod_terminal],
  ['PICKUP PLACE', inlandPlaceOf, 'text', ['pickup_facility', 'shipment']],
  ['ETA', ({ pod_arrived_at, shipment }) => (pod_arrived_at ? undefined : etaOf(shipment)), 'whole', ['shipment']],
  arrived,
  ['INLAND ETA', inlandEtaOf, 'whole'],
  ['LAST FREE DAY', lastFreeDayOf, 'whole'],
  ['APPOINTMENT', appointmentOf, 'whole'],
  ['HOLDS', container => orNone(container, container.holds_at_pod_terminal, holdsOf([container])), 'key'],
  ['FEES', container => orNone(container, container.fees_at_pod_terminal, feesOf([container])), 'key'],
  ['CUSTOMER', ({ shipment }) => textIn(shipment, 'customer_name'), 'text', ['shipment']],
  ['REFERENCES', referencesOf, 'text', ['shipment']],
  id,
];

const EVENTS: readonly Column<Container<DynamicInclude>>[] = [
  ['LAST EVENT', container => eventOf(journeyOf(container).findLast(({ estimated }) => !estimated)), 'text', JOURNEY],
  ['NEXT EVENT', container => eventOf(journeyOf(container).find(({ estimated }) => estimated)), 'text', JOURNEY],
];

/** Number of past events that are printed with a container. */
const FEW = 3;

/** The last events and the next event, or all events. */
function eventsText(container: Container<DynamicInclude>, isAll: boolean): string | undefined {
  const all = journeyOf(container);
  const next = all.findIndex(({ estimated }) => estimated);
  const happened = all.filter(({ estimated }) => !estimated);
  const shown = isAll ? all : [...happened.slice(-FEW), ...(next < 0 ? [] : all.slice(next, next + 1))];
  if (shown.length === 0) return undefined;
  const others = `All events: container-tracking containers get ${container.number} --include transport_events`;
  return ['Events', timeline(shown), ...(shown.length < all.length ? [others] : [])].join('\n');
}

/** The inland place that the container goes to. */
function inlandDestinationOf({ shipment }: Container<DynamicInclude>): string | undefined {
  const place = placeOf(shipment, 'destination');
  const port = placeOf(shipment, 'port_of_discharge');
  return port === undefined || place === port ? undefined : place;
}

/** The reference numbers of the container and of its shipment. */
function referencesOf({ ref_numbers, shipment }: Container<DynamicInclude>): unknown[] {
  const others: unknown = attribute(Object(shipment), 'ref_numbers');
  return [...new Set([...(ref_numbers ?? []), ...(Array.isArray(others) ? others : [])])];
}

/**
 * `none` for an empty list, if the container is at a terminal that reports the list. Otherwise an empty list gives no
 * information.
 */
function orNone(container: Container<DynamicInclude>, reported: unknown, texts: readonly string[]) {
  const isStanding = ['at_port', 'at_inland'].includes(containerState(container).stage);
  return texts.length > 0 || !isStanding || !reported ? texts : 'none';
}

/** The inland place where the container is picked up; `null` if it is picked up at the port. */
function inlandPlaceOf(container: Container<DynamicInclude>): string | null {
  const { at, name } = pickupPlace(container);
  return at === 'inland' ? name : null;
}

/** The arrival inland, which the railway expects; `undefined` after the arrival. */
function inlandEtaOf({ ind_ata_at, ind_eta_at, final_destination_timezone }: Container<DynamicInclude>) {
  return ind_ata_at ? undefined : timeThere(ind_eta_at, final_destination_timezone);
}

/** The appointment for the pickup; `undefined` if the container has left. */
function appointmentOf(container: Container<DynamicInclude>) {
  const { pickup_appointment_at, pod_timezone } = container;
  return hasGone(containerState(container).stage) ? undefined : timeThere(pickup_appointment_at, pod_timezone);
}

function journeyOf(container: Container<DynamicInclude>): LabelledMilestone[] {
  return labelledMilestones(container as Container<['shipment', 'transport_events.location']>);
}

/** `Vessel departed, Busan, 2026-11-20 14:00 GMT+9`. */
function eventOf(milestone: LabelledMilestone | undefined): string | undefined {
  if (!milestone) return undefined;
  const { label, place, locode, local } = milestone;
  return [label, place ?? locode, local.text].filter(Boolean).join(', ');
}

/** `no: hold, fees`. */
function readinessOf(container: Container<DynamicInclude>): string {
  const { pickup, reasons } = containerState(container);
  return reasons.length > 0 ? `${pickup}: ${reasons.map(wordsOf).join(', ')}` : pickup;
}

/** `2026-11-28, 2 days left`; only the date if the container has left. */
export function lastFreeDayOf(container: Container<DynamicInclude>): string | undefined {
  const day = lastFreeDay(container);
  if (!day || containerState(container).reasons.includes('gone')) return day?.date;
  const days = Math.abs(day.daysLeft);
  const when = days === 0 ? 'today' : `${days} ${days === 1 ? 'day' : 'days'} ${day.daysLeft < 0 ? 'overdue' : 'left'}`;
  return `${day.date}, ${when}`;
}

export const containers: RecordGroup<Container<DynamicInclude>> = {
  type: 'container',
  operation: 'containers.list',
  list: (client, options) => client.containers.list({ ...options, sort: options.sort ?? '-created_at' }),
  get: (client, id, options) => client.containers.get(id, options),
  named: async (client, name, signal) => (await client.containers.list({ filter: { number: name }, signal })).data,
  documentsOf: ({ number }) => number,
  filterExample: 'pickup_lfd.lte=7.days.from_now',
  includeExample: 'shipment,pod_terminal',
  details: DETAILS,
  others: EVENTS,
  after: { relationship: 'transport_events', needs: JOURNEY, text: eventsText },
  columns: [
    number,
    status,
    ['READY', container => containerState(container).pickup],
    ['LAST FREE DAY', container => lastFreeDay(container)?.date, 'whole'],
    ['HOLDS', ({ holds_at_pod_terminal }) => holds_at_pod_terminal?.map(({ name }) => name)],
    arrived,
    id,
  ],
};

export const list: Command = listCommand(containers);
export const get: Command = getCommand(containers);

export const refresh: Command = {
  about:
    'Requests news from the carrier and the terminal. The service limits this to 10 requests a minute. Some accounts cannot use this command.',
  options: { ...FIELDS_OPTION, ...API_OPTIONS },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const result = await client.containers.refresh(await idOf(containers, client, name, signal), { signal });
      await printValue(withKnownFields(values, result), result, () => paragraph(result.message));
    }),
};

const STOPS: readonly Column<RouteLocation<DynamicInclude>>[] = [
  ['PLACE', ({ location }) => (location && 'name' in location ? location.name : undefined)],
  [
    'ARRIVES',
    ({ inbound_eta_at, inbound_ata_at, location }) => timeThere(inbound_ata_at ?? inbound_eta_at, zoneOf(location)),
    'whole',
  ],
  [
    'LEAVES',
    ({ outbound_etd_at, outbound_atd_at, location }) => timeThere(outbound_atd_at ?? outbound_etd_at, zoneOf(location)),
    'whole',
  ],
  [
    'STATE',
    ({ outbound_atd_at, inbound_ata_at }) => (outbound_atd_at ? 'left' : inbound_ata_at ? 'arrived' : 'expected'),
    'whole',
  ],
  ['BROUGHT BY', ({ inbound_vessel, inbound_mode }) => textIn(inbound_vessel, 'name') ?? codeCell(inbound_mode)],
];

function zoneOf(location: unknown): string | undefined {
  const { time_zone } = Object(location);
  return typeof time_zone === 'string' ? time_zone : undefined;
}

export const route: Command = {
  options: { ...tableOptions(STOPS), ...API_OPTIONS },
  arguments: ['ID|NUMBER'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const { route_locations } = await client.containers.route(await idOf(containers, client, name, signal, true), {
        signal,
      });
      await printRecords(values, route_locations as RouteLocation<DynamicInclude>[], STOPS);
    }),
};
