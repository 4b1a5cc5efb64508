/** The names that the page about webhooks leaves to its reader. */
import { client } from '../given.ts';

// A rotation replaces a webhook that exists.
await client.webhooks.ensure({ url: 'https://my-host.example/tracking', events: ['container.updated'] });

export async function deploySecrets(_secrets: string[]): Promise<void> {}
