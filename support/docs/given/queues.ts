import type { InboxEntry } from 'container-tracking-sdk/webhooks';

const ids = new Set<string>();

/** A table of the ids of the deliveries that were sent. */
export const sentIds = {
  async add(id: string): Promise<void> {
    ids.add(id);
  },
  async has(id: string): Promise<boolean> {
    return ids.has(id);
  },
};

export async function send(_entry: InboxEntry): Promise<void> {}
export const has = sentIds.has;
