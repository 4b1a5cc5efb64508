import * as z from 'zod/mini';
import { NotFoundError, ValidationError } from '../../errors.ts';
import { LISTS } from '../../model/generated/filter-rules.ts';
import type { TrackingRequestType } from '../../model/index.ts';
import type { TrackingRequestListOptions } from '../../resources/tracking-requests.ts';
import { ToolFailure } from '../failure.ts';
import { described, filledText, nullableTexts, shortText, textOrNull } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { included, quoted, text, textsAt, visible } from '../views/read.ts';
import { trackingRequestRow, trackingRequestRowSchema } from '../views/rows.ts';
import { containerDetails } from './containers.ts';
import { givenOf, listOutput, listShape, pageOf, paging } from './list.ts';

/** Tools about what is tracked: starting it, which is the only change that a tool makes, and a list of what was given to track. */

const KINDS = ['container', 'bill_of_lading', 'booking_number'] as const;

const SCAC = /^[A-Z0-9]{2,4}$/;

export const trackContainer = defineTool({
  name: 'track_container',
  title: 'Start tracking',
  description:
    'Starts to track a container, bill of lading or booking, or gives the container if it is tracked already. The only tool that changes something. The first facts come within minutes, or days where the carrier has none yet.',
  writes: true,
  input: () =>
    z.strictObject({
      number: filledText('Container, bill of lading or booking number.'),
      number_type: z.optional(z.enum(KINDS)),
      scac: z.optional(shortText('Carrier, four letters: see get_supported_shipping_lines.')),
      ref_numbers: z.optional(z.array(shortText("The user's own reference.")).check(z.maxLength(100))),
    }),
  output: () =>
    described(
      z.looseObject({
        tracking_request_created: z.boolean(),
        tracking_request: z.optional(
          z.object({ id: z.string(), ...nullableTexts('request_number', 'number_type', 'scac', 'status') }),
        ),
        infer_result: z.optional(z.object({ source: z.string(), ...nullableTexts('inferred_type', 'selected_scac') })),
        containers: z.optional(z.array(z.object({ id: z.string(), number: textOrNull() }))),
        container: z.optional(z.object({ id: z.string() })),
        error: z.optional(z.enum(['ContainerUnavailable', 'NotFound'])),
        message: z.optional(z.string()),
      }),
      'Has the fields of get_container too if there is one',
    ),
  async run({ number, number_type, scac, ref_numbers }, context) {
    const wanted = {
      number: number.replaceAll(/\s+/g, '').toUpperCase(),
      type: number_type,
      scac: scac?.trim().toUpperCase() || undefined,
      ref_numbers,
    };
    const tracked = await findTracked(wanted.number, context);
    if (tracked) return { result: { ...tracked, infer_result: inferred(wanted, 'existing') } };
    return { result: await start(wanted, context) };
  },
});

interface Wanted {
  number: string;
  type: TrackingRequestType | undefined;
  scac: string | undefined;
  ref_numbers: string[] | undefined;
}

/** Infers the missing arguments, asks the user, and creates the tracking request. */
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
        ...(known.ref_numbers && { ref_numbers: known.ref_numbers }),
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

/** With the kind and the carrier, and with the user's consent where the host can ask for it. */
async function complete(wanted: Wanted, context: ToolContext) {
  const shown = quoted(visible(wanted.number));
  const { type, scac, candidates, source } = await inferredOf(wanted, context);
  if (!type) throw unclear('kind', 'number_type', []);
  const choices = candidates.map(({ scac, name }) => ({ const: scac, title: `${name} (${scac})` }));
  const title = 'Carrier';
  const response = scac
    ? context.ask(`Track ${shown} with the carrier ${quoted(visible(scac))}?`, {})
    : choices.length > 0
      ? context.ask(`Track ${shown}? Its carrier is not certain.`, { scac: { type: 'string', title, oneOf: choices } })
      : undefined;
  const chosen = scac ?? choices.find(choice => choice.const === response?.scac)?.const;
  if (!chosen) throw unclear('carrier', 'scac', candidates);
  return { ...wanted, type, scac: chosen, source: scac ? source : 'user' };
}

interface Inference {
  type: TrackingRequestType | undefined;
  scac: string | undefined;
  candidates: Candidate[];
  source: string;
}

async function inferredOf({ number, type, scac }: Wanted, { caller, limits }: ToolContext): Promise<Inference> {
  if (type && scac) return { type, scac, candidates: [], source: 'arguments' };
  try {
    const { number_type, shipping_line } = await caller.client.trackingRequests.inferNumber(number, limits());
    const sure = shipping_line?.decision === 'auto_select' ? text(shipping_line.selected?.scac) : null;
    return {
      type: type ?? KINDS.find(kind => kind === number_type),
      scac: scac ?? sure ?? undefined,
      candidates: candidatesOf(shipping_line?.candidates),
      source: 'inferred',
    };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const message = `${quoted(visible(number))} does not look like a container, bill of lading or booking number. Check it, or give number_type and scac.`;
    throw new ToolFailure('invalid_number', message);
  }
}

interface Candidate {
  scac: string;
  name: string;
}

/** The codes are the service's, and go into a sentence only if they look like codes. */
function candidatesOf(value: unknown): Candidate[] {
  return (Array.isArray(value) ? value : [])
    .map(candidate => ({ scac: text(candidate?.scac) ?? '', name: (text(candidate?.name) ?? '').slice(0, 60) }))
    .filter(({ scac }) => SCAC.test(scac))
    .slice(0, 5);
}

function unclear(what: string, argument: string, candidates: Candidate[]): ToolFailure {
  const codes = candidates.map(({ scac }) => scac).join(', ');
  return new ToolFailure(
    'carrier_unclear',
    `The number does not tell its ${what} for certain.${codes && ` Most likely: ${codes}.`} Ask the user, and call again with ${argument}.`,
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
      number_type: text(fields.request_type),
      ...textsAt(fields, 'request_number', 'scac', 'status'),
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

/** The container or shipment of a number, if the account tracks it already. Only an exact match counts. */
export async function findTracked(number: string, context: ToolContext) {
  const hits = await context.caller.client.search(number, context.limits());
  const exact = hits.filter(hit => text(hit.number)?.toUpperCase() === number);
  const box = exact.find(({ entity_type }) => entity_type === 'cargo' || (entity_type as string) === 'container');
  if (box) return boxDetails(box.id, context);
  const shipment = exact.find(({ entity_type }) => entity_type === 'shipment');
  return shipment && shipmentBoxes(shipment.id, context);
}

async function boxDetails(id: string, context: ToolContext) {
  try {
    return { ...(await containerDetails(id, false, context)), tracking_request_created: false };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return {
      error: 'ContainerUnavailable' as const,
      message: 'The container is tracked, and cannot be read yet. Try again in a minute.',
      tracking_request_created: false,
      container: { id },
      _metadata: { presentation_guidance: 'Say that the container is tracked and that its facts are on the way.' },
    };
  }
}

async function shipmentBoxes(id: string, context: ToolContext) {
  const { caller, limits } = context;
  const shipment = await caller.client.shipments.get(id, { include: ['containers'], ...limits() });
  const boxes = shipment.containers ?? [];
  for (const box of boxes) caller.saw(box);
  const [only] = boxes;
  if (only && boxes.length === 1) return boxDetails(only.id, context);
  return {
    tracking_request_created: false,
    shipment: { id, bill_of_lading: text(shipment.bill_of_lading_number), line: text(shipment.shipping_line_scac) },
    containers: boxes.map(box => ({ id: text(box.id) ?? '', number: text(box.number) })),
    _metadata: {
      presentation_guidance:
        'The shipment is tracked already. Read it with get_shipment_details, or one of its containers.',
    },
  };
}

export const listTrackingRequests = defineTool({
  name: 'list_tracking_requests',
  title: 'List tracking requests',
  description:
    'The numbers that were given to track, newest first, with their outcome. Finds what could not be tracked and why. awaiting_manifest can last a week and is not a failure.',
  input: () => {
    const [, ...statuses] = (LISTS['trackingRequests.list']?.filter?.keys.status ?? []) as string[];
    return z.strictObject({
      request_number: z.optional(shortText()),
      status: z.optional(z.enum(statuses)),
      scac: z.optional(shortText()),
      created_after: z.optional(shortText('YYYY-MM-DD')),
      created_before: z.optional(shortText()),
      ...paging(),
    });
  },
  output: () => listShape(trackingRequestRowSchema()),
  async run(input, { caller, limits }) {
    const { created_after: start, created_before: end } = input;
    const filter = {
      ...givenOf(input, ['request_number', 'status', 'scac']),
      ...((start ?? end) !== undefined && { created_at: { start, end } }),
    };
    const found = await caller.client.trackingRequests.list({
      ...pageOf(input),
      ...limits(),
      filter: filter as TrackingRequestListOptions['filter'],
    });
    return listOutput({
      what: 'tracking_requests',
      input,
      found,
      row: trackingRequestRow,
    });
  },
});
