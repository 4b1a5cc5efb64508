import type { Webhook, WebhookHeader } from '../../records/webhook.ts';

/** Which webhooks are the same in what they do. */

/** The service may write an address in another way: with a slash at the end of a bare host, say. */
export function sameAddress(some: string, other: string): boolean {
  return some === other || (URL.canParse(some) && URL.canParse(other) && new URL(some).href === new URL(other).href);
}

export function isPartOf(some: readonly string[], others: readonly string[]): boolean {
  return some.every(item => others.includes(item));
}

export function sameItems(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** The service changes the case of the names. */
export function sameHeaders(
  some: readonly WebhookHeader[] | null | undefined,
  others: readonly WebhookHeader[],
): boolean {
  const lines = (headers: readonly WebhookHeader[]) =>
    headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
  return sameItems(lines(some ?? []), lines(others));
}

/** Oldest first. The service need not tell the age: then at least everyone gets the same order. */
export function byAge(a: Webhook, b: Webhook): number {
  const age = ({ created_at = '', id }: Webhook) => `${created_at} ${id}`;
  return age(a) < age(b) ? -1 : 1;
}

/** Whether the other, were both active, would tell the same address all that this one tells. */
export function isCoveredBy(webhook: Webhook, other: Webhook): boolean {
  return webhook.id !== other.id && sameAddress(webhook.url, other.url) && isPartOf(webhook.events, other.events);
}
