import { TrackingError } from '../errors.ts';
import type { InferNumberResultsAttributes, InferredShippingLine } from '../records/infer-number-results.ts';
import type { TrackingRequest, TrackingRequestFailedReason } from '../records/tracking-request.ts';

/** Tracking ended without a shipment: the number is wrong, or the carrier does not know it. */
export class TrackingFailedError extends TrackingError {
  static override readonly brand: string = 'TrackingFailedError';
  /**
   * The service's reason, such as `not_found`; `null` where it gave none. All of them:
   * docs/service/tracking-requests.md#reasons-of-failure
   */
  readonly failedReason: TrackingRequestFailedReason | null;
  /** The tracking request that failed. */
  readonly trackingRequest: TrackingRequest<readonly 'tracked_object'[]>;

  constructor(trackingRequest: TrackingRequest<readonly 'tracked_object'[]>) {
    const { request_number, scac, failed_reason } = trackingRequest;
    super(`Tracking ${request_number} (${scac ?? 'no carrier'}) failed: ${failed_reason ?? 'no reason given'}`, {
      code: 'tracking_failed',
    });
    this.failedReason = failed_reason ?? null;
    this.trackingRequest = trackingRequest;
  }
}

/** `waitTimeout` is over and the outcome is still open. `trackingRequests.waitFor(error.trackingRequest.id)` goes on. */
export class TrackingPendingError extends TrackingError {
  static override readonly brand: string = 'TrackingPendingError';
  /** The tracking request that is not decided: `trackingRequests.waitFor` goes on with its id. */
  readonly trackingRequest: TrackingRequest<readonly 'tracked_object'[]>;

  constructor(trackingRequest: TrackingRequest<readonly 'tracked_object'[]>, waitTimeout: number, cause?: unknown) {
    const { request_number, status } = trackingRequest;
    super(`Tracking ${request_number} is still ${status} after ${waitTimeout} ms`, { code: 'tracking_pending', cause });
    this.trackingRequest = trackingRequest;
  }
}

/** The carrier or the kind of a number could not be told. Choose among `candidates` and pass `scac` and `type`. */
export class InferenceError extends TrackingError {
  static override readonly brand: string = 'InferenceError';
  /** Carriers that may be meant, the most likely first. */
  readonly candidates: InferredShippingLine[];
  /** `needs_confirmation` or `no_prediction`. */
  readonly decision: string;

  constructor(number: string, result: InferNumberResultsAttributes) {
    const { decision = 'no_prediction', candidates = [] } = result.shipping_line ?? {};
    const named = candidates.map(({ scac, confidence }) => `${scac} ${confidence}`).join(', ');
    super(`It is not clear how to track ${number} (${decision}; candidates: ${named || 'none'}). Pass scac and type.`, {
      code: 'number_unclear',
    });
    this.candidates = candidates;
    this.decision = decision;
  }
}
