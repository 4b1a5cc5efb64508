import type { Webhook } from '../model/index.ts';
import { byAge, isCoveredBy, sameAddress } from '../webhooks/registration/match.ts';
import type { RecoveryGroups, Warn } from './groups.ts';
import type { RecoverOptions } from './options.ts';

interface CheckedWebhooks {
  /** Webhooks that should be active. */
  inactive: Webhook[];
  /** Ids of webhooks that are not checked. */
  others: Set<string>;
  /** Whether a webhook that is checked is active. */
  hasActive: boolean;
}

/** Reports each inactive webhook with the given URL. */
export async function checkWebhooks(
  webhooks: RecoveryGroups['webhooks'],
  { signal, priority, url, repair, onInactive }: RecoverOptions,
  warn: Warn,
): Promise<CheckedWebhooks> {
  const all = await webhooks.list({ signal, priority, pageSize: 100 }).toArray();
  const wanted = all.filter(webhook => url === undefined || sameAddress(webhook.url, url));
  if (url !== undefined && wanted.length === 0) warn(`No webhook has the url ${url}.`);
  const inactive = wanted.filter(webhook => !webhook.active && !all.some(other => isStandIn(other, webhook)));
  for (const webhook of inactive) {
    const outcome = repair ? 'It is switched on again.' : 'Pass `repair: true` to switch it on again.';
    warn(`Webhook ${webhook.id} is inactive: the service sends it nothing. ${outcome}`);
    onInactive?.(webhook);
  }
  const others = new Set(all.filter(webhook => !wanted.includes(webhook)).map(({ id }) => id));
  return { inactive, others, hasActive: wanted.some(({ active }) => active) };
}

/** Whether another webhook replaces this one. `webhooks.ensure` and `rotateSecret` may leave such webhooks, which have to stay inactive. */
function isStandIn(other: Webhook, webhook: Webhook): boolean {
  if (!isCoveredBy(webhook, other)) return false;
  return other.active || !isCoveredBy(other, webhook) || byAge(other, webhook) < 0;
}
