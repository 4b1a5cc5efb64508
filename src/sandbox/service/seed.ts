import { ConfigurationError } from '../../errors.ts';
import {
  nonBlankStrings,
  objectArgument,
  oneOf,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../../internal/arguments.ts';
import { defined } from '../base/checks.ts';
import { withCheckDigit } from '../base/container-number.ts';
import { createRandom, type Random } from '../base/random.ts';
import { DAY, MINUTE } from '../base/time.ts';
import { type Backend, runAgenda } from '../state/backend.ts';
import { makeRequest } from '../state/new-records.ts';
import type { Party, Shipment, TrackingRequest } from '../state/store.ts';
import type { Carrier } from '../world/carriers.ts';
import { PHASE_NAMES, type Phase } from '../world/scripts.ts';
import { addProcessedDocument } from './document-processing.ts';
import { addShipment, awaitManifest } from './tracking.ts';

/** The phases of the shipments, in order. Each of the first eight shipments is in a different phase. */
const PHASES: Phase[] = [
  ...(['at_sea', 'held', 'on_rail', 'available', 'booked', 'picked_up', 'returned', 'at_origin'] as const),
  ...(['at_sea', 'at_sea', 'held', 'at_sea', 'on_rail', 'available', 'at_sea', 'held'] as const),
  ...(['at_sea', 'booked', 'at_sea', 'picked_up'] as const),
];

const CUSTOMERS = [
  'Alder Home Goods',
  'Birch and Sons',
  'Cedar Outdoor',
  'Dogwood Toys',
  'Elm Street Hardware',
  'Fir Electronics',
];
const TAGS = ['garden', 'toys', 'tools', 'lighting', 'furniture'];
const DOCUMENTS = ['arrival notice', 'commercial invoice', 'packing list', 'bill of lading', 'delivery order'];

/** The age of an account at the start. */
const HISTORY = 21 * DAY;

/** @throws {ConfigurationError} unless `count` is a whole number of at most 100,000. */
export function checkShipmentCount(name: string, count: unknown): void {
  if (wholeNumber(name, count, 0) > 100_000) throw new ConfigurationError(`${name} must be at most 100000.`);
}

/**
 * Fills an account as if it had been used for three weeks. The account gets shipments in all phases, with their
 * tracking requests, customers and documents. It also gets some tracking requests without a shipment.
 */
export function populate(backend: Backend, count: number): void {
  const { ids, now, seed, store } = backend;
  if (count === 0) return;
  const carriers = backend.carriers.filter(({ tracks }) => tracks.container && tracks.bill_of_lading);
  const customers = CUSTOMERS.slice(0, Math.ceil(count / 3)).map(companyName =>
    store.parties.add({ id: ids.next('party'), companyName }),
  );
  const requests: TrackingRequest[] = [];
  for (let index = 0; index < count; index++) {
    const random = createRandom(seed, 'start', ids.next('shipment at the start'));
    // The history is precise to the minute.
    const createdAt = Math.floor((now - (HISTORY * (count - index)) / count) / MINUTE) * MINUTE;
    const draft = { random, createdAt, carrier: random.pick(carriers) };
    // For every ten shipments, there is one request that failed with `not_found`, and one request that awaits its
    // manifest.
    if (index % 10 === 3) requests.push(failedRequest(backend, draft));
    if (index % 10 === 7) requests.push(awaitingRequest(backend, draft));
    const phase = defined(PHASES[index % PHASES.length]);
    const shipment = addShipmentInPhase(backend, draft, phase, random.chance(0.8) ? random.pick(customers) : null);
    requests.push(createdRequest(backend, draft, shipment));
    if (index % 4 === 0) addDocument(backend, draft, shipment);
  }
  // Requests that await a manifest are newer than the requests next to them. Therefore the requests are sorted.
  for (const request of requests.sort((a, b) => a.createdAt - b.createdAt)) store.trackingRequests.add(request);
}

interface Draft {
  random: Random;
  createdAt: number;
  carrier: Carrier;
}

function addShipmentInPhase(backend: Backend, draft: Draft, phase: Phase, customer: Party | null): Shipment {
  const { random, createdAt, carrier } = draft;
  return addShipment(backend, {
    carrier,
    number: billNumber(draft),
    refNumbers: [`PO-${random.integer(10_000, 99_999)}`],
    tags: [random.pick(TAGS)],
    customer,
    phase,
    createdAt: createdAt + MINUTE,
    inPhaseAt: backend.now,
  });
}

function createdRequest(backend: Backend, draft: Draft, shipment: Shipment): TrackingRequest {
  const { number, refNumbers, tags, customer } = shipment;
  return newRequest(backend, draft, {
    number,
    refNumbers: refNumbers ?? [],
    tags,
    customer,
    status: 'created',
    shipment,
  });
}

function failedRequest(backend: Backend, draft: Draft): TrackingRequest {
  const number = withCheckDigit(`TCLU${draft.random.integer(100_000, 999_999)}`);
  return newRequest(backend, draft, { number, type: 'container', status: 'failed', failedReason: 'not_found' });
}

/** A request that awaits its manifest. Like any such request, it expires after `manifestDays`. */
function awaitingRequest(backend: Backend, draft: Draft): TrackingRequest {
  const createdAt = Math.max(draft.createdAt, backend.now - draft.random.integer(1, 6) * DAY);
  const request = newRequest(backend, { ...draft, createdAt }, { number: billNumber(draft) });
  awaitManifest(backend, request, createdAt);
  return request;
}

const billNumber = ({ carrier, random }: Draft) => `${carrier.bolPrefix}${random.integer(100_000_000, 999_999_999)}`;

function newRequest(
  { ids }: Backend,
  { createdAt, carrier }: Draft,
  values: Pick<TrackingRequest, 'number'> & Partial<TrackingRequest>,
): TrackingRequest {
  const updatedAt = createdAt + MINUTE;
  return makeRequest(ids.next('tracking_request'), createdAt, { carrier, updatedAt, ...values });
}

function addDocument(backend: Backend, { random, createdAt }: Draft, shipment: Shipment): void {
  const kind = random.pick(DOCUMENTS);
  addProcessedDocument(backend, {
    filename: `${kind.replaceAll(' ', '-')}-${shipment.number}.txt`,
    text: `${kind} for ${shipment.number}\n${shipment.containers.map(({ number }) => number).join('\n')}\n`,
    createdAt: createdAt + 10 * MINUTE,
    shipment,
  });
}

/** The properties that all added shipments have in common. */
export interface SeedOptions {
  /** Number of containers of each shipment. @default one to four */
  containers?: number | undefined;
  /** The phase of the first container of each shipment. @default different phases */
  phase?: Phase | undefined;
  /** The SCAC of the carrier. @default different carriers */
  scac?: string | undefined;
  /** The reference numbers of each shipment and of its containers. @default none */
  refNumbers?: string[] | undefined;
  /** The tags of each shipment. @default none */
  tags?: string[] | undefined;
}

/** A container that was added to the account. */
export interface SeededContainer {
  /** The id of the container. */
  id: string;
  /** The container number, with a correct check digit. */
  number: string;
  /** The id of its shipment. */
  shipmentId: string;
}

/** A shipment that was added to the account. */
export interface SeededShipment {
  /** The id of the shipment. */
  id: string;
  /** The bill of lading number. */
  number: string;
  /** The containers of the shipment. */
  containers: SeededContainer[];
}

/** Adds shipments without tracking requests to the account. */
export function seedShipments(backend: Backend, count: number, options: SeedOptions = {}): SeededShipment[] {
  checkSeed(count, options);
  const { scac, ...rest } = options;
  const carriers = backend.carriers.filter(
    carrier => carrier.tracks.container && (scac === undefined || carrier.scac === scac),
  );
  if (carriers.length === 0) throw new ConfigurationError(`No carrier with containers has the SCAC ${scac}.`);
  runAgenda(backend);
  return Array.from({ length: count }, () => {
    const random = createRandom(backend.seed, 'seeded', backend.ids.next('seeded shipment'));
    const carrier = random.pick(carriers);
    const number = `${carrier.bolPrefix}${random.integer(100_000_000, 999_999_999)}`;
    const shipment = addShipment(backend, { ...rest, carrier, number });
    const containers = shipment.containers.map(({ id, number }) => ({ id, number, shipmentId: shipment.id }));
    return { id: shipment.id, number, containers };
  });
}

const SEED_NAMES = optionNames<SeedOptions>({
  containers: true,
  phase: true,
  scac: true,
  refNumbers: true,
  tags: true,
});

function checkSeed(count: number, options: SeedOptions): void {
  wholeNumber('The number to seed', count, 0);
  refuseUnknownNames(
    'The options for seeding',
    objectArgument('The argument for options', options, "{ phase: 'at_sea' }"),
    SEED_NAMES,
  );
  const { containers = 1, phase = 'at_sea', refNumbers = [], tags = [] } = options;
  wholeNumber('containers', containers, 0);
  oneOf('phase', phase, PHASE_NAMES);
  nonBlankStrings('refNumbers', refNumbers);
  nonBlankStrings('tags', tags);
}
