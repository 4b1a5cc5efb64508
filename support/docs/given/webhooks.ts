/** The names that the page about webhooks uses and does not declare. */
import { type Inbox, memoryInbox } from 'container-tracking-sdk/webhooks';
import { client } from '../given.ts';
import { sandbox } from '../surroundings.ts';

// A rotation needs an existing webhook, which it replaces. No program listens at its address, so notifications are missed.
await client.webhooks.ensure({ url: 'https://my-host.example/tracking', events: ['container.updated'] });
sandbox.advance({ days: 2 });
await sandbox.flush();

/** An inbox with a dead letter. */
export const inbox: Inbox = memoryInbox({ ephemeral: true });
await inbox.put({
  id: crypto.randomUUID(),
  event: 'container.updated',
  group: '',
  order: '',
  body: new TextEncoder().encode('{}'),
  receivedAt: Date.now(),
  poison: 'The body is not a notification.',
});

export async function deploySecrets(_secrets: string[]): Promise<void> {}
