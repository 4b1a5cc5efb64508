/** A program that ends right after its last value, and prints the reports. */

import { TrackingClient } from '../src/index.ts';

const [baseUrl = ''] = process.argv.slice(2);

function clientOf(name: string): TrackingClient {
  return new TrackingClient({
    baseUrl,
    apiKey: 'key',
    logger: false,
    hooks: { onSchemaMismatch: ({ mismatch }) => console.log(`${name} client: ${mismatch.path}`) },
  });
}

const [first, second] = [clientOf('first'), clientOf('second')];
await first.parties.get('1');
console.log('first value');
process.once('beforeExit', async () => {
  await second.parties.get('1');
  console.log('second value');
});
