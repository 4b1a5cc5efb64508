import * as z from 'zod/mini';
import { type ContainerState, containerState, delays, labelledMilestones } from '../../domain/index.ts';
import { counted, flag, included, joined, number, text, texts } from '../../domain/record-values.ts';
import type { Container } from '../../model/index.ts';
import { described, nullableTexts } from '../schema.ts';
import { ageText, demurrageSchema, demurrageView, oldSources, readable } from './deadline.ts';
import {
  adviceFor,
  availability,
  journeySchema,
  journeyView,
  pickupSchema,
  pickupView,
  statusOf,
} from './lifecycle.ts';
import { localInstant, terminalSchema, terminalView, textsAt } from './read.ts';
import { fitting } from './rows.ts';
import { type EventFields, eventView, timelineOf } from './timeline.ts';

/** The related records that the view needs. They include the timeline, so that every view has the same last event. */
export const CONTAINER_PARTS = ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events.location'] as const;

/** A container with the related records that the view needs. */
export type ViewedContainer = Container<typeof CONTAINER_PARTS>;

/** Upper bound in characters of JSON for the events in the result for a container. */
const MAX_EVENT_CHARACTERS = 6_000;

export function containerShape() {
  const numberOrNull = z.nullable(z.number());
  const flagOrNull = z.nullable(z.boolean());
  return {
    id: z.string(),
    ...nullableTexts('container_number', 'created_at'),
    status: z.string(),
    status_source: z.enum(['current_status', 'derived']),
    equipment: z.object({ ...nullableTexts('type', 'height'), length: numberOrNull, weight_lbs: numberOrNull }),
    location: z.object({
      ...nullableTexts('current_location', 'pod_arrived_at', 'pod_discharged_at', 'pod_timezone'),
      available_for_pickup: flagOrNull,
      availability_known: flagOrNull,
    }),
    pickup: pickupSchema(),
    journey: journeySchema(),
    demurrage: demurrageSchema(),
    rail: z.object(
      nullableTexts(
        'pod_rail_carrier',
        'pod_rail_loaded_at',
        'pod_rail_departed_at',
        'destination_eta',
        'destination_ata',
        'destination_unloaded_at',
      ),
    ),
    shipment: z.nullable(
      z.object({
        id: z.string(),
        ref_numbers: z.array(z.string()),
        ...nullableTexts('bill_of_lading', 'line', 'shipping_line_name', 'customer_name', 'pod_eta_at'),
        ...nullableTexts('destination_eta_at', 'pod_vessel', 'voyage_number', 'pod_original_eta_at'),
        days_late: numberOrNull,
        ...nullableTexts('port_of_lading_name', 'port_of_discharge_name', 'destination_name'),
      }),
    ),
    pod_terminal: terminalSchema(),
    pickup_facility: described(terminalSchema(), 'Where it is not pod_terminal'),
    last_event: z.nullable(z.object(nullableTexts('event', 'at', 'place'))),
    events: z.optional(z.looseObject({ count: z.number() })),
    _metadata: z.looseObject({
      presentation_guidance: z.string(),
      stale: z.array(z.string()),
    }),
  };
}

/** The result of `get_container`. */
export function containerView(container: ViewedContainer, now: Date, withEvents: boolean) {
  const shipment = included(container.shipment);
  const state = containerState(container);
  const latest = lastEvent(container);
  const pod_terminal = terminalView(container.pod_terminal);
  const facility = terminalView(container.pickup_facility);
  const inPort = (at: unknown) => localInstant(at, container.pod_timezone);
  const inland = (at: unknown) => localInstant(at, container.final_destination_timezone);
  const { status, status_source } = statusOf(container, state);
  return {
    id: text(container.id) ?? '',
    container_number: text(container.number),
    created_at: text(container.created_at),
    status,
    status_source,
    equipment: {
      type: text(container.equipment_type),
      length: number(container.equipment_length),
      height: text(container.equipment_height),
      weight_lbs: number(container.weight_in_lbs),
    },
    location: locationView(container),
    pickup: pickupView(state),
    journey: journeyView(state, container),
    demurrage: demurrageView(container, Boolean(shipment?.line_tracking_stopped_at), now),
    rail: {
      pod_rail_carrier: text(container.pod_rail_carrier_scac),
      pod_rail_loaded_at: inPort(container.pod_rail_loaded_at),
      pod_rail_departed_at: inPort(container.pod_rail_departed_at),
      destination_eta: inland(container.ind_eta_at),
      destination_ata: inland(container.ind_ata_at),
      destination_unloaded_at: inland(container.ind_rail_unloaded_at),
    },
    shipment: shipmentView(shipment),
    pod_terminal,
    pickup_facility: facility?.id === pod_terminal?.id ? null : facility,
    last_event: latest
      ? {
          event: latest.label,
          at: localInstant(latest.at, latest.timezone),
          place: joined([text(latest.place), text(latest.locode)], ' ') || null,
        }
      : null,
    events: withEvents ? eventsView(container) : undefined,
    _metadata: metadataOf(container, state, shipment, now),
  };
}

function locationView(container: ViewedContainer) {
  const { pod_arrived_at, pod_discharged_at, pod_timezone } = container;
  return {
    current_location: text(container.location_at_pod_terminal),
    available_for_pickup: availability(container),
    availability_known: flag(container.availability_known),
    pod_arrived_at: localInstant(pod_arrived_at, pod_timezone),
    pod_discharged_at: localInstant(pod_discharged_at, pod_timezone),
    pod_timezone: text(pod_timezone),
  };
}

function shipmentView(shipment: Record<string, unknown> | null) {
  if (!shipment) return null;
  const arrival = readable(() => delays(shipment))?.arrival;
  return {
    id: text(shipment.id) ?? '',
    bill_of_lading: text(shipment.bill_of_lading_number),
    ref_numbers: texts(shipment.ref_numbers),
    line: text(shipment.shipping_line_scac),
    pod_vessel: text(shipment.pod_vessel_name),
    voyage_number: text(shipment.pod_voyage_number),
    pod_original_eta_at: localInstant(shipment.pod_original_eta_at, shipment.pod_timezone),
    days_late: arrival?.isLate ? arrival.days : null,
    pod_eta_at: shipment.pod_ata_at ? null : localInstant(shipment.pod_eta_at, shipment.pod_timezone),
    destination_eta_at: shipment.destination_ata_at
      ? null
      : localInstant(shipment.destination_eta_at, shipment.destination_timezone),
    ...textsAt(
      shipment,
      'customer_name',
      'shipping_line_name',
      'port_of_lading_name',
      'port_of_discharge_name',
      'destination_name',
    ),
  };
}

/** The last event that has happened. If there are no events, the last event comes from the times of the container. */
function lastEvent(container: ViewedContainer) {
  const happened = readable(() => labelledMilestones(container).filter(({ estimated }) => !estimated));
  return happened?.at(-1);
}

function eventsView(container: ViewedContainer) {
  const events = (container.transport_events ?? []) as unknown as EventFields[];
  const timeline = timelineOf(events.filter(event => 'event' in event));
  const all = timeline.map(event => eventView(event, timeline)).reverse();
  const newest = all.slice(0, fitting(all, MAX_EVENT_CHARACTERS));
  const left = all.length - newest.length;
  return {
    count: all.length,
    rail_events_count: all.filter(({ event }) => event.includes('rail')).length,
    newest,
    ...(left > 0 && { cut: `${counted(left, 'earlier event')}: get_container_transport_events has them.` }),
  };
}

function metadataOf(
  container: ViewedContainer,
  state: ContainerState,
  shipment: Record<string, unknown> | null,
  now: Date,
) {
  const { status, derived } = statusOf(container, state);
  const { guidance, next } = adviceFor(state);
  return {
    derived_lifecycle: derived === status ? null : derived,
    presentation_guidance: `${guidance} Only a time in delivered_at means delivered. Times are local.`,
    stale: staleness(container, shipment, now),
    suggestions: next === undefined ? undefined : { recommended_follow_up: next },
  };
}

function staleness(container: ViewedContainer, shipment: Record<string, unknown> | null, now: Date): string[] {
  const stopped = shipment?.line_tracking_stopped_at ? ['Tracking with the shipping line has stopped.'] : [];
  return [...oldSources(container, now).map(ageText), ...stopped];
}
