/** Sends requests whose responses break off or stall, and reports the outcome of each call. */
import { TrackingClient } from 'container-tracking-sdk';

const client = new TrackingClient({
  baseUrl: `${process.env.BASE_URL}/v2`,
  apiKey: 'key',
  retry: false,
  rateLimit: false,
});
const outcomes = {};
await Promise.all(
  JSON.parse(process.env.PATHS).map(async path => {
    const controller = new AbortController();
    if (path.endsWith('/abort')) setTimeout(() => controller.abort({ code: 'aborted' }), 300);
    const timeout = path.endsWith('/timeout') ? 300 : 15_000;
    outcomes[path] = await client.request({ path, timeout, signal: controller.signal }).then(
      () => 'an answer',
      error => error.code,
    );
  }),
);
console.log(JSON.stringify(outcomes));
