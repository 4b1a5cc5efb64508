import { createSandbox as create, type Sandbox, type SandboxOptions } from '../src/sandbox/index.ts';

export * from '../src/sandbox/index.ts';

/** A Monday morning in Asia. No port that a voyage uses has a holiday near this date. */
export const START = '2026-03-09T03:00:00Z';

/** A sandbox whose clock begins at the same time in every run. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return create(options.state === undefined ? { now: START, ...options } : options);
}

/** A sandbox whose clock moves only with `advance`: a tracking request is pending until then. By default it has no rate limit. */
export function stillSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ speed: 0, monotonic: () => 0, rateLimit: false, trackingDelayMs: 300, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** Calls the sandbox without a network. The body is sent as JSON. The body of the response is parsed if it is JSON. */
export async function call(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await sandbox.fetch(
    new Request(`https://service.example/v2${path}`, {
      method,
      headers: { authorization: 'Token sandbox', 'content-type': 'application/vnd.api+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export const get = (sandbox: Sandbox, path: string) => call(sandbox, 'GET', path);

export const attributes = (type: string, values: Record<string, unknown>) => ({ data: { type, attributes: values } });

/** Creates a tracking request, by default for a bill of lading. */
export function track(sandbox: Sandbox, number: string, values: Record<string, unknown> = {}): Promise<Answer> {
  const request = { request_type: 'bill_of_lading', request_number: number, scac: 'MAEU', ...values };
  return call(sandbox, 'POST', '/tracking_requests', attributes('tracking_request', request));
}
