import {
  APIError,
  type APIErrorItem,
  AuthenticationError,
  ConnectionError,
  FeatureNotEnabledError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  type TrackingError,
  ValidationError,
} from '../errors.ts';
import type { TrackedRequest } from '../model/index.ts';
import { InferenceError, TrackingFailedError, TrackingPendingError } from '../tracking/tracking-errors.ts';

/**
 * An error of the library as one line: first the event, in words of the command line, and at the end the request, if a
 * request failed.
 */
export function plainly(error: TrackingError): string {
  if (error instanceof TrackingFailedError) {
    const { request_number, scac } = error.trackingRequest;
    return `${request_number}${scac ? ` (${scac})` : ''} cannot be tracked: ${reasonOf(error.failedReason)}.`;
  }
  if (error instanceof TrackingPendingError) return pending(error);
  if (error instanceof InferenceError) return unclear(error);
  // Messages of the library begin with the request. The command line prints the request at the end.
  const [, request, rest = ''] = /^([A-Z]+ \/\S*): (.*)$/s.exec(error.message) ?? [];
  if (request === undefined) return error.message;
  const status = error instanceof APIError ? `: ${error.status}` : '';
  return `${ended(eventOf(error, rest))} (${request}${status})`;
}

const REASONS: Readonly<Record<string, string>> = {
  not_found: 'the carrier does not know the number',
  invalid_number: 'the carrier does not accept the form of the number',
  duplicate: 'the shipment existed already',
  expired: 'the carrier had no data within the time for which the service waits',
  retries_exhausted: 'the service has used all its attempts',
  booking_cancelled: 'the booking is cancelled at the carrier',
  data_unavailable: 'the carrier does not give the data of this number',
  scac_auto_detect_failed: 'the service found no carrier for the number, so use --scac',
};

/** The reason why a tracking request failed, in words, with the code of the service. */
export function reasonOf(failedReason: string | null | undefined): string {
  if (!failedReason) return 'the service gives no reason';
  return Object.hasOwn(REASONS, failedReason) ? `${REASONS[failedReason]} (${failedReason})` : failedReason;
}

/** Reasons after which another request of the same number does not help. */
const FINAL = ['invalid_number', 'booking_cancelled', 'data_unavailable'];

/** True for a text of {@link reasonOf} with one of these final reasons. */
export function isFinal(text: string): boolean {
  return FINAL.some(reason => text.includes(`(${reason})`));
}

function pending({ trackingRequest, message }: TrackingPendingError): string {
  const [, waited = ''] = / after (\d+ ms)$/.exec(message) ?? [];
  return `${trackingRequest.request_number} has no outcome after ${waited}: ${stateOf(trackingRequest)}.`;
}

/** The state of a tracking request without an outcome, in words. */
export function stateOf({ status }: Pick<TrackedRequest, 'status'>): string {
  if (status !== 'awaiting_manifest') return `it is still ${status}`;
  return 'the carrier has no data yet, and the service tries again every day (awaiting_manifest)';
}

function unclear({ message, candidates }: InferenceError): string {
  const [event = ''] = message.split(' (');
  const named = candidates.map(({ scac, confidence }) => `${scac} (${Math.round(Number(confidence) * 100)} %)`);
  const carriers = named.length > 0 ? `it may be of ${named.join(', ')}` : 'the service finds no carrier for it';
  return `${event}: ${carriers}. Use --scac and --type.`;
}

function eventOf(error: TrackingError, rest: string): string {
  if (error instanceof APIError) return statusEvent(error, rest);
  if (error instanceof ConnectionError) {
    return rest
      .replace(/^no (complete )?response/, 'There was no $1response')
      .replace(/\b(?:UND_ERR_SOCKET|ECONNRESET)\b/, 'the connection was closed, $&');
  }
  if (error instanceof ResponseFormatError) return `The response of the service cannot be used: ${rest}`;
  return rest;
}

function statusEvent(error: APIError, rest: string): string {
  const details = error.errors.flatMap(detailOf).join('; ');
  const because = details && `: ${details}`;
  if (error instanceof AuthenticationError) return 'The service refuses the API key';
  if (error instanceof FeatureNotEnabledError) return `The account does not have this feature${because}`;
  if (error instanceof PermissionDeniedError) return `The key does not have the permission for this${because}`;
  if (error instanceof NotFoundError) return missing(error, rest, details);
  if (error instanceof RateLimitError) return 'The limit of requests is reached';
  if (error instanceof ServerError) return `The service has failed${because}`;
  if (!(error instanceof ValidationError)) return `The service refuses this${because || `: ${rest}`}`;
  return `The service refuses ${/infer_number$/.test(error.path) ? 'the number' : 'this'}${because}`;
}

function missing({ path }: NotFoundError, rest: string, details: string): string {
  const [, doubt] = /; (\S+ does not look like the service): check baseUrl$/.exec(rest) ?? [];
  if (doubt) return `${doubt}: check the address`;
  const [, type, id] = /^\/(\w+)s\/([^/]+)(?:\/download_url)?$/.exec(path) ?? [];
  if (type && id) return `There is no ${type.replaceAll('_', ' ')} with the id ${decoded(id)}`;
  return `The service does not find this${details && `: ${details}`}`;
}

/** The error text of the service, unless this text only repeats the status. */
function detailOf({ title, detail, code, pointer, parameter }: APIErrorItem): string[] {
  const text = detail || title || code;
  if (!text || /^(?:\d{3}\b|not found$|unauthorized$|forbidden$|unprocessable)/i.test(text)) return [];
  const [, place = parameter] = /([^/]+)$/.exec(pointer ?? '') ?? [];
  const isNamed = !place || text.toLowerCase().includes(place.replaceAll('_', ' ')) || text.includes(place);
  return [isNamed ? text.replace(/\.$/, '') : `${text} (${place})`];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
