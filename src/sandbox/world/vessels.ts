import type { Random } from '../base/random.ts';

export interface Vessel {
  id: string;
  name: string;
  imo: string;
  mmsi: string;
}

// biome-ignore format: a table
const FIRST = [
  'AMBER', 'BOREAL', 'COBALT', 'DORIAN', 'EMBER', 'FATHOM', 'GRANITE', 'HARBOR', 'INDIGO', 'JASPER',
  'KESTREL', 'LANTERN', 'MERIDIAN', 'NIMBUS', 'OPAL', 'PACIFIC', 'QUARTZ', 'RIVER', 'SILVER', 'TIDAL',
] as const;
// biome-ignore format: a table
const SECOND = [
  'ARROW', 'BEACON', 'CREST', 'DAWN', 'ESTUARY', 'FJORD', 'GANNET', 'HERON', 'ISLE', 'JETTY',
  'KEEL', 'LAGOON', 'MISTRAL', 'NORTH', 'ORCHID', 'PELICAN', 'QUEST', 'REEF', 'SUMMIT', 'TRADER',
] as const;

/** The first digits of an MMSI, which stand for the flag state. */
const FLAGS = ['477', '563', '636', '538', '353'] as const;

/** Invents a vessel. Its IMO number has a correct check digit. */
export function createVessel(id: string, random: Random): Vessel {
  const name = `${random.pick(FIRST)} ${random.pick(SECOND)}`;
  const imo = withCheckDigit(random.integer(900_000, 989_999));
  return { id, name, imo, mmsi: `${random.pick(FLAGS)}${random.integer(100_000, 999_999)}` };
}

/** The check digit is the last digit of the weighted sum of the other six. */
function withCheckDigit(six: number): string {
  const sum = [...String(six)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return `${six}${sum % 10}`;
}
