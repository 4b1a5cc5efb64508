import * as z from 'zod/mini';
import { type ContainerState, containerState } from '../../domain/index.ts';
import type { Container } from '../../model/index.ts';
import { nullableTexts, optionalTexts, textOrNull } from '../schema.ts';
import { ageInDays, checkedAt, demurrageSchema, demurrageView } from './deadline.ts';
import {
  adviceFor,
  availability,
  journeySchema,
  journeyView,
  pickupSchema,
  pickupView,
  statusOf,
} from './lifecycle.ts';
import { flag, included, local, number, terminalSchema, terminalView, text, texts } from './read.ts';

/** A container with what the view needs. The events only where they were included. */
export type ViewedContainer =
  | Container<readonly ['shipment', 'pod_terminal']>
  | Container<readonly ['shipment', 'pod_terminal', 'transport_events']>;

const STALE_AFTER_DAYS = 2;

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
      ...nullableTexts('current_location', 'pod_arrived_at', 'pod_arrived_at_local', 'pod_timezone'),
      ...nullableTexts('pod_discharged_at', 'pod_discharged_at_local'),
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
        line: textOrNull(),
        ...optionalTexts('shipping_line_name', 'port_of_lading_name', 'port_of_discharge_name', 'destination_name'),
      }),
    ),
    pod_terminal: terminalSchema(),
    events: z.union([
      z.string(),
      z.object({
        count: z.number(),
        rail_events_count: z.optional(z.number()),
        latest_event: z.optional(z.object({ timestamp: textOrNull(), ...optionalTexts('event', 'location') })),
      }),
    ]),
    _metadata: z.looseObject({
      presentation_guidance: z.string(),
      stale: z.array(z.string()),
    }),
  };
}

/** The result of `get_container`. */
export function containerView(container: ViewedContainer, now: Date) {
  const shipment = included(container.shipment);
  const state = containerState(container);
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
      pod_rail_loaded_at: text(container.pod_rail_loaded_at),
      pod_rail_departed_at: text(container.pod_rail_departed_at),
      destination_eta: text(container.ind_eta_at),
      destination_ata: text(container.ind_ata_at),
      destination_unloaded_at: text(container.ind_rail_unloaded_at),
    },
    shipment: shipmentView(shipment),
    pod_terminal: terminalView(container.pod_terminal),
    events: eventsView(container),
    _metadata: metadataOf(container, state, shipment, now),
  };
}

function locationView(container: ViewedContainer) {
  const { pod_arrived_at, pod_discharged_at, pod_timezone } = container;
  return {
    current_location: text(container.location_at_pod_terminal),
    available_for_pickup: availability(container),
    availability_known: flag(container.availability_known),
    pod_arrived_at: text(pod_arrived_at),
    pod_arrived_at_local: local(pod_arrived_at, pod_timezone),
    pod_discharged_at: text(pod_discharged_at),
    pod_discharged_at_local: local(pod_discharged_at, pod_timezone),
    pod_timezone: text(pod_timezone),
  };
}

function shipmentView(shipment: Record<string, unknown> | null) {
  if (!shipment) return null;
  const named = (name: string) => text(shipment[name]) ?? undefined;
  return {
    id: text(shipment.id) ?? '',
    ref_numbers: texts(shipment.ref_numbers),
    line: text(shipment.shipping_line_scac),
    shipping_line_name: named('shipping_line_name'),
    port_of_lading_name: named('port_of_lading_name'),
    port_of_discharge_name: named('port_of_discharge_name'),
    destination_name: named('destination_name'),
  };
}

function eventsView(container: ViewedContainer) {
  const events = eventsOf(container);
  if (!events) return 'Ask get_container_transport_events, or include transport_events.';
  const latest = events.reduce<Record<string, unknown> | undefined>(
    (last, event) => ((text(event.timestamp) ?? '') >= (text(last?.timestamp) ?? '') ? event : last),
    undefined,
  );
  return {
    count: events.length,
    rail_events_count: events.filter(({ event }) => text(event)?.includes('rail')).length,
    latest_event: latest && {
      event: text(latest.event) ?? 'unknown',
      timestamp: text(latest.timestamp),
      location: text(latest.location_locode) ?? undefined,
    },
  };
}

/** The events that have happened: no estimates, and none that was found to be wrong. `undefined` if events were not included. */
function eventsOf(container: ViewedContainer): Record<string, unknown>[] | undefined {
  const events = (container.transport_events ?? []) as unknown as Record<string, unknown>[];
  const sent = events.filter(event => 'event' in event);
  if (sent.length === 0 && events.length > 0) return undefined;
  return sent.filter(({ event, invalidated_at }) => !invalidated_at && !text(event)?.includes('.estimated.'));
}

function metadataOf(
  container: ViewedContainer,
  state: ContainerState,
  shipment: Record<string, unknown> | null,
  now: Date,
) {
  const { status, status_source, derived } = statusOf(container, state);
  const { fields, guidance, next } = adviceFor(state);
  const withEvents = typeof eventsView(container) !== 'string';
  return {
    container_state: status,
    status_is_authoritative: status_source === 'current_status',
    derived_lifecycle: derived,
    includes_loaded: ['shipment', 'pod_terminal', ...(withEvents ? ['transport_events'] : [])],
    relevant_for_current_state: fields,
    presentation_guidance: `${guidance} Never call it delivered without delivered_at. Give times in local time.`,
    stale: staleness(container, shipment, now),
    suggestions: next === undefined ? undefined : { recommended_follow_up: next },
  };
}

function staleness(container: ViewedContainer, shipment: Record<string, unknown> | null, now: Date): string[] {
  const stale: string[] = [];
  const age = ageInDays(checkedAt(container), now);
  if (age !== undefined && age > STALE_AFTER_DAYS)
    stale.push(`The terminal was last asked ${Math.floor(age)} days ago.`);
  if (shipment?.line_tracking_stopped_at) stale.push('Tracking with the shipping line has stopped.');
  const lineAge = ageInDays(shipment?.line_tracking_last_succeeded_at, now);
  if (lineAge !== undefined && lineAge > STALE_AFTER_DAYS) {
    stale.push(`The shipping line last answered ${Math.floor(lineAge)} days ago.`);
  }
  return stale;
}
