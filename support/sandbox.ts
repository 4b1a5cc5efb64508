import { createSandbox, type Sandbox, type SandboxOptions } from '../src/sandbox/index.ts';

/** A sandbox whose clock stands still unless it is advanced, without a rate limit unless one is given. */
export function stillSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ speed: 0, monotonic: () => 0, rateLimit: false, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests look into
type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** Calls the sandbox without a network. A body is sent as JSON; a body that comes is read as JSON where it is. */
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

/** Creates a tracking request; a bill of lading unless told otherwise. */
export function track(sandbox: Sandbox, number: string, values: Record<string, unknown> = {}): Promise<Answer> {
  const request = { request_type: 'bill_of_lading', request_number: number, scac: 'MAEU', ...values };
  return call(sandbox, 'POST', '/tracking_requests', attributes('tracking_request', request));
}
