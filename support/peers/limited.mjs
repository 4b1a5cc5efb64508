import assert from 'node:assert/strict';
import { TrackingClient } from 'container-tracking-sdk';

/** Makes a client read through the limiter. */
export async function readThrough(limiter) {
  const client = new TrackingClient({ baseUrl: process.env.BASE_URL, apiKey: 'sandbox', rateLimit: { limiter } });
  const lines = await client.shippingLines.list().toArray();
  assert.equal(lines.length, 38);
  client.close();
}
