import { ConfigurationError } from '../../errors.ts';
import { describeValue } from '../../internal/arguments.ts';
import { isLoopback } from '../base/checks.ts';

/**
 * Decides which web pages may use the sandbox. Any page can make a browser send requests to this machine. The browser
 * names the page in `Origin`. Some requests have no preflight, so the sandbox checks the page before it handles a
 * request.
 */
export interface Visitors {
  /** The reason why a request gets a 403. `null` if the request is allowed. */
  refusalOf(request: Request): string | null;
  /** True if a request comes from a page of another machine. Such a page gets no data from other services. */
  isForeign(request: Request): boolean;
  /** The headers that allow the page of a request to read the response. */
  allowance(request: Request): Record<string, string>;
}

/** For calls within the process: the program decides who uses the sandbox. */
export const EVERYBODY: Visitors = {
  refusalOf: () => null,
  isForeign: () => false,
  allowance: () => ({ 'access-control-allow-origin': '*' }),
};

/**
 * For requests over the network: allows pages of this machine, of the sandbox itself, and of the given origins.
 *
 * @param names The names that `Host` may have, besides addresses and `localhost`.
 * @param isPrivate True if only this machine can reach the sandbox.
 */
export function visitors(names: readonly string[], isPrivate: boolean, cors: readonly string[]): Visitors {
  const allowed = new Set(cors.map(originIn));
  const hosts = new Set(cors.map(origin => new URL(origin).host));
  const isKnownName = ({ host, hostname }: URL) =>
    isOwnName(hostname) || names.includes(hostname) || hosts.has(host) || (!isPrivate && isNameOfNetwork(hostname));
  return {
    refusalOf({ url, headers }) {
      const target = new URL(url);
      // A site can make its own host name resolve to this machine (DNS rebinding), but `Host` still contains that name.
      if (!isKnownName(target)) {
        return `The sandbox does not respond to requests for the host ${target.host}. Use the address of the machine, or ${howToAllow(target.origin)}.`;
      }
      const origin = headers.get('origin');
      if (origin === null || isOfThisMachine(origin) || hostOf(origin) === target.host || allowed.has(origin))
        return null;
      // A referrer policy can hide the origin of a page. The header `sec-fetch-site` still shows whether the page and
      // the sandbox have the same origin.
      if (origin === 'null' && headers.get('sec-fetch-site') === 'same-origin') return null;
      return `The sandbox accepts no requests from pages of the origin ${origin}. ${origin === 'null' ? 'Serve the page from http://localhost.' : `To allow it, ${howToAllow(origin)}.`}`;
    },
    isForeign: ({ headers }) => {
      const origin = headers.get('origin');
      return origin !== null && allowed.has(origin) && !isOfThisMachine(origin);
    },
    allowance({ headers }) {
      const origin = headers.get('origin') ?? 'null';
      return { vary: 'origin', ...(origin !== 'null' && { 'access-control-allow-origin': origin }) };
    },
  };
}

function howToAllow(origin: string): string {
  return `start the sandbox with --cors ${origin} or listen({ cors: ['${origin}'] })`;
}

/** @throws {ConfigurationError} if `cors` is not a list of origins. */
export function checkCors(cors: unknown): asserts cors is readonly string[] {
  if (!Array.isArray(cors)) {
    throw new ConfigurationError(
      `cors is ${describeValue(cors)}; it must be an array such as ['https://app.example'].`,
    );
  }
  for (const origin of cors) {
    if (originIn(origin) !== undefined) continue;
    throw new ConfigurationError(
      `cors has ${describeValue(origin)}; an origin must be like https://app.example, without a path.`,
    );
  }
}

/** An origin as browsers send it: in lower case, without the default port. */
function originIn(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(text);
  const isBare = host !== '' && /^\/?$/.test(pathname) && `${search}${hash}${username}${password}` === '';
  return isBare ? `${protocol}//${host}` : undefined;
}

/**
 * True for an IP address, or a name that always means this machine. No site can use such an address or name for DNS
 * rebinding.
 */
export function isOwnName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name);
}

/** True for a name that has a meaning only in a private network, such as `sandbox` or `host.docker.internal`. */
function isNameOfNetwork(name: string): boolean {
  return !name.includes('.') || /\.(?:internal|local)$/.test(name);
}

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && isLoopback(new URL(origin).hostname);
}

export function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** The response to a preflight: the `OPTIONS` request that browsers send before most requests to another origin. */
export function preflight(request: Request, from: Visitors): Response {
  const { headers, url } = request;
  // The service sends a different response for the documents that describe the sign-in.
  const isMetadata = new URL(url).pathname.startsWith('/.well-known/oauth-');
  const requestedHeaders = headers.get('access-control-request-headers');
  const isPrivate = headers.get('access-control-request-private-network') === 'true';
  return new Response(null, {
    status: isMetadata ? 200 : 204,
    headers: {
      ...from.allowance(request),
      'access-control-allow-methods': isMetadata ? 'GET, OPTIONS' : 'GET, POST, PATCH, PUT, DELETE',
      // `*` would not include Authorization.
      ...(requestedHeaders !== null && { 'access-control-allow-headers': requestedHeaders }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
      'access-control-max-age': '600',
    },
  });
}

/** The headers that a response to another origin needs. */
export function corsHeaders(request: Request, from: Visitors): Record<string, string> {
  if (!request.headers.has('origin')) return {};
  return { ...from.allowance(request), 'access-control-expose-headers': '*' };
}
