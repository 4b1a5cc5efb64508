import type { WireDocument } from '../../jsonapi/document.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { ResourceType } from '../../records/model.ts';
import type { Backend } from '../state/backend.ts';
import { readBody } from './body.ts';
import { malformedBody, tooLong } from './errors.ts';
import { type Entity, type IncludeTree, parseInclude, serialize } from './jsonapi.ts';
import { type MetaStyle, pageLinks, pageMeta, pageOf, readPaging, selfLink, singlePageLinks } from './paging.ts';
import type { Bucket } from './rate-limit.ts';

/** No source tells the service's own. */
const MAX_JSON_BYTES = 10 * 2 ** 20;

/** Every path begins with the version. */
export const PREFIX = '/v2';

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the version segment; `:name` stands for one segment. */
  path: string;
  /** @default 'default' */
  bucket?: Bucket;
  /** Of the storage: its addresses are signed, so that it asks for no key and counts in no limit. @default false */
  signed?: boolean;
  handle(call: Call): Reply | Promise<Reply>;
}

/** An answer of a success. Without a body it is empty; bytes are sent as they are, everything else as JSON. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A request as a route handler sees it. */
export interface Call {
  backend: Backend;
  request: Request;
  url: URL;
  query: URLSearchParams;
  /** The segment of the path that a `:name` of the route stands for. */
  param(name: string): string;
  /** The body as JSON; 400 when it is none, 413 when it is longer than 10 MiB. */
  json(): Promise<unknown>;
  /** `data` of a JSON:API body, each member empty where it is missing. */
  input(): Promise<Input>;
}

export interface Input {
  id: string | undefined;
  attributes: Record<string, unknown>;
  relationships: Record<string, unknown>;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Passes each notification on to the handler for its event. */
export type Router = (method: string, path: string) => Match | undefined;

/** Earlier routes go first, so that `/webhooks/ips` may stand before `/webhooks/:id`. */
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

export function createCall(backend: Backend, request: Request, url: URL, params: Record<string, string>): Call {
  async function json(): Promise<unknown> {
    const bytes = await readBody(request, MAX_JSON_BYTES);
    if (bytes === undefined) throw tooLong('The request body is longer than 10 MiB.');
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw malformedBody();
    }
  }
  return {
    backend,
    request,
    url,
    query: url.searchParams,
    param: name => params[name] ?? '',
    json,
    async input() {
      const body = await json();
      const data = isRecord(body) && isRecord(body.data) ? body.data : {};
      return {
        id: typeof data.id === 'string' ? data.id : undefined,
        attributes: isRecord(data.attributes) ? data.attributes : {},
        relationships: isRecord(data.relationships) ? data.relationships : {},
      };
    },
  };
}

/** The include tree that a call asks for. */
export function includeOf(call: Call, type: ResourceType, byDefault = ''): IncludeTree {
  return parseInclude(type, call.query.get('include') ?? byDefault);
}

/** The answer with one record. */
export function one(call: Call, entity: Entity, tree: IncludeTree = new Map()): Reply {
  const { data, ...rest } = serialize([entity], tree);
  const body: WireDocument = { data: data[0] ?? null, ...rest, links: { self: selfLink(call.url) } };
  return { status: 200, body };
}

/** The answer to a creation. */
export function created(entity: Entity): Reply {
  const { data } = serialize([entity], new Map());
  return { status: 201, body: { data: data[0] } };
}

/** The answer to a creation, with the address of the record. */
export function createdAt(call: Call, collection: string, entity: Entity): Reply {
  const url = new URL(`${call.url.origin}${PREFIX}${collection}/${entity.id}`);
  return { ...one({ ...call, url }, entity), status: 201 };
}

export interface ListOptions {
  tree?: IncludeTree;
  meta: MetaStyle;
  /** @default 30 */
  defaultSize?: number;
}

/** The answer with one page of a list. Only the records of that page are rendered. */
export function list<T>(call: Call, records: T[], entity: (record: T) => Entity, options: ListOptions): Reply {
  const paging = readPaging(call.query, options.defaultSize);
  const page = pageOf(records, paging).map(entity);
  const { data, included } = serialize(page, options.tree ?? new Map());
  const meta = pageMeta(options.meta, records.length, page.length, paging);
  const body: WireDocument = {
    data,
    ...(included && { included }),
    ...(meta && { meta }),
    links: pageLinks(call.url, records.length, paging),
  };
  return { status: 200, body };
}

/** The answer with a list that is not paginated. */
export function wholeList(call: Call, entities: Entity[], tree: IncludeTree = new Map()): Reply {
  return { status: 200, body: { ...serialize(entities, tree), links: singlePageLinks(call.url) } };
}
