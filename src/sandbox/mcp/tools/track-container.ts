import { HttpError } from '../../http/errors.ts';
import type { Rest, Row } from '../rest.ts';
import type { Outcome, Tool } from '../tool.ts';
import { containerDetails } from './get-container.ts';
import { findContainers } from './search-container.ts';

/** Each may stand in place of `number`. */
const DEPRECATED = { type: 'string', description: 'Deprecated: use number.' } as const;

export const trackContainer: Tool = {
  name: 'track_container',
  takes: { inputs: { containerNumber: DEPRECATED, bookingNumber: DEPRECATED }, required: [] },
  guidance: {
    purpose: 'Starts tracking once; later calls give what is tracked.',
    can_answer: ['Is it tracked now?'],
    requires_more_data: ['Where is it?'],
    relevant_fields: ['tracking_request_created', 'tracking_request', 'container_number'],
    presentation_guidance: 'Say whether tracking has begun with this call. A new request can take minutes.',
    suggested_follow_ups: ['Where is it now?'],
    suggested_tools: ['search_container', 'get_container'],
  },
  async run(args, rest) {
    const number = normalized(args.number ?? args.containerNumber ?? args.bookingNumber);
    if (number === '') throw new HttpError(422, [{ detail: 'number is required' }]);
    const existing = await tracked(rest, number);
    if (existing) return alreadyTracked(rest, existing, number);
    const guess = await infer(rest, number, args);
    try {
      return await create(rest, number, guess, args.refNumbers);
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return { result: nothing(number) };
      throw error;
    }
  },
};

interface Inferred {
  inferred_type: string | null;
  selected_scac: string | null;
  source: string;
}

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

/** The container with the number, or else the only hit. */
async function tracked(rest: Rest, number: string): Promise<Row | undefined> {
  const found = await findContainers(rest, number);
  return found.find(({ attributes }) => attributes.number === number) ?? (found.length === 1 ? found[0] : undefined);
}

async function alreadyTracked(rest: Rest, found: Row, number: string): Promise<Outcome> {
  const type = found.attributes.number === number ? 'container' : null;
  const infer_result = { inferred_type: type, selected_scac: found.attributes.scac, source: 'existing_container' };
  const details = await containerDetails(rest, found.id, []);
  return { result: { ...details, tracking_request_created: false, infer_result } };
}

async function infer(rest: Rest, number: string, args: Record<string, unknown>): Promise<Inferred> {
  const given = TYPES.get(normalized(args.numberType));
  const implied = args.number ? undefined : args.containerNumber ? 'container' : 'booking_number';
  const scac = normalized(args.scac) || null;
  const type = given ?? implied;
  if (type !== undefined && scac !== null) return { inferred_type: type, selected_scac: scac, source: 'arguments' };
  const { rows } = await rest.post('/tracking_requests/infer_number', { number });
  const { number_type, shipping_line } = rows[0]?.attributes ?? {};
  const selected = (shipping_line as { selected?: { scac?: string } | null } | undefined)?.selected?.scac ?? null;
  const inferredType = number_type === 'booking' ? 'booking_number' : String(number_type);
  return { inferred_type: type ?? inferredType, selected_scac: scac ?? selected, source: 'infer_number' };
}

async function create(rest: Rest, number: string, guess: Inferred, refNumbers: unknown): Promise<Outcome> {
  const { inferred_type, selected_scac } = guess;
  const attributes = {
    request_number: number,
    request_type: inferred_type,
    scac: selected_scac,
    ...(Array.isArray(refNumbers) && { ref_numbers: refNumbers }),
  };
  const { rows } = await rest.post('/tracking_requests', { data: { type: 'tracking_request', attributes } });
  const { attributes: request } = rows[0] as Row;
  return {
    result: {
      tracking_request_created: true,
      infer_result: guess,
      tracking_request: {
        request_number: request.request_number,
        number_type: request.request_type,
        scac: request.scac,
      },
      _metadata: {
        presentation_guidance: trackContainer.guidance.presentation_guidance,
        recommendations: ['Search for the number again in a minute.'],
      },
    },
  };
}

function nothing(number: string) {
  return {
    error: 'NotFound',
    message: `Nothing was found for ${number}, and nothing was created.`,
    tracking_request_created: false,
    _metadata: { presentation_guidance: 'Ask for another number, or for the carrier.' },
  };
}
