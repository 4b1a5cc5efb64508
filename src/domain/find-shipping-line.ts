import { requiredText } from '../internal/arguments.ts';
import type { ShippingLineAttributes } from '../model/index.ts';
import type { PartialOrUndefined } from './record-argument.ts';

/** The result of `shippingLines.find`. */
export type ShippingLineMatch<Line> =
  | {
      /** The carrier with this code or name. */
      line: Line;
      /** The meaning of the text: the carrier's SCAC, another of its codes, or its full or short name. */
      matchedBy: 'scac' | 'alternative_scac' | 'name';
      /** Empty, because the match is clear. */
      candidates: [];
    }
  | {
      /** No carrier has exactly this code or name, or several carriers have it. */
      line: undefined;
      /** Always absent. */
      matchedBy?: undefined;
      /** Carriers whose names share words with the text, the best first; empty if there are none. */
      candidates: Line[];
    };

type Facts = PartialOrUndefined<Pick<ShippingLineAttributes, 'scac' | 'name' | 'short_name' | 'alternative_scacs'>>;

/**
 * Finds the carrier with a code or a name. Case, accents, spaces and punctuation do not matter: `hapag lloyd` is
 * `Hapag-Lloyd`. A part of a name never selects a carrier: it only finds candidates, for a person to choose from.
 *
 * A main SCAC takes precedence over an alternative SCAC. A code takes precedence over a name.
 *
 * @param lines the carriers, from `client.shippingLines.list()`.
 * @param text a main or alternative SCAC, or a name.
 * @throws {ConfigurationError} if the text is blank.
 * @example
 * const { line, candidates } = findShippingLine(lines, 'medu'); // line.scac is 'MSCU'
 */
export function findShippingLine<Line extends Facts>(lines: Iterable<Line>, text: string): ShippingLineMatch<Line> {
  const code = requiredText('The carrier', text).trim().toUpperCase();
  const wanted = normalized(text);
  const all = [...lines];

  const rules = [
    ['scac', (line: Line) => line.scac?.toUpperCase() === code],
    ['alternative_scac', (line: Line) => line.alternative_scacs?.some(other => other.toUpperCase() === code) === true],
    ['name', (line: Line) => wanted !== '' && namesOf(line).includes(wanted)],
  ] as const;
  for (const [matchedBy, matches] of rules) {
    const found = all.filter(matches);
    const [line] = found;
    if (line !== undefined && found.length === 1) return { line, matchedBy, candidates: [] };
    if (found.length > 1) return { line: undefined, candidates: found };
  }
  return { line: undefined, candidates: candidatesOf(all, wanted) };
}

/** Words that many carriers have in their names. These words alone do not identify a carrier. */
const COMMON = new Set(['line', 'lines', 'shipping', 'container', 'company', 'the', 'and', 'of', 'co', 'ltd', 'inc']);

function candidatesOf<Line extends Facts>(lines: readonly Line[], wanted: string): Line[] {
  const given = new Set(wanted.split(' ').filter(word => word !== '' && !COMMON.has(word)));
  const shared = (line: Line) => {
    const words = new Set(namesOf(line).flatMap(name => name.split(' ')));
    return [...given].filter(word =>
      [...words].some(other => other === word || (word.length > 2 && other.startsWith(word))),
    ).length;
  };
  const scored = lines.map(line => ({ line, score: shared(line) })).filter(({ score }) => score > 0);
  return scored.sort((a, b) => b.score - a.score).map(({ line }) => line);
}

function namesOf({ name, short_name }: Facts): string[] {
  return [name, short_name].map(text => normalized(text ?? '')).filter(text => text !== '');
}

/** Lower case words without accents and punctuation. `T.S. Lines` is `ts lines`. */
function normalized(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}.'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
