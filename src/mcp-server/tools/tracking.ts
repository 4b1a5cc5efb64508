import * as z from 'zod/mini';
import { numberAsSent, parseContainerNumber } from '../../domain/container-number.ts';
import { included, joined, quoted, text, visible } from '../../domain/record-values.ts';
import { NotFoundError, ValidationError } from '../../errors.ts';
import type { TrackingRequestType } from '../../model/index.ts';
import { ToolFailure, unsure } from '../failure.ts';
import { described, filledText, nullableTexts, optionalTexts, shortText, textOrNull } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { containerPage } from '../views/container-page.ts';
import { factLines, markedText, said, textsAt } from '../views/read.ts';
import { containerDetails } from './containers.ts';
import { carriersFor, carriersOf, matchesOf, meant, namesText } from './names.ts';

/** The tool that starts tracking. It is the only tool that changes something. */

const KINDS = ['container', 'bill_of_lading', 'booking_number'] as const;

const SCAC = /^[A-Z0-9]{2,4}$/;

/** Matches several words without a digit. A number for tests may have no digit, but it is one word. */
const WORDS = /^\D+\s\D+$/;

/** Matches a number of a carrier. */
const NUMBER = /^[A-Z0-9][A-Z0-9._/#-]*$/;

/** Matches a code and digits that hyphens separate, as people write them in groups: `MAEU987-654-321`. */
const HYPHENS = /^[A-Z]{0,4}(?=\d*-)[\d-]+$/;

const OUTCOMES = ['requested', 'tracked', 'already_tracked', 'failed'] as const;

export const trackContainer = defineTool({
  name: 'track_container',
  title: 'Start tracking',
  description:
    'Starts to track a number, or gives what is tracked already. requested: facts come within minutes, or days.',
  writes: true,
  input: () =>
    z.strictObject({
      number: filledText('Container, bill of lading or booking number.'),
      number_type: z.optional(z.enum(KINDS)),
      scac: z.optional(shortText('SCAC or name')),
      ref_numbers: z.optional(z.array(shortText("The user's own reference.")).check(z.maxLength(100))),
      retry: z.optional(described(z.boolean(), 'Requests a failed number again')),
      ignore_check_digit: z.optional(described(z.boolean(), 'If the user insists on the number')),
    }),
  output: () =>
    described(
      z.looseObject({
        outcome: z.enum(OUTCOMES),
        tracking_request_created: z.boolean(),
        tracking_request: z.optional(
          z.object({
            id: z.string(),
            ...nullableTexts('request_number', 'number_type', 'scac', 'status'),
            ...optionalTexts('failed_reason', 'shipment_id'),
          }),
        ),
        infer_result: z.optional(z.object({ source: z.string(), ...nullableTexts('inferred_type', 'selected_scac') })),
        containers: z.optional(z.array(z.object({ id: z.string(), number: textOrNull() }))),
        container: z.optional(z.object({ id: z.string() })),
        ...optionalTexts('earlier_failure'),
      }),
      'Has the fields of get_container too if there is one',
    ),
  async run({ number, number_type, scac, ref_numbers, retry = false, ignore_check_digit = false }, context) {
    const wanted = {
      number: numberIn(number, number_type, ignore_check_digit),
      type: number_type,
      scac: scac?.trim() ? await carrierIn(scac, context) : undefined,
      ref_numbers,
    };
    const { tracked, failed } = await findTracked(wanted, context);
    const earlier_failure = failed && failureText(failed);
    // A failed number is requested again only with `retry`, or if the host can ask its user. Otherwise every run of an agent
    // would request it again.
    const known = tracked ?? (failed && !retry && !context.canAsk ? failedBefore(failed) : undefined);
    const again = retry && failed ? requestedAgain(wanted, failed) : wanted;
    const found = known
      ? { ...known, infer_result: inferred(wanted, 'existing') }
      : await start(again, earlier_failure, context);
    const isIgnored = ref_numbers !== undefined && !found.tracking_request_created;
    const result = { ...found, earlier_failure, ...(isIgnored && { ref_numbers_not_stored: ref_numbers }) };
    return { result, text: trackingPage(result) };
  },
});

type Tracking = (
  | Awaited<ReturnType<typeof start>>
  | NonNullable<Awaited<ReturnType<typeof findTracked>>['tracked']>
  | ReturnType<typeof failedBefore>
) & { earlier_failure?: string | undefined; ref_numbers_not_stored?: readonly string[] };

/** The outcome and the facts as text. */
function trackingPage(result: Tracking): string {
  const { outcome } = result;
  const isEarlier = outcome === 'requested' && !result.tracking_request_created;
  const earlier = isEarlier && 'It was requested before, so this call has requested nothing';
  const ignored = result.ref_numbers_not_stored && 'This call has requested nothing, so ref_numbers is not stored.';
  const heading = joined([`Outcome: ${outcome}`, earlier, result.earlier_failure, ignored], '. ');
  if ('container_number' in result) return `${heading}\n${containerPage(result)}`;
  const request = 'tracking_request' in result ? result.tracking_request : undefined;
  const shipment = 'shipment' in result ? result.shipment : undefined;
  const containers = 'containers' in result ? result.containers : [];
  const lines = factLines({
    Request: request && joined([request.request_number, request.number_type, request.scac].map(said)),
    'Request id': request && !isWhole(request.request_number) && quoted(request.id),
    Status: request && joined([said(request.status), said(request.failed_reason)]),
    Shipment: shipment
      ? joined([shipment.bill_of_lading || shipment.id, shipment.line].map(said))
      : said(request?.shipment_id),
    Containers: containers.map(({ number, id }) => said(number || id)).join(', '),
    Container: 'container' in result && said(result.container.id),
    Next: result._metadata.presentation_guidance,
  });
  return markedText(heading, lines);
}

/** True if a record can be found by its number. This is not possible if the number is blank or cut. */
const isWhole = (number: string | null) => Boolean(number) && !number?.includes('«cut»');

/**
 * The number in the form that carriers use. A container number with a wrong check digit is refused, because the service
 * would accept it and never find it. A user who has read the number on the container may insist on it.
 */
function numberIn(given: string, type: TrackingRequestType | undefined, insists: boolean): string {
  const parsed = parseContainerNumber(given);
  const number = numberAsSent(given);
  const shown = quoted(visible(given));
  if (!NUMBER.test(number) || WORDS.test(given.trim()))
    throw new ToolFailure('invalid_number', `${shown} is not a number of a carrier. ${CHECK}`);
  if (parsed.valid || insists || (type !== undefined && type !== 'container')) return number;
  const isContainer = type === 'container';
  if (parsed.reason === 'check_digit' && (isContainer || parsed.checkDigit !== null)) {
    const expected_number = parsed.number.slice(0, 10) + parsed.expectedCheckDigit;
    const fault = parsed.checkDigit === null ? 'has no check digit' : `has the check digit ${parsed.checkDigit}`;
    const message = `${shown} ${fault}; ${parsed.expectedCheckDigit} is expected: ${expected_number}. ${CHECK} A bill of lading or booking of this form needs its number_type. ignore_check_digit requests the number as it is.`;
    throw new ToolFailure('invalid_number', message, { expected_number });
  }
  if (!isContainer && HYPHENS.test(number)) {
    const expected_number = number.replaceAll('-', '');
    const message = `${shown} has a hyphen, and carriers write their numbers without hyphens: ${expected_number}. ${CHECK} If the hyphen is a part of the number, number_type requests it as it is.`;
    throw new ToolFailure('invalid_number', message, { expected_number });
  }
  if (isContainer)
    throw new ToolFailure(
      'invalid_number',
      `${shown} is not a container number: four letters and seven digits. ${CHECK}`,
    );
  return number;
}

/** Upper bound of the carriers that a failure suggests. */
const MOST_LIKELY = 5;

const CHECK = 'Nothing was requested. Check the number with the user.';

interface Wanted {
  number: string;
  type: TrackingRequestType | undefined;
  scac: string | undefined;
  ref_numbers: string[] | undefined;
}

/** Infers the missing arguments, asks the user, and creates the tracking request. */
async function start(wanted: Wanted, earlierFailure: string | undefined, context: ToolContext) {
  const { caller, limits } = context;
  const known = await complete(wanted, earlierFailure, context);
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
    return { ...(await factsOf(request, context)), infer_result };
  } catch (error) {
    if (isDuplicate(error)) return { ...(await existingOf(known, context)), infer_result };
    throw (await refusal(error, known, context)) ?? unsure(error, MAY_EXIST);
  }
}

const MAY_EXIST =
  'The number may have been requested. The same call again is safe: it says so, and requests nothing twice.';

/** The failure for a refused tracking request. The pointers in the error show which argument the service refuses. */
async function refusal(error: unknown, { number, type, scac }: Wanted, context: ToolContext) {
  const [shown, carrier] = [number, scac ?? ''].map(value => quoted(visible(value)));
  if (error instanceof NotFoundError)
    return new ToolFailure('not_found', `The service found nothing to track for ${shown}. Check number and carrier.`);
  const refuses = (name: string) =>
    error instanceof ValidationError && error.errors.some(({ pointer }) => pointer?.endsWith(`/${name}`));
  if (refuses('scac')) {
    const message = `The service does not track a ${type} with the carrier ${carrier}.${meant(scac ?? '', await carriersOf(context).catch(() => []))} Find the carrier with get_supported_shipping_lines.`;
    return new ToolFailure('unknown_carrier', message);
  }
  if (refuses('request_number'))
    return new ToolFailure('invalid_number', `The service does not take ${shown} as a ${type}. ${CHECK}`);
  return undefined;
}

/**
 * The code of a carrier, from a code or a name. If no carrier has this text as its code or name, the text is returned
 * unchanged: the number may be tracked already, and otherwise the service refuses the text.
 *
 * @throws {ToolFailure} if several carriers match.
 */
async function carrierIn(given: string, context: ToolContext): Promise<string> {
  const found = matchesOf(given, await carriersFor([given], context));
  if (found.length > 1)
    throw new ToolFailure(
      'ambiguous',
      `${found.length} carriers fit ${quoted(visible(given))}: ${namesText(found)}. Nothing was requested. Call again with one of the codes.`,
    );
  return found[0]?.code ?? given.trim().toUpperCase();
}

/**
 * The new tracking request, with the facts about its only container. This function never rejects, because the tracking
 * request exists even if the container cannot be read.
 */
async function factsOf(request: { tracked_object?: unknown }, context: ToolContext) {
  const container = onlyContainerOf(included(request.tracked_object));
  const details = container === null ? null : await containerDetails(container, context).catch(() => null);
  return details
    ? { outcome: 'tracked' as const, tracking_request_created: true, ...details }
    : requestView(request, true);
}

/** Adds the missing kind and carrier, and gets the user's consent if the host can ask its user. */
async function complete(wanted: Wanted, earlierFailure: string | undefined, context: ToolContext) {
  const shown = quoted(visible(wanted.number));
  if (wanted.scac) await checkCarrier(wanted.scac, context);
  const { type, scac, candidates, source } = await inferredOf(wanted, context);
  if (!type) throw unclear('kind', `number_type: ${KINDS.join(', ')}`, []);
  const choices = candidates.map(({ scac, name }) => ({ const: scac, title: `${name} (${scac})` }));
  const title = 'Carrier';
  const carrier = choices.length > 0 ? { oneOf: choices } : {};
  const response = scac
    ? context.ask(joined([`Track ${shown} with the carrier ${quoted(visible(scac))}?`, earlierFailure], ' '), {})
    : context.ask(
        joined(
          [`Track ${shown}? Its carrier is not ${choices.length > 0 ? 'certain' : 'known'}.`, earlierFailure],
          ' ',
        ),
        {
          scac: { type: 'string', title: choices.length > 0 ? title : `${title}: SCAC or name`, ...carrier },
        },
      );
  const named = text(response?.scac)?.trim();
  const chosen = scac ?? choices.find(choice => choice.const === named)?.const;
  if (chosen) return { ...wanted, type, scac: chosen, source: scac ? source : 'user' };
  if (!named || choices.length > 0) throw unclear('carrier', 'scac', candidates);
  return { ...wanted, type, scac: await carrierNamed(named, context), source: 'user' };
}

/** The code of a carrier, from the text that a user has written. */
async function carrierNamed(named: string, context: ToolContext): Promise<string> {
  const code = await carrierIn(named, context);
  await checkCarrier(code, context, named);
  return code;
}

/**
 * @throws {ToolFailure} if the service does not track this carrier. If the list cannot be read, there are no carriers
 * to check.
 */
async function checkCarrier(code: string, context: ToolContext, named = code): Promise<void> {
  const carriers = await carriersFor([code], context);
  if (carriers.length === 0 || carriers.some(carrier => carrier.code === code)) return;
  const message = `${quoted(visible(named))} is not a carrier that the service tracks.${meant(named, carriers)} Nothing was requested. Find the carrier with get_supported_shipping_lines.`;
  throw new ToolFailure('unknown_carrier', message);
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
    const message = `${quoted(visible(number))} does not look like a container, bill of lading or booking number. ${CHECK} Or give number_type and scac.`;
    throw new ToolFailure('invalid_number', message);
  }
}

interface Candidate {
  scac: string;
  name: string;
}

/** The codes come from the service, so they are put into a sentence only if they have the form of codes. */
function candidatesOf(value: unknown): Candidate[] {
  return (Array.isArray(value) ? value : [])
    .map(candidate => ({ scac: text(candidate?.scac) ?? '', name: (text(candidate?.name) ?? '').slice(0, 60) }))
    .filter(({ scac }) => SCAC.test(scac))
    .slice(0, MOST_LIKELY);
}

function unclear(what: string, argument: string, candidates: Candidate[]): ToolFailure {
  const codes = candidates.map(({ scac }) => scac).join(', ');
  return new ToolFailure(
    'carrier_unclear',
    `The ${what} does not follow from the number for certain.${codes && ` Most likely: ${codes}.`} Ask the user, and call again with ${argument}.`,
  );
}

function isDuplicate(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.some(({ code }) => code === 'duplicate');
}

/** The tracking requests with exactly this number, the newest first. Requests with another carrier are left out. */
async function requestsOf({ number, scac }: Wanted, { caller, limits }: ToolContext) {
  const { data } = await caller.client.trackingRequests.list({ filter: { request_number: number }, ...limits() });
  return data
    .filter(({ request_number }) => text(request_number)?.toUpperCase() === number)
    .filter(request => scac === undefined || (text(request.scac) ?? scac) === scac)
    .sort((a, b) => (text(b.created_at) ?? '').localeCompare(text(a.created_at) ?? ''));
}

/** The result for a number that the service reports as tracked already, although the search did not find it. */
async function existingOf(wanted: Wanted, context: ToolContext) {
  // The existing request may have another code of the same carrier, so the carrier is left out of this search.
  const requests = await requestsOf({ ...wanted, scac: undefined }, context);
  const known = await trackedBy(requests, context);
  return known ?? { ...ALREADY, ...guided('Find it with search_container.') };
}

/**
 * The shipment that one of the requests has found. If no request has found a shipment, the result is the request that
 * is still pending.
 */
async function trackedBy(requests: readonly { tracked_object?: unknown; status?: unknown }[], context: ToolContext) {
  const shipments = requests.flatMap(request => shipmentOf(request) ?? []);
  const [shipment] = shipments;
  if (shipment) return shipmentContainers(shipment, context);
  const open = requests.find(({ status }) => PENDING.has(text(status)));
  return open && requestView(open, false);
}

/** The result for a tracking request whose shipment was not read. */
function requestView(request: object, isNew: boolean) {
  const fields = request as Record<string, unknown>;
  const status = text(fields.status);
  const outcome = outcomeOf(status, isNew);
  return {
    outcome,
    tracking_request_created: isNew,
    tracking_request: {
      id: text(fields.id) ?? '',
      number_type: text(fields.request_type),
      ...textsAt(fields, 'request_number', 'scac', 'status'),
      failed_reason: text(fields.failed_reason) ?? undefined,
      shipment_id: shipmentOf(request),
    },
    ...guided(joined([NEXT[outcome], outcome === 'failed' && adviceOf(text(fields.failed_reason))], ' ')),
  };
}

const PENDING = new Set([null, 'pending', 'awaiting_manifest']);

function outcomeOf(status: string | null, isNew: boolean): (typeof OUTCOMES)[number] {
  if (PENDING.has(status)) return 'requested';
  if (status === 'failed') return 'failed';
  return isNew ? 'tracked' : 'already_tracked';
}

const NEXT = {
  requested:
    'Not tracked yet: facts come within minutes, sometimes days. Then find it with search_container; list_tracking_requests has the status.',
  tracked: 'Find its container with search_container.',
  already_tracked: 'Find its container with search_container.',
  failed: 'It is not tracked.',
} as const;

const guided = (presentation_guidance: string) => ({ _metadata: { presentation_guidance } });

function shipmentOf(request: { tracked_object?: unknown }): string | undefined {
  const { type, id } = Object(request.tracked_object);
  return type === 'shipment' ? (text(id) ?? undefined) : undefined;
}

/** The only container of a shipment. */
function onlyContainerOf(shipment: Record<string, unknown> | null): string | null {
  const containers = Array.isArray(shipment?.containers) ? shipment.containers : [];
  return containers.length === 1 ? text(containers[0]?.id) : null;
}

function inferred({ type, scac }: { type?: string | undefined; scac?: string | undefined }, source: string) {
  return { inferred_type: type ?? null, selected_scac: scac ?? null, source };
}

const ALREADY = { outcome: 'already_tracked' as const, tracking_request_created: false };

/**
 * The records that the account already has for a number, or its latest request if this request failed. Only exact matches
 * count.
 */
async function findTracked(wanted: Wanted, context: ToolContext) {
  const [hits, requests] = await Promise.all([
    context.caller.client.search(wanted.number, context.limits()),
    requestsOf(wanted, context),
  ]);
  const exact = hits.filter(hit => text(hit.number)?.toUpperCase() === wanted.number);
  const find = (...types: string[]) => exact.find(({ entity_type }) => types.includes(entity_type as string));
  const container = find('cargo', 'container');
  if (container) return { tracked: await existingContainer(container.id, context) };
  const shipment = find('shipment');
  if (shipment) return { tracked: await shipmentContainers(shipment.id, context) };
  const tracked = await trackedBy(requests, context);
  return { tracked, failed: tracked ? undefined : requests.find(({ status }) => text(status) === 'failed') };
}

/**
 * The wanted request, with the kind and the carrier of the failed request if the call does not name another kind or
 * carrier.
 */
function requestedAgain(wanted: Wanted, { request_type, scac }: { request_type?: unknown; scac?: unknown }): Wanted {
  const type = wanted.type ?? KINDS.find(kind => kind === request_type);
  return { ...wanted, type, scac: wanted.scac ?? text(scac) ?? undefined };
}

function failedBefore(request: object) {
  const next = 'It is not tracked, and was not requested again. retry: true, or another scac, requests it.';
  return { ...requestView(request, false), ...guided(next) };
}

/** Advice about another request, for each reason that is final. */
const ADVICE: Readonly<Record<string, string>> = {
  not_found:
    'The carrier did not know the number. Another request is sensible if the number is new, or with another carrier.',
  invalid_number: 'The carrier does not accept the form of the number. Another request is not likely to help.',
  duplicate: 'The shipment was tracked already. Another request is not likely to help.',
  expired: 'The carrier had no data in time. Another request is sensible.',
  retries_exhausted: 'The carrier had no data in time. Another request is sensible.',
  booking_cancelled: 'The carrier has cancelled the booking. Another request is not likely to help.',
  data_unavailable: 'The carrier does not give the data. Another request is not likely to help.',
  scac_auto_detect_failed: 'No carrier was found for the number. Another request is sensible with the carrier in scac.',
};

const adviceOf = (reason: string | null) => reason !== null && Object.hasOwn(ADVICE, reason) && ADVICE[reason];

function failureText({ failed_reason, created_at }: { failed_reason?: unknown; created_at?: unknown }): string {
  const reason = text(failed_reason) ?? 'reason not known';
  const day = text(created_at)?.slice(0, 'YYYY-MM-DD'.length);
  const about = joined(['An earlier request', day && `of ${quoted(day)}`, `failed: ${quoted(reason)}.`], ' ');
  return joined([about, adviceOf(reason)], ' ');
}

async function existingContainer(id: string, context: ToolContext) {
  try {
    return { ...ALREADY, ...(await containerDetails(id, context)) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return { ...ALREADY, container: { id }, ...guided('It cannot be read yet. Try get_container in a minute.') };
  }
}

async function shipmentContainers(id: string, context: ToolContext) {
  const { caller, limits } = context;
  const shipment = await caller.client.shipments.get(id, { include: ['containers'], ...limits() });
  const containers = shipment.containers ?? [];
  for (const container of containers) caller.saw(container);
  const [only] = containers;
  if (only && containers.length === 1) return existingContainer(only.id, context);
  return {
    ...ALREADY,
    shipment: { id, bill_of_lading: text(shipment.bill_of_lading_number), line: text(shipment.shipping_line_scac) },
    containers: containers.map(container => ({ id: text(container.id) ?? '', number: text(container.number) })),
    ...guided(
      joined(
        [
          shipment.line_tracking_stopped_at &&
            'Tracking with the shipping line has stopped: its facts are no longer updated.',
          'Read it with get_shipment_details, or one of its containers.',
        ],
        ' ',
      ),
    ),
  };
}
