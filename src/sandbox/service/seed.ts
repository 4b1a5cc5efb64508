import { ConfigurationError } from '../../errors.ts';
import {
  nonBlankStrings,
  objectArgument,
  oneOf,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../../internal/arguments.ts';
import { createRandom } from '../base/random.ts';
import { type Backend, runAgenda } from '../state/backend.ts';
import type { Phase } from '../world/scenario.ts';
import { addShipment } from './shipments.ts';

/** What added shipments have in common. */
export interface SeedOptions {
  /** How many containers each shipment has. @default one to four */
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

/** Adds shipments to the account without tracking requests. */
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

const PHASES = optionNames<Record<Phase, true>>({
  booked: true,
  at_origin: true,
  at_sea: true,
  held: true,
  available: true,
  on_rail: true,
  picked_up: true,
  returned: true,
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
  oneOf('phase', phase, PHASES);
  nonBlankStrings('refNumbers', refNumbers);
  nonBlankStrings('tags', tags);
}
