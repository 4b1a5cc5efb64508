import type { InferNumberResultsAttributes, InferredShippingLine } from '../../model/index.ts';
import { compact, hasRightCheckDigit, isContainerNumber } from '../base/container-number.ts';
import type { Carrier } from '../world/carriers.ts';

const AUTO_SELECT_FROM = 0.95;
const CONFIRM_FROM = 0.7;

/** The type of a number and its likely carriers. `null` if it cannot be a number of a carrier. */
export function inferNumber(carriers: Carrier[], text: string): InferNumberResultsAttributes | null {
  const number = compact(text);
  if (!/^[A-Z0-9]{5,35}$/.test(number)) return null;
  if (isContainerNumber(number)) return inferContainer(carriers, number);

  const isBare = /^\d+$/.test(number);
  return {
    number_type: isBare ? 'booking' : 'bill_of_lading',
    validation: { is_valid: null, type: 'shipment', check_digit_passed: null, parsed_number: null, reason: null },
    shipping_line: decide(isBare ? byDigits(carriers, number) : byPrefix(carriers, number)),
  };
}

function inferContainer(carriers: Carrier[], number: string): InferNumberResultsAttributes {
  const passed = hasRightCheckDigit(number);
  // Most containers of a carrier have the carrier's prefix, but a carrier may also use leased containers.
  const candidates = byPrefix(carriers, number).map(line => ({ ...line, confidence: passed ? line.confidence : 0.72 }));
  return {
    number_type: 'container',
    validation: {
      is_valid: passed,
      type: 'container',
      check_digit_passed: passed,
      parsed_number: number,
      reason: passed ? null : 'The check digit does not match.',
    },
    shipping_line: decide(candidates),
  };
}

function byPrefix(carriers: Carrier[], number: string): InferredShippingLine[] {
  const prefix = number.slice(0, 4);
  return carriers.flatMap(carrier => {
    const isOwn = carrier.scac === prefix || carrier.bolPrefix === prefix;
    if (isOwn) return candidate(carrier, 0.97);
    return carrier.alternatives.includes(prefix) ? candidate(carrier, 0.85) : [];
  });
}

/** The likelihood of each carrier, by number of digits. It is for numbers without letters, which some carriers use. */
const DIGITS: Record<number, [scac: string, confidence: number][]> = {
  9: [
    ['MAEU', 0.81],
    ['SEAU', 0.12],
  ],
  10: [
    ['COSU', 0.74],
    ['OOLU', 0.16],
  ],
  12: [
    ['EGLV', 0.78],
    ['ONEY', 0.11],
  ],
};

function byDigits(carriers: Carrier[], number: string): InferredShippingLine[] {
  return (DIGITS[number.length] ?? []).flatMap(([scac, confidence]) => {
    const carrier = carriers.find(candidate => candidate.scac === scac);
    return carrier === undefined ? [] : candidate(carrier, confidence);
  });
}

function candidate({ scac, name }: Carrier, confidence: number): InferredShippingLine[] {
  return [{ scac, name, confidence }];
}

function decide(candidates: InferredShippingLine[]): InferNumberResultsAttributes['shipping_line'] {
  const best = candidates[0];
  if (best === undefined || best.confidence < CONFIRM_FROM) {
    return { decision: 'no_prediction', selected: null, candidates };
  }
  const decision = best.confidence >= AUTO_SELECT_FROM ? 'auto_select' : 'needs_confirmation';
  return { decision, selected: best, candidates };
}
