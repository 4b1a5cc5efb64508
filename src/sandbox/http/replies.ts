import type {
  DocumentLinks,
  DocumentMeta,
  WireDocument,
  WireRelationship,
  WireResource,
} from '../../jsonapi/document.ts';
import { LINKED_TYPES } from '../../model/generated/linked-types.ts';
import type { ResourceType } from '../../model/index.ts';
import type { Entity, IncludeTree, Rendered } from '../state/store.ts';
import { type Call, PREFIX } from './call.ts';
import { badRequest } from './errors.ts';

type AnyRelated = Record<string, Entity | Entity[] | null | undefined>;

const relatedOf = (rendered: Rendered) => (rendered.relationships ?? {}) as AnyRelated;

const MAX_DEPTH = 3;

/**
 * Reads an `include` parameter.
 *
 * @throws {HttpError} 400 for a name that is not a relationship.
 */
export function parseInclude(type: ResourceType, parameter: string | null): IncludeTree {
  const tree: IncludeTree = new Map();
  for (const path of (parameter ?? '').split(',')) {
    if (path === '') continue;
    let level = tree;
    let types: readonly ResourceType[] = [type];
    for (const [depth, name] of path.split('.').entries()) {
      const targets = types.flatMap(parent => targetsOf(parent, name));
      if (targets.length === 0 || depth === MAX_DEPTH) {
        throw badRequest('include', `${name} is not specified as a relationship on ${serializerOf(types)}`);
      }
      const below = level.get(name) ?? new Map();
      level.set(name, below);
      level = below;
      types = targets;
    }
  }
  return tree;
}

/** Only own properties count: `constructor`, for example, is not a relationship. */
function targetsOf(type: ResourceType, name: string): readonly ResourceType[] {
  const relationships: Readonly<Record<string, readonly ResourceType[]>> = LINKED_TYPES[type];
  return Object.hasOwn(relationships, name) ? (relationships[name] ?? []) : [];
}

function serializerOf([type = '']: readonly string[]): string {
  const name = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${name}Serializer`;
}

/** Renders records and their included records. Each record is rendered once. */
export function serialize(primary: Entity[], tree: IncludeTree): { data: WireResource[]; included?: WireResource[] } {
  const sent = new Set(primary.map(key));
  const walked = new Set<string>();
  const included: WireResource[] = [];

  function follow(rendered: Rendered, tree: IncludeTree, path: string) {
    for (const [name, below] of tree) {
      for (const entity of listOf(relatedOf(rendered)[name])) include(entity, below, `${path}.${name}`);
    }
  }

  function include(entity: Entity, below: IncludeTree, path: string) {
    const step = `${path} ${key(entity)}`;
    if (walked.has(step)) return;
    walked.add(step);
    const isNew = !sent.has(key(entity));
    if (!isNew && below.size === 0) return;
    const rendered = entity.render();
    if (isNew) {
      sent.add(key(entity));
      included.push(toResource(entity, rendered));
    }
    follow(rendered, below, path);
  }

  const data = primary.map(entity => {
    const rendered = entity.render();
    follow(rendered, tree, '');
    return toResource(entity, rendered);
  });
  return tree.size === 0 ? { data } : { data, included };
}

const key = ({ type, id }: Entity) => `${type} ${id}`;
const listOf = (related: Entity | Entity[] | null | undefined) => (related ? [related].flat() : []);

function toResource(entity: Entity, rendered: Rendered): WireResource {
  const resource: WireResource = {
    id: entity.id,
    type: entity.type,
    attributes: rendered.attributes as Record<string, unknown>,
  };
  if (rendered.links !== undefined) resource.links = rendered.links;
  if (rendered.relationships !== undefined) {
    const relationships: Record<string, WireRelationship> = {};
    for (const [name, related] of Object.entries(relatedOf(rendered))) {
      if (related !== undefined) relationships[name] = { data: toIdentifiers(related) };
    }
    resource.relationships = relationships;
  }
  return resource;
}

function toIdentifiers(related: Entity | Entity[] | null) {
  if (related === null) return null;
  return Array.isArray(related)
    ? related.map(({ id, type }) => ({ id, type }))
    : { id: related.id, type: related.type };
}

/** The members of `meta` of a list. They depend on the endpoint. */
export type MetaStyle = 'total and size' | 'total' | 'pagination' | 'none';

export interface Paging {
  number: number;
  size: number;
}

const MAX_SIZE = 100;

export interface Sizes {
  /** The size of a page for a request without `page[size]`. @default 30 */
  defaultSize?: number;
  /** Upper bound of the size. A larger size is reduced to it. @default 100 */
  mostSize?: number;
}

export function readPaging(query: URLSearchParams, { defaultSize = 30, mostSize = MAX_SIZE }: Sizes = {}): Paging {
  return {
    number: pageNumber(query.get('page[number]')),
    size: Math.min(mostSize, Math.max(1, whole(query.get('page[size]')) ?? defaultSize)),
  };
}

function pageNumber(text: string | null): number {
  if (text === null) return 1;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && Number.isSafeInteger(number)) return number;
  throw badRequest('page[number]', 'page[number] must be a whole number of at least 1');
}

function whole(text: string | null): number | undefined {
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

export function pageOf<T>(records: T[], { number, size }: Paging): T[] {
  return records.slice((number - 1) * size, number * size);
}

/** The numbers of other pages. The first page has no `prev`, and the last page has no `next`. */
function neighbours(total: number, { number, size }: Paging) {
  const last = Math.ceil(total / size);
  return {
    ...(number > 1 && { first: 1, prev: number - 1 }),
    ...(number < last && { next: number + 1, last }),
  };
}

export function pageMeta(style: MetaStyle, total: number, size: number, paging: Paging): DocumentMeta | undefined {
  switch (style) {
    case 'total and size':
      return { total, size };
    case 'total':
      return { total };
    case 'pagination':
      return { size, total, pagination: { current: paging.number, ...neighbours(total, paging), records: total } };
    case 'none':
      return undefined;
  }
}

export function pageLinks(url: URL, total: number, paging: Paging): DocumentLinks {
  const links: DocumentLinks = { self: selfLink(url), current: pageLink(url, paging.number) };
  for (const [name, number] of Object.entries(neighbours(total, paging))) links[name] = pageLink(url, number);
  return links;
}

/** The links of a list without pages. */
export function singlePageLinks(url: URL): DocumentLinks {
  return { self: selfLink(url), current: pageLink(url, 1) };
}

/** The address of the request. Its brackets are not encoded. This is the form of the links of the service. */
export function selfLink(url: URL): string {
  return url.href.replace(/%5B/gi, '[').replace(/%5D/gi, ']');
}

/** The parameters are sorted by name. */
function pageLink(url: URL, number: number): string {
  const query = new URLSearchParams(url.search);
  query.set('page[number]', String(number));
  const pairs = [...query].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return `${url.origin}${url.pathname}?${search}`;
}

/** A successful response. A body of bytes is sent unchanged. Any other body is sent as JSON. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A response with this body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** The include tree of a request. @param byDefault The paths for a request without `include`. */
export function includeOf(call: Call, type: ResourceType, byDefault = ''): IncludeTree {
  return parseInclude(type, call.query.get('include') ?? byDefault);
}

/** The response with one record. */
export function one(call: Call, entity: Entity, tree: IncludeTree = new Map()): Reply {
  const { data, ...rest } = serialize([entity], tree);
  const body: WireDocument = { data: data[0] ?? null, ...rest, links: { self: selfLink(call.url) } };
  return { status: 200, body };
}

/** The response after a record has been created. */
export function created(entity: Entity): Reply {
  const { data } = serialize([entity], new Map());
  return { status: 201, body: { data: data[0] } };
}

/** The response after a record has been created, with the link to the record. */
export function createdAt(call: Call, collection: string, entity: Entity): Reply {
  const url = new URL(`${call.url.origin}${PREFIX}${collection}/${entity.id}`);
  return { ...one({ ...call, url }, entity), status: 201 };
}

export interface ListOptions extends Sizes {
  tree?: IncludeTree;
  meta: MetaStyle;
}

/** The response with one page of a list. Only the records of this page are rendered. */
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

/** The response with a list without pages. */
export function wholeList(call: Call, entities: Entity[], tree: IncludeTree = new Map()): Reply {
  return { status: 200, body: { ...serialize(entities, tree), links: singlePageLinks(call.url) } };
}
