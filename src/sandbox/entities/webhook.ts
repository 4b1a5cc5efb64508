import { iso } from '../base/time.ts';
import type { Entity } from '../state/entity.ts';
import type { Webhook } from '../state/store.ts';

export function webhook({ id, url, active, events, secret, headers, createdAt }: Webhook): Entity<'webhook'> {
  return {
    type: 'webhook',
    id,
    render: () => ({ attributes: { url, active, events, secret, headers, created_at: iso(createdAt) } }),
  };
}
