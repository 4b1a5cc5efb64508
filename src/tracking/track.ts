import { ConfigurationError, ValidationError } from '../errors.ts';
import { objectArgument, oneOf, refuseUnknownNames, requiredText } from '../internal/arguments.ts';
import { type GivenPaths, includedBy } from '../jsonapi/include.ts';
import { isKnownTree } from '../jsonapi/link.ts';
import type {
  Container,
  IncludeList,
  InferNumberResults,
  Shipment,
  TrackedRequest,
  TrackingRequestCreate,
  TrackingRequestType,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { digitProblem } from './check-digit.ts';
import { creationOf, PARTIES, REQUEST_TYPES } from './creation.ts';
import type { FoundShipment, ShipmentGroup } from './read-shipments.ts';
import { InferenceError, TrackingFailedError } from './tracking-errors.ts';
import { checkedWaitOptions, WAIT, type WaitOptions } from './wait-options.ts';

/** The methods that tracking needs. The resource groups of a client have them. */
export interface TrackingGroups {
  trackingRequests: {
    createOrFind(attributes: TrackingRequestCreate, options: RequestOptions): Promise<TrackedRequest>;
    inferNumber(number: string, options: RequestOptions): PromiseLike<InferNumberResults>;
    waitFor(request: TrackedRequest, options: WaitOptions): Promise<TrackedRequest>;
  };
  shipments: ShipmentGroup & { list(options: ListOptions & { number: string }): List<Shipment> };
  containers: {
    list(
      options: ListOptions & { filter: { number: string }; sort: '-created_at'; include: ['shipment'] },
    ): List<Container<['shipment']>>;
  };
}

/** The optional attributes of an item, with the names of a tracking request. */
const OPTIONAL = ['ref_numbers', 'shipment_tags', 'initial_custom_fields', ...PARTIES] as const;

/** `Text` if it is the type `string`; `never` if it is a literal type. */
type Widened<Text extends string> = string extends Text ? Text : never;

/**
 * An item to track: a number, and attributes for its tracking request (docs/service/tracking-requests.md#attributes).
 * `Type` allows an item in a variable, whose `type` is inferred as `string` by the compiler. The value is checked when
 * the item is tracked.
 */
export interface TrackItem<Type extends string = never> extends Pick<TrackingRequestCreate, (typeof OPTIONAL)[number]> {
  /** Bill of lading, booking or container number. */
  number: string;
  /**
   * Code of the carrier.
   * @default inferred from the number by the service, if the result is certain
   */
  scac?: string | undefined;
  /**
   * Kind of the number.
   * @default inferred from the number by the service
   */
  type?: TrackingRequestType | (Type & Widened<Type>) | undefined;
}

/** Options of `client.track`. */
export interface TrackOptions extends TrackItem, WaitOptions {}

const TRACK_NAMES: readonly string[] = ['number', 'scac', 'type', ...OPTIONAL, ...Object.keys(WAIT), 'include'];
const EXAMPLE = "{ number: 'MAEU123456789' }";

/** The result of tracking. */
export interface Tracked<Include extends IncludeList = []> {
  /** The tracking request in its last state. */
  trackingRequest: TrackedRequest;
  /** The shipment with the related records of `include`. Without `include`, its containers are references. */
  shipment: Shipment<Include>;
}

/**
 * Tracks a number: infers the missing carrier and kind, creates or finds the tracking request, waits, and reads the
 * shipment.
 *
 * @param options.read reads the shipment with the related records. Without it, the shipment in the tracking request is
 * returned.
 */
export async function track(
  groups: TrackingGroups,
  item: TrackItem,
  options: WaitOptions & RequestOptions & { read?: ((shipment: FoundShipment) => PromiseLike<Shipment>) | undefined },
): Promise<Tracked> {
  const { trackingRequests } = groups;
  const { priority, read, ...wait } = options;
  const call = { signal: wait.signal, priority };
  checkItem(item);
  checkedWaitOptions('track()', wait, WAIT);
  const attributes = await complete(groups, item, call);
  const created = await trackingRequests.createOrFind(attributes, call);
  try {
    const trackingRequest = await trackingRequests.waitFor(created, wait);
    const shipment = read
      ? await read(foundShipment(trackingRequest))
      : await shipmentOf(groups, trackingRequest, call);
    return { trackingRequest, shipment };
  } catch (error) {
    if (!(error instanceof TrackingFailedError) || error.failedReason !== 'duplicate') throw error;
    const shipment = await shipmentBefore(groups, error.trackingRequest, call);
    if (!shipment) throw error;
    const { id, bill_of_lading_number: number } = shipment;
    return { trackingRequest: error.trackingRequest, shipment: read ? await read({ id, number }) : shipment };
  }
}

/**
 * Tracks the number in the options.
 * @throws {ConfigurationError} for an unknown name, and for invalid paths of `include`.
 */
export async function trackOne(
  groups: TrackingGroups,
  options: TrackOptions & { include?: readonly string[] | undefined },
): Promise<Tracked> {
  refuseUnknownNames('track()', objectArgument('The argument of track()', options, EXAMPLE), TRACK_NAMES);
  const { waitTimeout, signal, onProgress, include: given, ...item } = options;
  const include = await checkedInclude('track()', given);
  const read =
    include.length > 0 ? ({ id }: FoundShipment) => groups.shipments.get(id, { include, signal }) : undefined;
  return track(groups, item, { waitTimeout, signal, onProgress, read });
}

const SHIPMENT = ['shipment'];

/** Checks the paths before the number is tracked, because the shipment is read only at the end. */
export async function checkedInclude(method: string, include: GivenPaths | undefined): Promise<readonly string[]> {
  if (include === undefined) return [];
  const { tree } = includedBy(include);
  if (!include.isOpen && !isKnownTree(tree, SHIPMENT)) {
    const { refuseInclude } = await import('../filters/query.ts');
    refuseInclude(`${method}: include`, tree, SHIPMENT);
  }
  return include.slice();
}

/** Checks an item before anything is sent. */
function checkItem(item: TrackItem): void {
  const { number, scac, type } = objectArgument('The item to track', item, EXAMPLE);
  requiredText('number', number);
  if (scac != null && !/^[A-Z\d]{2,4}$/i.test(requiredText('scac', scac)))
    throw new ConfigurationError(`scac is "${scac}"; shippingLines.find() finds the code.`);
  if (type != null) oneOf('type', type, REQUEST_TYPES);
  creationOf({ ...optionalAttributes(item), request_type: type ?? 'container' });
}

/** The optional attributes of a tracking request. Other properties of an item are not sent. */
function optionalAttributes(item: TrackItem) {
  return Object.fromEntries(OPTIONAL.map(name => [name, item[name]])) as Pick<TrackItem, (typeof OPTIONAL)[number]>;
}

async function complete(
  { trackingRequests }: TrackingGroups,
  item: TrackItem,
  options: RequestOptions,
): Promise<TrackingRequestCreate> {
  const { number } = item;
  let { type: kind } = item;
  let scac = item.scac?.toUpperCase();
  if (!scac || !kind) {
    const inferred = await trackingRequests.inferNumber(number, options);
    const { shipping_line: line, number_type } = inferred;
    scac ??= line?.decision === 'auto_select' ? line.selected?.scac : undefined;
    // The service has two names for a booking (docs/service/contradictions.md#booking-numbers).
    const named = number_type === 'booking' ? 'booking_number' : number_type;
    kind ??= REQUEST_TYPES.find(each => each === named);
    if (scac === undefined || kind === undefined) throw new InferenceError(number, inferred, digitProblem(item));
  }
  return { ...optionalAttributes(item), request_number: number, request_type: kind, scac };
}

function trackedObject({ tracked_object, id }: TrackedRequest) {
  if (tracked_object) return tracked_object;
  throw new TypeError(`Tracking request ${id} ended without a shipment.`);
}

/** The shipment of a successful request. A container number is not the number of its shipment. */
function foundShipment(request: TrackedRequest): FoundShipment {
  const shipment = trackedObject(request);
  const { request_type, request_number } = request;
  if ('bill_of_lading_number' in shipment) return { id: shipment.id, number: shipment.bill_of_lading_number };
  return { id: shipment.id, number: request_type === 'container' ? undefined : request_number };
}

/** The service may send only a reference to the shipment (docs/service/contradictions.md#tracked-object-that-is-not-included). */
async function shipmentOf(
  { shipments }: TrackingGroups,
  request: TrackedRequest,
  options: RequestOptions,
): Promise<Shipment> {
  const shipment = trackedObject(request);
  return 'bill_of_lading_number' in shipment ? shipment : shipments.get(shipment.id, options);
}

/** The existing shipment of a duplicate request. The shipment was tracked with another number, or in the dashboard. */
async function shipmentBefore(
  { shipments, containers }: TrackingGroups,
  { request_number: number, request_type, scac }: TrackedRequest,
  options: RequestOptions,
): Promise<Shipment | undefined> {
  const scacOf = (shipment: Shipment) => shipment.shipping_line_scac;
  if (request_type !== 'container') return ofCarrier((await shipments.list({ number, ...options })).data, scac, scacOf);
  const { data } = await containers.list({
    filter: { number },
    sort: '-created_at',
    include: ['shipment'],
    ...options,
  });
  const aboard = data.flatMap(({ shipment }) => shipment ?? []);
  return ofCarrier(aboard, scac, scacOf);
}

/** The method that finds an existing tracking request. */
interface TrackingRequestList {
  list(options: ListOptions & { filter: { request_number: string } }): List<TrackedRequest>;
}

/** Returns the created tracking request, or the existing request if the number is already tracked. */
export async function createOrFind(
  trackingRequests: TrackingRequestList,
  wanted: TrackingRequestCreate,
  options: RequestOptions | undefined,
  create: () => Promise<TrackedRequest>,
): Promise<TrackedRequest> {
  try {
    return await create();
  } catch (error) {
    const existing = isDuplicate(error) && (await find(trackingRequests, wanted, options));
    if (!existing) throw error;
    return existing;
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.some(({ code }) => code === 'duplicate');
}

async function find(
  trackingRequests: TrackingRequestList,
  { request_number, scac }: TrackingRequestCreate,
  options: RequestOptions | undefined,
): Promise<TrackedRequest | undefined> {
  const { data } = await trackingRequests.list({ ...options, filter: { request_number }, pageSize: 100 });
  const live = data.filter(({ status }) => status !== 'failed');
  return ofCarrier(live, scac, request => request.scac);
}

/**
 * The record of one carrier among records with the same number. The record may have another code of the same carrier.
 * `undefined` if several carriers have the number and none of their codes is equal to `scac`, because each record could
 * belong to another carrier.
 */
export function ofCarrier<T>(
  records: readonly T[],
  scac: string | null | undefined,
  scacOf: (record: T) => unknown,
): T | undefined {
  const isOneCarrier = !scac || new Set(records.map(scacOf)).size === 1;
  return records.find(record => scacOf(record) === scac) ?? (isOneCarrier ? records[0] : undefined);
}
