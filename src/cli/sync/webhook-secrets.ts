import type { TrackingClient } from '../../client.ts';
import type { Sync } from '../../sync/index.ts';
import { sameAddress } from '../../webhooks/registration/match.ts';

/**
 * Secrets are read from the service again only after this time in ms, because a receiver requests them after each
 * forged delivery.
 */
const KNOWN_MS = 30_000;
/** If no secret is known, the secrets are read from the service again only after this time in ms. */
const UNKNOWN_MS = 5000;
/** Time limit in ms for one look-up. A receiver waits longer than this, so it can log the reason for the failure. */
const PATIENCE_MS = 4000;

export interface WebhookSecretsOptions {
  client: Pick<TrackingClient, 'webhooks'>;
  /** Reports the secret to the process that creates the webhook. The service may not send the secret again. */
  sync: Pick<Sync, 'on'>;
  url: string;
  signal: AbortSignal;
  now?: () => number;
}

/**
 * Returns a function that finds the secrets of the webhooks for an address. It works in any process, even if another
 * process has registered the webhook. The function rejects as long as no secret is known: the receiver then responds
 * 503, and its log says what to do. It does not respond 401, because this would mean that the delivery is forged.
 */
export function webhookSecrets(options: WebhookSecretsOptions): () => Promise<string[]> {
  const { client, sync, url, signal, now = () => performance.now() } = options;
  let known: string[] = [];
  let problem = '';
  let askedAt = -Infinity;
  sync.on('webhook', ({ secret }) => {
    if (secret) known = [secret];
  });

  return async () => {
    if (now() - askedAt >= (known.length > 0 ? KNOWN_MS : UNKNOWN_MS)) {
      askedAt = now();
      await lookUp();
    }
    if (known.length > 0) return known;
    throw new Error(`The secret of the webhook is not known: ${problem}`);
  };

  async function lookUp(): Promise<void> {
    const look = { signal, deadline: PATIENCE_MS, retry: false, priority: 'interactive', pageSize: 100 } as const;
    try {
      const webhooks = (await client.webhooks.list(look).toArray()).filter(other => sameAddress(other.url, url));
      const found = webhooks.flatMap(({ secret }) => secret || []);
      if (found.length > 0) known = found;
      else if (webhooks.length === 0) problem = 'there is no webhook for this address yet. It is tried again.';
      else problem = 'the service does not send the secret. Set TRACKING_WEBHOOK_SECRET.';
    } catch (error) {
      problem = `${(error as Error).message} It is tried again. Set TRACKING_WEBHOOK_SECRET. Then the secret is not requested from the service.`;
    }
  }
}
