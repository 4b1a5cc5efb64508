/** The names that the page about webhooks uses and does not declare. */
import { client } from '../given.ts';

// A rotation needs an existing webhook, which it replaces.
await client.webhooks.ensure({ url: 'https://my-host.example/tracking', events: ['container.updated'] });

export async function deploySecrets(_secrets: string[]): Promise<void> {}
