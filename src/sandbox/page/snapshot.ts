import type { TransportEventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import type { Fault, Faults } from '../http/faults.ts';
import type { Bodies } from '../http/pipeline.ts';
import type {
  AccountCounts,
  ContainerTimeline,
  DeliverySummary,
  KeyFill,
  Range,
  SandboxClock,
  ShipmentSummary,
  TimelineEntry,
  TrackingRequestSummary,
} from '../inspection/inspection.ts';
import type { Scenario } from '../service/scenarios.ts';
import type { LoggedRequest } from '../state/changes.ts';
import type { Duration } from '../state/clock.ts';
import type { Features } from '../state/settings.ts';
import type { ScenarioName } from '../world/scripts.ts';

/** The part of a sandbox that the page can read and change. */
export interface PageSource {
  /** The token that a request needs to change something. */
  readonly token: string;
  /** The names under which the page may be opened, besides addresses and `localhost`. */
  readonly hosts: ReadonlySet<string>;
  readonly accounts: readonly PageAccount[];
  readonly scenarios: readonly { name: ScenarioName; description: string }[];
  clock(): SandboxClock;
  requests(): readonly LoggedRequest[];
  /** The number of requests so far, including requests that are not in the log any more. */
  requestCount(): number;
  /** The bodies of a request, by its number. The first request has the number 1. */
  bodies(request: number): Bodies | undefined;
  faults(): Faults['waiting'];
  /** The time in ms, as in the log. */
  elapsed(): number;
  rateLimits(): KeyFill[];
  advance(duration: Duration): void;
  fail(fault: Fault): void;
  /** Sends a request to the emulated service. */
  send(request: Request): Promise<Response>;
}

/** The part of an account that the page can read and change. */
export interface PageAccount {
  readonly name: string;
  readonly companyName: string;
  readonly apiKeys: readonly string[];
  readonly features: Features;
  counts(): AccountCounts;
  shipments(range: Range): ShipmentSummary[];
  timelines(shipmentId: string): ContainerTimeline[] | undefined;
  trackingRequests(range: Range): TrackingRequestSummary[];
  deliveries(range: Range): DeliverySummary[];
  scenario(name: ScenarioName): Scenario;
}

/** The kind of a part of the journey: the place where the container is. */
export type LegKind = 'origin' | 'sea' | 'terminal' | 'rail' | 'road';

/** A part of the journey of a container, past or future. */
export interface Leg {
  kind: LegKind;
  from: Date;
  to: Date;
}

/** The part of the journey that begins with each event. `null` ends the journey. */
const BEGINS: Partial<Record<TransportEventName, LegKind | null>> = {
  'container.transport.empty_out': 'origin',
  'container.transport.full_in': 'origin',
  'container.transport.vessel_departed': 'sea',
  'container.transport.transshipment_arrived': 'terminal',
  'container.transport.transshipment_departed': 'sea',
  'container.transport.feeder_arrived': 'terminal',
  'container.transport.feeder_departed': 'sea',
  'container.transport.vessel_arrived': 'terminal',
  'container.transport.rail_departed': 'rail',
  'container.transport.rail_arrived': 'terminal',
  'container.transport.full_out': 'road',
  'container.transport.empty_in': null,
};

/** The parts of a journey in their order. */
export function legsOf({ entries }: ContainerTimeline): Leg[] {
  const legs: Leg[] = [];
  for (const { event, at } of inOrder(entries)) {
    const kind = BEGINS[event];
    if (kind === undefined) continue;
    const last = legs.at(-1);
    if (last !== undefined) last.to = at;
    if (kind !== null && kind !== last?.kind) legs.push({ kind, from: at, to: at });
  }
  return legs.filter(({ from, to }) => to > from);
}

/** The entries for a reader of the timeline: all events, and only those estimates that are still valid. */
export function shownEntries({ entries }: ContainerTimeline): TimelineEntry[] {
  return inOrder(entries).filter(
    ({ event, isKnown }) => isKnown || !event.startsWith('container.transport.estimated.'),
  );
}

function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * Everything that the page shows, as JSON. Without the token, it contains no credentials: keys and the addresses of
 * webhooks are hidden.
 */
export function snapshot(source: PageSource, query: URLSearchParams, isTrusted: boolean) {
  const account = defined(source.accounts.find(({ name }) => name === query.get('account')) ?? source.accounts[0]);
  return {
    mayChange: isTrusted,
    clock: source.clock(),
    accounts: source.accounts.map(({ name, companyName, apiKeys, features, counts }) => ({
      name,
      companyName,
      keys: isTrusted ? apiKeys : apiKeys.map(hidden),
      features,
      counts: counts(),
    })),
    ...recordsOf(account, query, isTrusted),
    limits: source.rateLimits().map(fill => (isTrusted ? fill : ({ ...fill, apiKey: hidden() } satisfies KeyFill))),
    faults: faultsInForce(source.faults()),
    scenarios: source.scenarios,
    requests: latestRequests(source),
    opened: isTrusted ? openedRequest(source, query) : null,
  };
}

/** The type of everything that the page shows, before it is sent. */
export type Snapshot = ReturnType<typeof snapshot>;

const REQUESTS = 60;
const DELIVERIES = 40;
const TRACKING_REQUESTS = 5;
const MAX_SHIPMENTS = 500;

function recordsOf(account: PageAccount, query: URLSearchParams, isTrusted: boolean) {
  const limit = Math.min(Math.max(Math.floor(Number(query.get('shipments'))) || 10, 1), MAX_SHIPMENTS);
  const open = query.get('open');
  return {
    account: account.name,
    shipments: account.shipments({ limit }).map(summary => {
      const [first] = account.timelines(summary.id) ?? [];
      return { ...summary, legs: first === undefined ? [] : legsOf(first) };
    }),
    open: open === null ? null : timelinesOf(account, open),
    trackingRequests: account.trackingRequests({ limit: TRACKING_REQUESTS }),
    deliveries: account
      .deliveries({ limit: DELIVERIES })
      .map(delivery => (isTrusted ? delivery : withoutUrl(delivery))),
  };
}

function timelinesOf(account: PageAccount, id: string) {
  const containers = account.timelines(id)?.map(timeline => ({ ...timeline, entries: shownEntries(timeline) }));
  return containers === undefined ? null : { id, containers };
}

const hidden = () => '••••••';

/** The path and the query of a webhook's address often hold a secret. */
function withoutUrl(delivery: DeliverySummary): DeliverySummary {
  return { ...delivery, url: URL.canParse(delivery.url) ? new URL(delivery.url).origin : '' };
}

/** The faults that still apply. The page ends a fault by its position. */
function faultsInForce(faults: Faults['waiting']) {
  return faults.flatMap(({ fault, left }, index) =>
    left > 0 ? [{ index, left: Number.isFinite(left) ? left : null, where: whereOf(fault), what: whatOf(fault) }] : [],
  );
}

function whereOf({ route, match = {}, probability }: Fault): string {
  const requests = [route, match.method?.toUpperCase(), match.path && String(match.path)].filter(Boolean).join(' ');
  const share = probability === undefined ? '' : `, ${Math.round(probability * 1000) / 10} %`;
  return (requests || 'every request') + share;
}

function whatOf({ error, status, body, retryAfter, delayMs, drop, stall, headers }: Fault): string {
  const parts = [
    error,
    status,
    body !== undefined && 'custom body',
    retryAfter !== undefined && `retry after ${retryAfter}`,
    delayMs !== undefined && `${delayMs} ms late`,
    drop && `connection dropped ${drop === 'before' ? 'before the response' : 'in the middle of the body'}`,
    stall && `connection silent ${stall === 'before' ? 'before the response' : 'in the middle of the body'}`,
    headers && 'additional headers',
  ];
  return parts.filter(part => part !== undefined && part !== false).join(', ') || 'nothing';
}

/** The bodies of a request. A body may contain a credential, such as the secret of a webhook. */
function openedRequest(source: PageSource, query: URLSearchParams) {
  const number = Number(query.get('request'));
  const bodies = source.bodies(number);
  return bodies === undefined ? null : { number, ...bodies };
}

/** The latest requests, the newest first. The signature of an address is a credential, so it is not shown. */
function latestRequests(source: PageSource) {
  const elapsed = source.elapsed();
  const requests = source.requests();
  const latest = requests.slice(-REQUESTS);
  const first = source.requestCount() - latest.length + 1;
  const shownRequests = latest.map(({ at, query, ...request }: LoggedRequest, index) => {
    const shown = Object.entries(query).map(([name, value]) => `${name}=${name === 'signature' ? '***' : value}`);
    return { ...request, number: first + index, query: shown.join('&'), agoMs: Math.max(0, elapsed - at) };
  });
  return shownRequests.reverse();
}
