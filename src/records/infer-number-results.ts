import type { Open } from './scalars.ts';

/** What the service makes of a number. Beta. Unlike other records it may come without `id` and `type`. */
export interface InferNumberResults extends InferNumberResultsAttributes {
  /** Id of the answer. It cannot be read again. */
  id?: string;
  type?: 'infer_number_results';
}

/** A carrier that a number may belong to. */
export interface InferredShippingLine {
  /** Code of the carrier, usually four letters. */
  scac: string;
  /** Name of the carrier. */
  name: string;
  /** How sure the service is, from 0 to 1. */
  confidence: number;
}

/** The fields of an infer number results. */
export interface InferNumberResultsAttributes {
  /** The kind of number. `booking` is what a tracking request calls `booking_number`. */
  number_type: Open<'container' | 'bill_of_lading' | 'booking'>;
  /** Whether the number can be one of its kind. */
  validation: {
    /** `null` when unknown. */
    is_valid: boolean | null;
    /** What kind of check was made. */
    type: Open<'container' | 'shipment'>;
    /** Whether the check digit of a container number is right (ISO 6346). */
    check_digit_passed?: boolean | null;
    /** The number as the service reads it. */
    parsed_number?: string | null;
    /** Why the number is not valid, for people. */
    reason?: string | null;
  };
  /** Whose number it is. */
  shipping_line: {
    /**
     * What to do with the prediction: `auto_select` from a confidence of 0.95, `needs_confirmation` from 0.70,
     * `no_prediction` below or when the carrier is unknown.
     */
    decision: Open<'auto_select' | 'needs_confirmation' | 'no_prediction'>;
    /** The carrier that the service takes it for; `null` without a prediction. */
    selected: InferredShippingLine | null;
    /** All that come into question, the most likely first. */
    candidates: InferredShippingLine[];
  };
}
