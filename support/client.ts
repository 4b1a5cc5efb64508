import { type ClientOptions, type Fetch, TrackingClient } from '../src/index.ts';

export const KEY = 'k3y-Zq81-never-printed';

/** A client without a rate limit, because clients with the same key share one limit. Its retries do not wait. */
export function clientFor(server: { baseUrl: string }, options: ClientOptions = {}): TrackingClient {
  const credential = options.accessToken === undefined ? { apiKey: KEY } : {};
  return new TrackingClient({
    baseUrl: server.baseUrl,
    ...credential,
    rateLimit: false,
    logger: false,
    retry: { minDelay: 0 },
    ...options,
  } as ClientOptions);
}

/** A client whose requests go to a function, such as the `fetch` of a sandbox: no socket, no rate limit, no log. */
export function clientOn(
  fetch: (input: string, init?: RequestInit) => Promise<Response>,
  options: Partial<ClientOptions> = {},
): TrackingClient {
  const base = { baseUrl: 'https://service.example/v2', apiKey: 'sandbox', rateLimit: false, logger: false } as const;
  return new TrackingClient({ ...base, fetch, ...options } as ClientOptions);
}

/** The response to `client.parties.get('1')`. */
export const PARTY = { data: { type: 'party', id: '1', attributes: { company_name: 'Sample Imports' } } };

/** The reason with which a promise rejects. Fails if the promise resolves. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    value => {
      throw new Error(`resolved with ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );
}

/** A `fetch` for the client that calls a handler with one `Request`. */
export function withRequest(handler: (request: Request) => Promise<Response>): Fetch {
  return async (input, init) => handler(new Request(input, init));
}
