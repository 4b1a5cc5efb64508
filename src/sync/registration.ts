import { EVENT_NAMES } from '../model/generated/event-names.ts';
import { sameAddress } from '../webhooks/registration/match.ts';
import type { Context } from './context.ts';
import { markGap } from './gap.ts';
import type { SyncWebhook } from './options.ts';
import { hasBegun } from './pass.ts';
import type { SyncClient } from './service-reader.ts';

/** Registers the webhook or repairs it, and checks the endpoint if its secret is known. */
export async function registerWebhook(
  context: Context,
  { webhooks }: SyncClient,
  { url, secret, header, events }: SyncWebhook<string>,
  signal: AbortSignal,
): Promise<void> {
  const { emit } = context;
  const known = (await webhooks.list({ pageSize: 100, signal }).toArray()).filter(other => sameAddress(other.url, url));
  // This is recorded before the activation. After the activation, the service does not show that the webhook was
  // inactive or missing. Then nothing shows that everything may have changed.
  const isOn = known.some(({ active }) => active);
  if (!isOn && (known.length > 0 || (await hasBegun(context)))) await markGap(context);
  const wanted = events ?? (await availableEvents(webhooks, signal));
  const webhook = await webhooks.ensure({ url, events: wanted }, { signal });
  const key = secret ?? webhook.secret;
  emit({ type: 'webhook', id: webhook.id, url, secret: key });
  if (key === undefined) return;
  const { ok, message } = await webhooks.selfCheck({ url, secret: key, header }, { signal });
  emit({ type: 'checked', ok, message });
}

/** The events that the account can have. This version may not know all of them. */
async function availableEvents(webhooks: SyncClient['webhooks'], signal: AbortSignal): Promise<string[]> {
  const categories = await webhooks.events({ signal });
  const available = new Set<string>(categories.flatMap(({ events }) => events.map(({ name }) => name)));
  return available.size > 0 ? [...available] : [...EVENT_NAMES];
}
