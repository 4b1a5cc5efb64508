import { TrackingError } from '../errors.ts';
import type {
  InferNumberResultsAttributes,
  InferredShippingLine,
  TrackingRequest,
  TrackingRequestFailedReason,
} from '../model/index.ts';

/** Tracking ended without a shipment: the number is wrong, or the carrier does not know it. */
export class TrackingFailedError extends TrackingError {
  static override readonly brand: string = 'TrackingFailedError';
  /**
   * The reason that the service reports, such as `not_found`; `null` if there is none. All reasons:
   * docs/service/tracking-requests.md#reasons-of-failure
   */
  declare readonly failedReason: TrackingRequestFailedReason | null;
  /** The tracking request that failed. */
  declare readonly trackingRequest: TrackingRequest<readonly 'tracked_object'[]>;

  constructor(trackingRequest: TrackingRequest<readonly 'tracked_object'[]>, hint = '') {
    const { request_number, scac, failed_reason } = trackingRequest;
    super(`Tracking ${request_number} (${scac ?? 'no scac'}) failed: ${failed_reason ?? 'no reason'}${hint}`, {
      code: 'tracking_failed',
    });
    this.failedReason = failed_reason ?? null;
    this.trackingRequest = trackingRequest;
  }
}

/** The `waitTimeout` has passed without an outcome. `trackingRequests.waitFor(error.trackingRequest.id)` continues to wait. */
export class TrackingPendingError extends TrackingError {
  static override readonly brand: string = 'TrackingPendingError';
  /** The tracking request without an outcome. Pass its id to `trackingRequests.waitFor` to continue. */
  declare readonly trackingRequest: TrackingRequest<readonly 'tracked_object'[]>;

  constructor(trackingRequest: TrackingRequest<readonly 'tracked_object'[]>, waitTimeout: number, cause?: unknown) {
    const { request_number, status } = trackingRequest;
    super(`Tracking ${request_number} is still ${status} after ${waitTimeout} ms`, { code: 'tracking_pending', cause });
    this.trackingRequest = trackingRequest;
  }
}

/** The service could not infer the carrier or the kind of a number. Choose among `candidates` and pass `scac` and `type`. */
export class InferenceError extends TrackingError {
  static override readonly brand: string = 'InferenceError';
  /** Possible carriers, the most likely first. */
  declare readonly candidates: InferredShippingLine[];
  /** `needs_confirmation` or `no_prediction`. */
  declare readonly decision: string;

  constructor(number: string, result: InferNumberResultsAttributes, hint = '') {
    const { decision = 'no_prediction', candidates = [] } = result.shipping_line ?? {};
    const named = candidates.map(({ scac, confidence }) => `${scac} ${confidence}`);
    super(
      `It is not clear how to track ${number} (${[decision, ...named].join(', ')}). Pass scac and type${hint || '.'}`,
      {
        code: 'number_unclear',
      },
    );
    this.candidates = candidates;
    this.decision = decision;
  }
}
