import { NotFoundError, ValidationError } from '../../errors.ts';
import type { TrackingRequestType } from '../../model/index.ts';
import { ToolFailure } from '../failure.ts';
import * as s from '../schema/build.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { containerShape } from '../views/container.ts';
import { included } from '../views/place.ts';
import { text } from '../views/read.ts';
import { containerDetails } from './get-container.ts';
import { intent, shortText } from './inputs.ts';
import { findTracked } from './tracked-already.ts';

const KINDS: Readonly<Record<string, TrackingRequestType>> = {
  container: 'container',
  bill_of_lading: 'bill_of_lading',
  bl: 'bill_of_lading',
  'b/l': 'bill_of_lading',
  booking: 'booking_number',
  booking_number: 'booking_number',
};

export const trackContainer = defineTool({
  name: 'track_container',
  title: 'Start tracking',
  description:
    'Starts to track a container, bill of lading or booking, or gives the container if it is tracked already. The only tool that changes something. The first facts come within minutes, or days where the carrier has none yet.',
  writes: true,
  input: () => {
    const alias = () => s.optional(shortText().describe('Old name of number.'));
    return s.object({
      number: s.optional(shortText().describe('Container, bill of lading or booking number. Required.')),
      numberType: s.optional(
        shortText().describe('container, bill_of_lading or booking_number. Found from the number if left out.'),
      ),
      scac: s.optional(shortText().describe('Code of the carrier, four letters: see get_supported_shipping_lines.')),
      refNumbers: s.optional(
        s.array(shortText(), { maxItems: 100 }).describe("The user's own references, noted with it."),
      ),
      containerNumber: alias(),
      bookingNumber: alias(),
      intent: intent(),
    });
  },
  output: () => {
    const textOrNull = s.nullable(s.string());
    const shape = containerShape();
    const details = Object.fromEntries(
      Object.entries(shape).filter(([name]) => name !== '_metadata' && name !== 'shipment'),
    ) as Omit<typeof shape, '_metadata' | 'shipment'>;
    const metadata = s.open({ presentation_guidance: s.string() });
    return s.object({
      ...optional(details),
      shipment: s.optional(s.nullable(s.open({ id: s.string() }))),
      containers: s.optional(s.array(s.object({ id: s.string(), number: textOrNull }))),
      container: s.optional(s.object({ id: s.string() })),
      tracking_request_created: s.boolean(),
      infer_result: s.optional(s.object({ inferred_type: textOrNull, selected_scac: textOrNull, source: s.string() })),
      tracking_request: s.optional(
        s.object({
          id: s.string(),
          request_number: textOrNull,
          number_type: textOrNull,
          scac: textOrNull,
          status: textOrNull,
        }),
      ),
      error: s.optional(s.oneOf(['ContainerUnavailable', 'NotFound'])),
      message: s.optional(s.string()),
      _metadata: metadata,
    });
  },
  contract: {
    purpose: 'Begin to track a number.',
    can_answer: ['whether the number is tracked now'],
    requires_more_data: ['where the box is, if it was new'],
    relevant_fields: ['tracking_request_created', 'tracking_request', 'container_number', 'status'],
    presentation_guidance:
      'Say whether tracking is new or had begun before. Do not call this again for the same number.',
    suggested_follow_ups: ['Look at the request again after some minutes.'],
    suggested_tools: ['list_tracking_requests', 'search_container', 'get_supported_shipping_lines'],
  },
  async run(input, context) {
    const wanted = wantedOf(input);
    const tracked = await findTracked(wanted.number, context);
    if (tracked) return { result: { ...tracked, infer_result: inferred(wanted, 'existing') } };
    return { result: await start(wanted, context) };
  },
});

interface Wanted {
  number: string;
  type: TrackingRequestType | undefined;
  scac: string | undefined;
  refNumbers: string[] | undefined;
}

interface Input {
  number?: string | undefined;
  numberType?: string | undefined;
  scac?: string | undefined;
  refNumbers?: string[] | undefined;
  containerNumber?: string | undefined;
  bookingNumber?: string | undefined;
}

/** @throws {ToolFailure} where there is no number, or a kind that does not exist. */
function wantedOf({ number, containerNumber, bookingNumber, numberType, scac, refNumbers }: Input): Wanted {
  const [given, implied] = number
    ? [number, undefined]
    : containerNumber
      ? [containerNumber, 'container']
      : [bookingNumber, 'booking_number'];
  const normal = (given ?? '').replaceAll(/\s+/g, '').toUpperCase();
  if (normal === '') throw new ToolFailure('invalid_request', 'number is missing: give the number to track.');
  const kind = (numberType ?? implied)?.trim().toLowerCase();
  if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
    throw new ToolFailure('invalid_request', 'numberType must be one of: container, bill_of_lading, booking_number.');
  }
  return {
    number: normal,
    type: kind === undefined ? undefined : KINDS[kind],
    scac: scac?.trim().toUpperCase() || undefined,
    refNumbers,
  };
}

/** Finds out what is missing, and creates the tracking request. */
async function start(wanted: Wanted, context: ToolContext) {
  const { caller, limits } = context;
  const known = await complete(wanted, context);
  const infer_result = inferred(known, known.source);
  try {
    const request = await caller.client.trackingRequests.create(
      {
        request_number: known.number,
        request_type: known.type,
        scac: known.scac,
        ...(known.refNumbers && { ref_numbers: known.refNumbers }),
      },
      limits(),
    );
    return { ...(await factsOf(request, context)), tracking_request_created: true, infer_result };
  } catch (error) {
    if (error instanceof NotFoundError) return NOTHING_FOUND;
    if (isDuplicate(error)) return { ...(await existingOf(known.number, context)), infer_result };
    throw error;
  }
}

/** Never rejects: the request was made, whatever becomes of the reading of its box. */
async function factsOf(request: { tracked_object?: unknown }, context: ToolContext) {
  const box = boxOf(included(request.tracked_object));
  const details = box === null ? null : await containerDetails(box, false, context).catch(() => null);
  return details ?? pendingOf(request);
}

async function complete(wanted: Wanted, { caller, limits }: ToolContext) {
  const { number, type, scac } = wanted;
  if (type && scac) return { ...wanted, type, scac, source: 'arguments' };
  try {
    const { number_type, shipping_line } = await caller.client.trackingRequests.inferNumber(number, limits());
    const sure = shipping_line?.decision === 'auto_select' ? text(shipping_line.selected?.scac) : null;
    const found = { type: type ?? KINDS[text(number_type) ?? ''], scac: scac ?? sure };
    if (found.type && found.scac) return { ...wanted, type: found.type, scac: found.scac, source: 'inferred' };
    throw unclear(found.type === undefined, shipping_line?.candidates);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const message = `${number} does not look like a container, bill of lading or booking number. Check it, or give numberType and scac.`;
    throw new ToolFailure('invalid_number', message);
  }
}

/** The codes are the service's, and go into a sentence only if they look like codes. */
function unclear(noType: boolean, candidates: unknown): ToolFailure {
  const codes = (Array.isArray(candidates) ? candidates : [])
    .map(candidate => text(candidate?.scac) ?? '')
    .filter(code => /^[A-Z0-9]{2,4}$/.test(code))
    .slice(0, 5);
  const likely = codes.length > 0 ? ` Most likely: ${codes.join(', ')}.` : '';
  const what = noType ? 'numberType' : 'scac';
  return new ToolFailure(
    'carrier_unclear',
    `The number does not tell its ${noType ? 'kind' : 'carrier'} for certain.${likely} Ask the user, and call again with ${what}.`,
  );
}

function isDuplicate(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.some(({ code }) => code === 'duplicate');
}

/** Tracked already, under a number that the search did not show. */
async function existingOf(number: string, context: ToolContext) {
  const { data } = await context.caller.client.trackingRequests.list({
    filter: { request_number: number },
    pageSize: 1,
    ...context.limits(),
  });
  const [request] = data;
  return { ...(request ? pendingOf(request) : TRACKED), tracking_request_created: false };
}

function pendingOf(request: object) {
  const fields = request as Record<string, unknown>;
  return {
    tracking_request: {
      id: text(fields.id) ?? '',
      request_number: text(fields.request_number),
      number_type: text(fields.request_type),
      scac: text(fields.scac),
      status: text(fields.status),
    },
    _metadata: {
      presentation_guidance: 'The number is tracked. There are no facts yet: they come within minutes, sometimes days.',
      recommendations: [
        'Look at list_tracking_requests after some minutes.',
        'Then find the container with search_container.',
      ],
    },
  };
}

/** The only container of a shipment. */
function boxOf(shipment: Record<string, unknown> | null): string | null {
  const containers = Array.isArray(shipment?.containers) ? shipment.containers : [];
  return containers.length === 1 ? text(containers[0]?.id) : null;
}

function inferred({ type, scac }: { type?: string | undefined; scac?: string | undefined }, source: string) {
  return { inferred_type: type ?? null, selected_scac: scac ?? null, source };
}

const TRACKED = {
  _metadata: { presentation_guidance: 'The number is tracked already. Find it with search_container.' },
};

const NOTHING_FOUND = {
  error: 'NotFound' as const,
  message: 'The service found nothing to track for this number.',
  tracking_request_created: false,
  _metadata: { presentation_guidance: 'Ask the user to check the number and the carrier.' },
};

/** The same schemas, each of which may be missing. */
function optional<Shape extends s.Shape>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, s.optional(schema)]);
  return Object.fromEntries(entries) as { [Name in keyof Shape]: s.Optional<s.Infer<Shape[Name]>> };
}
