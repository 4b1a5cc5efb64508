import type { Webhook, WebhookHeader } from '../../model/index.ts';

/** Compares webhooks by their address, events and headers. */

/** Compares normalised addresses, because the service may change an address: it may add a slash after the host. */
export function sameAddress(some: string, other: string): boolean {
  return some === other || (URL.canParse(some) && URL.canParse(other) && new URL(some).href === new URL(other).href);
}

export function isPartOf(some: readonly string[], others: readonly string[]): boolean {
  return some.every(item => others.includes(item));
}

export function sameItems(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** Ignores the case of header names, because the service changes the case. */
export function sameHeaders(
  some: readonly WebhookHeader[] | null | undefined,
  others: readonly WebhookHeader[],
): boolean {
  const lines = (headers: readonly WebhookHeader[]) =>
    headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
  return sameItems(lines(some ?? []), lines(others));
}

/**
 * Sorts the oldest webhook first. If the service does not send the time of creation, the ids give the same order in
 * every process.
 */
export function byAge(a: Webhook, b: Webhook): number {
  const age = ({ created_at = '', id }: Webhook) => `${created_at} ${id}`;
  return age(a) < age(b) ? -1 : 1;
}

/** True if the other webhook, when active, sends all events of this webhook to the same address. */
export function isCoveredBy(webhook: Webhook, other: Webhook): boolean {
  return webhook.id !== other.id && sameAddress(webhook.url, other.url) && isPartOf(webhook.events, other.events);
}
