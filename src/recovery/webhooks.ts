import type { Webhook } from '../records/webhook.ts';
import { byAge, isCoveredBy, sameAddress } from '../webhooks/registration/match.ts';
import type { RecoveryGroups, Warn } from './groups.ts';
import type { RecoverOptions } from './options.ts';

interface CheckedWebhooks {
  /** Those that ought to be active. */
  inactive: Webhook[];
  /** Ids of those that are not asked about. */
  others: Set<string>;
}

/** Tells of each webhook that is inactive, of those asked about. */
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
  return { inactive, others: new Set(all.filter(webhook => !wanted.includes(webhook)).map(({ id }) => id)) };
}

/** Whether one makes another superfluous: `webhooks.ensure` switches such webhooks off, and they have to stay so. */
function isStandIn(other: Webhook, webhook: Webhook): boolean {
  if (!isCoveredBy(webhook, other)) return false;
  return other.active || !isCoveredBy(other, webhook) || byAge(other, webhook) < 0;
}
