/**
 * The surroundings of a snippet in the page: a sandbox, the variables of its environment, and a network that has only
 * sandboxes. `support/docs/surroundings.ts` has the surroundings in Node.
 */
import { createSandbox, hosts } from './sandbox.ts';

const ORIGIN = 'https://host.example';
/** Time in ms until `signal` aborts. */
const MOMENT_MS = 2000;

export const sandbox = createSandbox({ shipments: 6, now: new Date(), trackingDelayMs: 50, rateLimit: false });
hosts.set(ORIGIN, sandbox.fetch);

const env = {
  TRACKING_BASE_URL: `${ORIGIN}/v2`,
  TRACKING_API_KEY: 'sandbox',
  TRACKING_WEBHOOK_SECRET: 'sample-signing-secret',
  MY_KEY: 'sandbox',
};
Object.assign(globalThis, {
  process: { env },
  async fetch(input: string | URL | Request, init?: RequestInit) {
    const { origin, host } = new URL(input instanceof Request ? input.url : input);
    const answer = hosts.get(origin);
    if (!answer) throw new TypeError(`This page has no network: nothing answers at ${host}.`);
    return answer(input, init);
  },
  // Without these, uploads use `fetch`, and the checksum is computed in this worker.
  XMLHttpRequest: undefined,
  Worker: undefined,
});

const moments = new Set<AbortSignal>();

/** Returns a signal that aborts after a moment. A snippet may reject with the reason of the signal. */
export function momentarySignal(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), MOMENT_MS);
  moments.add(controller.signal);
  return controller.signal;
}

export function isReasonOfMoment(error: unknown): boolean {
  return [...moments].some(({ aborted, reason }) => aborted && reason === error);
}
