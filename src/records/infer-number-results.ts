import type { Open } from './model.ts';

/**
 * What the service makes of a number (api/resources.md, infer_number_results). Beta.
 * Unlike other records it may come without `id` and `type`.
 */
export type InferNumberResults = InferNumberResultsAttributes & { id?: string; type?: 'infer_number_results' };

export interface InferredShippingLine {
  /** Four letters as a rule, not always. */
  scac: string;
  name: string;
  /** From 0 to 1. */
  confidence: number;
}

export interface InferNumberResultsAttributes {
  /** `booking` is what a tracking request calls `booking_number`. */
  number_type: Open<'container' | 'bill_of_lading' | 'booking'>;
  validation: {
    /** `null` when unknown. */
    is_valid: boolean | null;
    type: Open<'container' | 'shipment'>;
    /** The check digit of a container number (ISO 6346). */
    check_digit_passed?: boolean | null;
    parsed_number?: string | null;
    reason?: string | null;
  };
  shipping_line: {
    /**
     * `auto_select` from a confidence of 0.95, `needs_confirmation` from 0.70, `no_prediction` below or when unknown.
     */
    decision: Open<'auto_select' | 'needs_confirmation' | 'no_prediction'>;
    selected: InferredShippingLine | null;
    /** The most likely first. */
    candidates: InferredShippingLine[];
  };
}
