import type { WireDocument } from '../../jsonapi/document.ts';
import type { ResourceType } from '../../model/index.ts';
import type { Entity, IncludeTree } from '../state/entity.ts';
import { type Call, PREFIX } from './call.ts';
import { parseInclude, serialize } from './jsonapi.ts';
import {
  type MetaStyle,
  pageLinks,
  pageMeta,
  pageOf,
  readPaging,
  type Sizes,
  selfLink,
  singlePageLinks,
} from './paging.ts';

/** A successful answer. A body of bytes is sent unchanged, any other body as JSON. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The include tree of a request. @param byDefault The paths for a request without `include`. */
export function includeOf(call: Call, type: ResourceType, byDefault = ''): IncludeTree {
  return parseInclude(type, call.query.get('include') ?? byDefault);
}

/** The answer with one record. */
export function one(call: Call, entity: Entity, tree: IncludeTree = new Map()): Reply {
  const { data, ...rest } = serialize([entity], tree);
  const body: WireDocument = { data: data[0] ?? null, ...rest, links: { self: selfLink(call.url) } };
  return { status: 200, body };
}

/** The answer after a record has been created. */
export function created(entity: Entity): Reply {
  const { data } = serialize([entity], new Map());
  return { status: 201, body: { data: data[0] } };
}

/** The answer after a record has been created, with the link to the record. */
export function createdAt(call: Call, collection: string, entity: Entity): Reply {
  const url = new URL(`${call.url.origin}${PREFIX}${collection}/${entity.id}`);
  return { ...one({ ...call, url }, entity), status: 201 };
}

export interface ListOptions extends Sizes {
  tree?: IncludeTree;
  meta: MetaStyle;
}

/** The answer with one page of a list. Only the records of this page are rendered. */
export function list<T>(call: Call, records: T[], entity: (record: T) => Entity, options: ListOptions): Reply {
  const paging = readPaging(call.query, options);
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

/** The answer with a list without pages. */
export function wholeList(call: Call, entities: Entity[], tree: IncludeTree = new Map()): Reply {
  return { status: 200, body: { ...serialize(entities, tree), links: singlePageLinks(call.url) } };
}
