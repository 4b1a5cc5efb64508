import { isDeepStrictEqual } from 'node:util';
import { createSandbox, type Sandbox } from './sandbox.ts';

/** The expected reports of `test/runtimes/smoke.mjs`, by job. */
const EXPECTED = {
  list: { lines: 38, missing: 'not_found' },
  include: { status: 'created', valid: true, events: true },
  paginate: { records: 8, different: 8 },
  upload: { told: { stage: 'put', loaded: 100_000, total: 100_000 }, same: true },
  verify: { event: 'container.updated', forged: 'mismatch' },
  abort: { status: 200, reason: 'enough' },
  rateLimited: { same: true, attempts: 2, waited: true },
  sandbox: { loaded: true },
};

export type Job = keyof typeof EXPECTED;
export const JOBS = Object.keys(EXPECTED) as Job[];

/** The sandbox of the smoke program: seven shipments, one response that stalls after half of its body, and one 429. */
export function smokeSandbox(): Sandbox {
  return createSandbox({
    shipments: 7,
    trackingDelayMs: 10,
    faults: [
      { route: 'GET /containers/:id', stall: 'mid-body' },
      { route: 'GET /shipping_lines/:id', retryAfter: 1 },
    ],
  });
}

/** The faults in the program's report and in its requests to the sandbox, by job. Empty if there is no fault. */
export function faultsOf(report: unknown, { requests }: Sandbox): Partial<Record<Job, string>> {
  const values = (report ?? {}) as Record<string, unknown>;
  const faults: Partial<Record<Job, string>> = {};
  for (const job of JOBS) {
    if (!isDeepStrictEqual(values[job], EXPECTED[job])) faults[job] = JSON.stringify(values[job]) ?? 'nothing was told';
  }
  const pages = requests.filter(({ method, path }) => method === 'GET' && path === '/shipments');
  if (pages.length !== 3) faults.paginate ??= `${pages.length} pages were read`;
  const [refused, repeated, ...more] = requests.filter(({ path }) => path.startsWith('/shipping_lines/'));
  if (refused?.status !== 429 || !repeated || repeated.at - refused.at < 1000 || more.length > 0) {
    faults.rateLimited ??= `the requests were ${JSON.stringify([refused, repeated, ...more])}`;
  }
  return faults;
}
