import { withCheckDigit } from '../base/container-number.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { Carrier } from '../world/carriers.ts';
import { type Phase, phaseOf, scenarioOf, scriptNamed } from '../world/scripts.ts';
import type { Backend } from './backend.ts';
import type { Party, Shipment, TrackingRequest } from './store.ts';

/** A new tracking request with these values, before any attempt to track it. */
export function makeRequest(
  id: string,
  createdAt: number,
  values: Pick<TrackingRequest, 'number'> & Partial<TrackingRequest>,
): TrackingRequest {
  return {
    id,
    createdAt,
    updatedAt: createdAt,
    type: 'bill_of_lading',
    carrier: null,
    refNumbers: [],
    tags: [],
    customer: null,
    initialFields: { shipment: [], containers: [] },
    status: 'pending',
    failedReason: null,
    isRetrying: false,
    retryCount: null,
    shipment: null,
    ...values,
  };
}

export interface NewShipment {
  carrier: Carrier;
  number: string;
  /** The number of the container that is tracked. The shipment then has only this container. */
  containerNumber?: string | undefined;
  /** Number of containers. @default one to four; depends on `number` */
  containers?: number | undefined;
  refNumbers?: string[] | null | undefined;
  tags?: string[] | undefined;
  customer?: Party | null | undefined;
  /** @default derived from `number` */
  phase?: Phase | undefined;
  frozen?: boolean | undefined;
  /** Time at which the tracking began. @default now */
  createdAt?: number | undefined;
  /** Time at which the first container is in the phase. @default `createdAt` */
  inPhaseAt?: number | undefined;
}

/** Makes a shipment with its containers, but does not store it. */
export function makeShipment(backend: Backend, id: string, input: NewShipment): Shipment {
  const { ids, seed, now } = backend;
  const scenario = scenarioOf(input.containerNumber ?? input.number);
  const createdAt = input.createdAt ?? now;
  const random = createRandom(seed, 'shipment', input.number);
  const shipment: Shipment = {
    id,
    createdAt,
    inPhaseAt: input.inPhaseAt ?? createdAt,
    number: input.number,
    carrier: input.carrier,
    refNumbers: input.refNumbers ?? null,
    tags: input.tags ?? [],
    customer: input.customer ?? null,
    containers: [],
    phase:
      input.phase ?? (scenario ? scriptNamed(scenario).phase : phaseOf(input.containerNumber ?? input.number, seed)),
    scenario,
    frozen: input.frozen ?? false,
    stoppedAt: null,
    gaps: [],
    isWatched: false,
  };
  const drawn = random.pick([1, 1, 2, 2, 3, 4]);
  const count = input.containerNumber === undefined ? (input.containers ?? (scenario ? 1 : drawn)) : 1;
  shipment.containers = Array.from({ length: count }, (_, index) => ({
    id: ids.of('container', id, index),
    createdAt,
    number: input.containerNumber ?? numberFor(backend, input.carrier, random),
    shipment,
    index,
    refNumbers: [...(input.refNumbers ?? [])],
    refreshedAt: null,
  }));
  return shipment;
}

/** A new number for a container that the carrier owns or leases. No number is used twice. */
function numberFor({ store }: Backend, { scac }: Carrier, random: Random): string {
  const owner = random.chance(0.6) && scac.endsWith('U') ? scac : random.pick(['TCLU', 'TGHU', 'FCIU', 'BMOU']);
  let number: string;
  do number = withCheckDigit(`${owner}${random.integer(100_000, 999_999)}`);
  while (store.containerNumbers.has(number));
  store.containerNumbers.add(number);
  return number;
}
