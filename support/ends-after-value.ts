/** A program: ends right after the last value that it has asked for, and prints what is reported. */

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
