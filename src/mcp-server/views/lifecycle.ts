import * as z from 'zod/mini';
import type { ContainerState, containerState, PickupReason } from '../../domain/index.ts';
import { flag, quoted, text } from '../../domain/record-values.ts';
import type { ContainerAttributes } from '../../model/index.ts';
import { described, nullableTexts } from '../schema.ts';
import { localInstant } from './read.ts';

export type JourneyFacts = Parameters<typeof containerState>[0];

export function journeySchema() {
  return z.object({
    stage: z.string(),
    ...nullableTexts('gate_out_at', 'gate_out_from', 'delivered_at', 'empty_returned_at'),
  });
}

export function journeyView(state: ContainerState, { pod_timezone, final_destination_timezone }: JourneyFacts) {
  const { stage, gateOut, deliveredAt, emptyReturn } = state;
  return {
    stage,
    gate_out_at: localInstant(gateOut?.at, gateOut?.timezone),
    gate_out_from: gateOut?.place ?? null,
    delivered_at: localInstant(deliveredAt, text(final_destination_timezone) ?? pod_timezone),
    empty_returned_at: localInstant(emptyReturn?.at, emptyReturn?.timezone),
  };
}

export const PICKUP_WORDS = ['yes', 'no', 'unknown'] as const;

export function pickupSchema() {
  return z.object({
    possible: described(z.enum(PICKUP_WORDS), 'unknown is not a no'),
    reasons: z.array(z.string()),
  });
}

export function pickupView(state: ContainerState) {
  return { possible: state.pickup, reasons: state.reasons.map(reason => sentenceOf(reason, state)) };
}

function sentenceOf(reason: PickupReason, { stage, holds }: ContainerState): string {
  switch (reason) {
    case 'hold':
      return `It is held by ${[...new Set(holds.map(({ name }) => quoted(text(name) ?? 'somebody')))].join(', ')}.`;
    case 'fees':
      return 'Fees are due at the terminal.';
    case 'not_available':
      return 'The terminal says that it is not available.';
    case 'availability_unknown':
      return 'The terminal does not say whether it is available.';
    case 'goes_by_rail':
      return 'It waits at the port for its journey inland.';
    case 'not_unloaded':
      if (stage === 'on_rail') return 'It is on a train.';
      if (stage === 'arrived_inland') return 'Its train has arrived inland, and it has not been unloaded yet.';
      return 'It has not been discharged at its port yet.';
    case 'gone':
      return 'It has been picked up already.';
  }
}

/** The terminal's flag; `null` if the terminal reports nothing, because then the flag has no meaning. */
export function availability(container: {
  readonly availability_known?: unknown;
  readonly available_for_pickup?: unknown;
}): boolean | null {
  return container.availability_known === false ? null : flag(container.available_for_pickup);
}

/**
 * The status in the words of the hosted endpoint. If the endpoint has no word for the status, the result is the name of
 * the stage.
 */
function wordOf({ stage, pickup }: ContainerState): string {
  if (stage === 'on_ship') return 'in_transit';
  if (stage === 'arrived_at_port') return 'arrived';
  if (stage === 'arrived_inland') return 'on_rail';
  if (stage !== 'at_port' && stage !== 'at_inland') return stage;
  return { yes: 'available_for_pickup', no: 'discharged', unknown: 'at_terminal' }[pickup];
}

/**
 * The status that the service reports. If the service reports no status, the status is derived from the times of the
 * container.
 */
export function statusOf({ current_status }: Pick<ContainerAttributes, 'current_status'>, state: ContainerState) {
  const status = text(current_status);
  const derived = wordOf(state);
  return { status: status || derived, status_source: status ? 'current_status' : 'derived', derived } as const;
}

interface Advice {
  /** Guidance for the model about the facts that its user needs. */
  guidance: string;
  next?: string;
}

export function adviceFor({ stage, pickup }: ContainerState): Advice {
  const isStanding = stage === 'at_port' || stage === 'at_inland';
  return isStanding ? AT_TERMINAL[pickup] : STAGES[stage];
}

const TIMELINE = 'get_container_transport_events has what has happened.';

const AT_TERMINAL: Record<ContainerState['pickup'], Advice> = {
  yes: {
    guidance: 'The container can be picked up. The last free day matters most, with the days left.',
  },
  no: {
    guidance:
      'The container cannot be picked up. The reasons (pickup.reasons), the fees and the last free day matter most.',
  },
  unknown: {
    guidance: 'The container is at the terminal. It is not known if it can be picked up.',
  },
};

const AT_SEA: Advice = {
  guidance:
    'The container is on a ship, and has no pickup facts yet. The port of discharge and the expected arrival matter most.',
};

const ORIGIN: Advice = {
  guidance: 'The container has not sailed. The expected departure of the ship matters most.',
};

const STAGES: Record<Exclude<ContainerState['stage'], 'at_port' | 'at_inland'>, Advice> = {
  booked: ORIGIN,
  at_origin: ORIGIN,
  on_ship: AT_SEA,
  arrived_at_port: {
    guidance: 'The ship has arrived, and the container is still on board.',
  },
  on_rail: {
    guidance: 'The container travels inland by train. The railway and the expected arrival inland matter most.',
    next: 'get_container_transport_events has the stops of the train.',
  },
  arrived_inland: {
    guidance: 'The train has arrived inland, and the container is not unloaded yet.',
  },
  picked_up: {
    guidance:
      'The container has left the terminal. Nothing is to be picked up. The empty container is still to be returned.',
    next: TIMELINE,
  },
  delivered: {
    guidance: 'A person has marked the container as delivered. Nothing is to be picked up.',
  },
  empty_returned: {
    guidance: 'The empty container is back, so the journey is over. Nothing is to be picked up.',
  },
  unknown: {
    guidance: 'It is not known where the container is.',
    next: TIMELINE,
  },
};
