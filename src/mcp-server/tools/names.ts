import { included, joined, quoted, several, short, text, texts } from '../../domain/record-values.ts';
import { APIError, RateLimitError } from '../../errors.ts';
import type { ShippingLine } from '../../model/index.ts';
import { folded, matcherOf, nearTo } from '../../worklist/narrowing.ts';
import { ToolFailure } from '../failure.ts';
import type { ToolContext } from '../tool.ts';
import { accountOf } from './account.ts';

/** The codes of carriers and ports that an argument names by a code, a name or a part of a name. */

/** A carrier or a port. */
export interface Named {
  code: string;
  names: readonly string[];
  otherCodes?: readonly string[];
}

const SCAC = /^[A-Z0-9]{2,4}$/;
const LOCODE = /^[A-Z]{2}[A-Z0-9]{3}$/;

/** The arguments, and the words about them in messages. */
const ARGUMENTS = {
  carrier: { known: carriersOf, form: SCAC },
  scac: { known: carriersOf, form: SCAC },
  port: { known: portsAt('port_of_discharge'), form: LOCODE, direction: 'go to' },
  pol_code: { known: portsAt('port_of_lading'), form: LOCODE, direction: 'come from' },
} as const;

type Argument = keyof typeof ARGUMENTS;

const MOST_NAMED = 10;

/**
 * The arguments with codes in place of names, so that the result shows which carriers and ports a name has selected. Several
 * values are separated by commas. If several names contain a value, the value stands for all of these names.
 *
 * @throws {ToolFailure} for a value that does not belong to any carrier, or to any port of the account.
 */
export async function withCodes<Input extends { [A in Argument]?: string | undefined }>(
  input: Input,
  context: ToolContext,
): Promise<Input> {
  const coded: { [A in Argument]?: string } = {};
  for (const argument of Object.keys(ARGUMENTS) as Argument[]) {
    const value = input[argument];
    if (value !== undefined) coded[argument] = (await codesIn(argument, value, context)).join(',');
  }
  return { ...input, ...coded };
}

async function codesIn(argument: Argument, value: string, context: ToolContext): Promise<string[]> {
  const { form, known: read, ...port } = ARGUMENTS[argument];
  const given = several(value);
  const isCode = (part: string) => form.test(part.toUpperCase());
  // The records of the account know only their own ports, so the code of another port is accepted.
  const isPort = 'direction' in port;
  if (isPort && given.every(isCode)) return given.map(part => part.toUpperCase());
  const known = await (isPort ? read(context) : carriersFor(given, context));
  const codes = given.flatMap(part => {
    const found = matchesOf(part, known);
    if (found.length > 0) return found.map(({ code }) => code);
    if (isCode(part) && (isPort || known.length === 0)) return [part.toUpperCase()];
    const message = isPort
      ? `${argument} must be a UN/LOCODE, such as USLGB, or the name of a port of the account, not ${quoted(short(part) ?? '')}.${meant(part, known)}${portsIn(known, port.direction)}`
      : `${argument}: no carrier has the code or the name ${quoted(short(part) ?? '')}.${meant(part, known)} get_supported_shipping_lines has all.`;
    throw new ToolFailure('invalid_request', message);
  });
  return [...new Set(codes)];
}

/** The records with exactly this code, or else with exactly this name, or else with this part of a name or a code. */
export function matchesOf(part: string, known: readonly Named[]): Named[] {
  const [code, name, isIn] = [part.trim().toUpperCase(), folded(part), matcherOf(part)];
  if (name === '') return [];
  const rules: ((named: Named) => boolean | undefined)[] = [
    named => named.code === code,
    named => named.otherCodes?.includes(code),
    named => named.names.some(other => folded(other) === name),
    named => isIn(textOf(named)),
  ];
  return rules.map(rule => known.filter(rule)).find(found => found.length > 0) ?? [];
}

/** The sentence ` Did you mean …?`, or an empty text. */
export function meant(part: string, known: readonly Named[]): string {
  const near = known.map(textOf).filter(nearTo(part));
  return near.length > 0 ? ` Did you mean ${listOf(near, ' or ')}?` : '';
}

/** Codes with names, as a part of a sentence. */
export const namesText = (named: readonly Named[]) => listOf(named.map(textOf), ', ');

const listOf = (values: readonly string[], between: string) =>
  values
    .slice(0, MOST_NAMED)
    .map(value => quoted(short(value) ?? ''))
    .join(between);

const textOf = ({ code, names }: Named) => joined([code, ...new Set(names)], ' ');

const portsIn = (known: readonly Named[], direction: string) =>
  known.length > 0 ? ` Containers of the account ${direction} ${namesText(known)}.` : '';

/** The carriers for these values. If the service fails to list them, codes are used unchanged. */
export function carriersFor(given: readonly string[], context: ToolContext): Promise<Named[]> {
  return carriersOf(context).catch((error: unknown) => {
    const isFinal = error instanceof APIError && !(error instanceof RateLimitError);
    if (isFinal && given.every(part => SCAC.test(part.trim().toUpperCase()))) return [];
    throw error;
  });
}

/** All carriers that the service can track. */
export async function carriersOf({ caller, limits }: Pick<ToolContext, 'caller' | 'limits'>): Promise<Named[]> {
  return (await caller.shippingLines(limits())).map(carrierOf);
}

export function carrierOf({ scac, name, short_name, alternative_scacs }: ShippingLine): Named {
  return { code: text(scac) ?? '', names: texts([name, short_name]), otherCodes: texts(alternative_scacs) };
}

function portsAt(place: 'port_of_lading' | 'port_of_discharge') {
  return async (context: ToolContext): Promise<Named[]> => {
    const ports = new Map<string, Named>();
    for (const { container } of await accountOf(context)) {
      const shipment = included(container.shipment);
      const code = text(shipment?.[`${place}_locode`]);
      if (code) ports.set(code, { code, names: texts([shipment?.[`${place}_name`]]) });
    }
    return [...ports.values()];
  };
}
