import type { Backend } from '../state/backend.ts';
import type { Bucket } from '../state/changes.ts';
import type { Call } from './call.ts';
import type { Reply } from './replies.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path after the version segment. `:name` stands for one segment. */
  path: string;
  /** @default 'default' */
  bucket?: Bucket;
  /**
   * True for an address of the storage. The signature of such an address replaces the API key, and requests to the
   * address are not counted. @default false
   */
  signed?: boolean;
  /** True if an account on a free plan may use the route. @default false */
  free?: boolean;
  /** True if a signed address belongs to this account. @default false for every account */
  isAddressOf?(backend: Backend, params: Record<string, string>): boolean;
  handle(call: Call): Reply | Promise<Reply>;
}

/** A handler, or a handler with the special properties of its route. */
type RouteEntry = Route['handle'] | Omit<Route, 'method' | 'path'>;

/** Routes by method and path, such as `GET /shipments/:id`. */
export type RouteTable = Record<string, RouteEntry>;

export function routesFrom(table: RouteTable): Route[] {
  return Object.entries(table).map(([key, entry]) => {
    const [method, path] = key.split(' ') as [Route['method'], string];
    return { method, path, ...(typeof entry === 'function' ? { handle: entry } : entry) };
  });
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Finds the route of a request. */
export type Router = (method: string, path: string) => Match | undefined;

/** Uses the first route that matches, so `/webhooks/ips` has to come before `/webhooks/:id`. */
export function createRouter(routes: Route[]): Router {
  const table = routes.map(route => ({ route, segments: route.path.split('/') }));
  return (method, path) => {
    const given = path.split('/');
    for (const { route, segments } of table) {
      if (route.method !== method || segments.length !== given.length) continue;
      const params: Record<string, string> = {};
      const fits = segments.every((segment, index) => {
        const text = given[index] ?? '';
        if (!segment.startsWith(':')) return segment === text;
        params[segment.slice(1)] = decode(text);
        return text !== '';
      });
      if (fits) return { route, params };
    }
    return undefined;
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
