import { isRecord } from '../../../jsonapi/document.ts';
import { isContainerNumber } from '../../base/container-number.ts';
import { HttpError } from '../../http/errors.ts';
import { isFrom, type McpEdition } from '../editions.ts';
import type { Rest, Row } from '../rest.ts';
import { type Outcome, type Tool, ToolFailure } from '../tool.ts';
import { containerDetails } from './containers.ts';
import { findContainers } from './search.ts';

type Args = Record<string, unknown>;

export const trackContainer: Tool = {
  name: 'track_container',
  guidance: {
    purpose: 'Starts tracking. A later call returns the tracked container.',
    can_answer: ['Is it tracked now?'],
    requires_more_data: ['Where is it?'],
    relevant_fields: ['tracking_request_created', 'tracking_request', 'container_number'],
    presentation_guidance: 'Say whether tracking has begun with this call. A new request can take minutes.',
    suggested_follow_ups: ['Where is it now?'],
    suggested_tools: ['search_container', 'get_container'],
  },
  async run(args, rest, edition) {
    const number = normalized(args.number ?? args.containerNumber ?? args.bookingNumber);
    if (number === '') throw new ToolFailure('The number is missing.');
    const existing = await tracked(rest, number);
    if (existing) return alreadyTracked(rest, existing, number, edition);
    try {
      return await started(rest, number, args, edition);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.status === 404) return { result: notTracked('NotFound', `Nothing was found for ${number}.`) };
      throw error.status === 422 ? new ToolFailure(`${number} cannot be tracked: ${error.message}`) : error;
    }
  },
};

const TYPES = new Map([
  ['CONTAINER', 'container'],
  ['BILL_OF_LADING', 'bill_of_lading'],
  ['BL', 'bill_of_lading'],
  ['B/L', 'bill_of_lading'],
  ['BOOKING_NUMBER', 'booking_number'],
  ['BOOKING', 'booking_number'],
]);

function normalized(text: unknown): string {
  return String(text ?? '')
    .trim()
    .toUpperCase();
}

/** The container with this number. If there is none, the only hit of the search. */
async function tracked(rest: Rest, number: string): Promise<Row | undefined> {
  const found = await findContainers(rest, number);
  return found.find(({ attributes }) => attributes.number === number) ?? (found.length === 1 ? found[0] : undefined);
}

async function alreadyTracked(rest: Rest, found: Row, number: string, edition: McpEdition): Promise<Outcome> {
  const { attributes: a } = found;
  const infer_result = {
    ...(a.number === number && { inferred_type: 'container' }),
    ...(typeof a.scac === 'string' && { selected_scac: a.scac }),
    source: 'search_match',
  };
  try {
    const details = await containerDetails(rest, found.id, edition);
    return { result: { ...details, tracking_request_created: false, infer_result } };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const message = `${number} is tracked, but the container cannot be read yet.`;
    return { result: { ...notTracked('ContainerUnavailable', message), container: { id: found.id } } };
  }
}

/**
 * Creates the tracking request, with the type and the carrier that the service infers. If the service rejects the
 * number, the arguments must contain the type and the carrier. In the first editions, the tool guesses them from a
 * container number.
 */
async function started(rest: Rest, number: string, args: Args, edition: McpEdition): Promise<Outcome> {
  const guess = isContainerNumber(number) && !isFrom(edition, '2026-10') ? number.slice(0, 4) : undefined;
  const implied = args.number ? guess && 'container' : args.containerNumber ? 'container' : 'booking_number';
  const type = TYPES.get(normalized(args.numberType)) ?? implied;
  const scac = normalized(args.scac) || guess;
  const { data, inferred, refusal } = await inference(rest, number);
  if (refusal !== undefined && !(type && scac)) throw new ToolFailure(`${number} cannot be tracked: ${refusal}`);
  const direct = { inferred_type: type, selected_scac: scac, reason: refusal };
  const line = isRecord(inferred.shipping_line) ? inferred.shipping_line : {};
  const selected = isRecord(line.selected) ? line.selected.scac : undefined;
  const inferredType = inferred.number_type === 'booking' ? 'booking_number' : inferred.number_type;
  const attributes = {
    request_number: number,
    request_type: type ?? inferredType,
    scac: normalized(args.scac) || selected || (/^[A-Z]{4}/.exec(number)?.[0] ?? null),
    ...(Array.isArray(args.refNumbers) && { ref_numbers: args.refNumbers }),
  };
  const { rows } = await rest.post('/tracking_requests', { data: { type: 'tracking_request', attributes } });
  const { request_number, request_type, scac: carrier } = (rows[0] as Row).attributes;
  return {
    result: {
      tracking_request_created: true,
      infer_result: refusal === undefined ? { data } : { fallback: 'create_tracking_request', ...direct },
      tracking_request: { request_number, number_type: request_type, scac: carrier },
      _metadata: {
        presentation_guidance: trackContainer.guidance.presentation_guidance,
        recommendations: ['Search for the number again in a minute.'],
      },
    },
  };
}

/** The type and the carrier that the service infers from a number, or the reason why it rejects the number. */
async function inference(rest: Rest, number: string): Promise<{ data?: unknown; inferred: Args; refusal?: string }> {
  try {
    const { data } = await rest.post('/tracking_requests/infer_number', { number });
    const inferred = isRecord(data) && isRecord(data.attributes) ? data.attributes : {};
    const { is_valid, reason } = isRecord(inferred.validation) ? inferred.validation : {};
    return is_valid === false ? { inferred: {}, refusal: String(reason) } : { data, inferred };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return { inferred: {}, refusal: error.message };
  }
}

function notTracked(error: string, message: string) {
  const presentation_guidance = 'Ask the user for another number, or for the carrier.';
  return { error, message, tracking_request_created: false, _metadata: { presentation_guidance } };
}
