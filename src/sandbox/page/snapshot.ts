import { defined } from '../base/defined.ts';
import type { Fault, Faults } from '../http/faults.ts';
import type { DeliverySummary } from '../inspection/deliveries.ts';
import type { KeyFill } from '../inspection/gauges.ts';
import type { LoggedRequest } from '../state/changes.ts';
import { legsOf, shownEntries } from './journey.ts';
import type { PageAccount, PageSource } from './source.ts';

/** Everything that the page shows, as JSON. Without the token it has no credential: no key, no address of a webhook. */
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
  };
}

/** Everything that the page shows, before it is sent. */
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

/** With its position, by which it can be ended. */
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
    body !== undefined && 'its own body',
    retryAfter !== undefined && `retry after ${retryAfter}`,
    delayMs !== undefined && `${delayMs} ms late`,
    drop && `connection dropped ${drop === 'before' ? 'before the answer' : 'in the middle of the body'}`,
    stall && `connection silent ${stall === 'before' ? 'before the answer' : 'in the middle of the body'}`,
    headers && 'more headers',
  ];
  return parts.filter(part => part !== undefined && part !== false).join(', ') || 'nothing';
}

/** The newest first, each with its position in the log. The signature of an address is a credential, and is not shown. */
function latestRequests(source: PageSource) {
  const elapsed = source.elapsed();
  const requests = source.requests();
  const first = Math.max(0, requests.length - REQUESTS);
  const latest = requests.slice(first).map(({ at, query, ...request }: LoggedRequest, index) => {
    const shown = Object.entries(query).map(([name, value]) => `${name}=${name === 'signature' ? '***' : value}`);
    return { ...request, number: first + index, query: shown.join('&'), agoMs: Math.max(0, elapsed - at) };
  });
  return latest.reverse();
}
