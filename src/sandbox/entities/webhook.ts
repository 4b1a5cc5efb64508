import type { Entity } from '../jsonapi.ts';
import type { Webhook } from '../store.ts';
import { iso } from '../time.ts';

export function webhook({ id, url, active, events, secret, headers, createdAt }: Webhook): Entity<'webhook'> {
  return {
    type: 'webhook',
    id,
    render: () => ({ attributes: { url, active, events, secret, headers, created_at: iso(createdAt) } }),
  };
}
