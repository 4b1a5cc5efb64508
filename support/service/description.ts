import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  type FilterSet,
  type FilterSetSource,
  filterFields,
  filterSetOf,
  type Sort,
  type SortSource,
  sortField,
  sortOf,
} from './list-filters.ts';
import { namesIn, namesOf, parseType, replaced, SCALARS, type Shape, type TypeNode } from './type-expression.ts';

/** The description of the service, `description/*.yaml`, ready to use: every type and every reference in it is resolved. */

const FOLDER = new URL('../../description/', import.meta.url);

/** A field by its name. The name `*` stands for all other names. */
export interface Field {
  name: string;
  optional: boolean;
  type: TypeNode;
  doc?: string;
  deprecated?: string;
  /** The field that has the IANA time zone of this field: its name, or the name of a relationship and of its field. */
  zone?: string;
  /** Symbol of the unit, such as `lb`. */
  unit?: string;
  /** A value for samples. */
  example?: unknown;
  /** True if the constants of this field distinguish the cases of a type. */
  case?: true;
  /** Keywords of JSON Schema that restrict the value. */
  limits?: Record<string, string | number>;
}

export interface Relationship {
  name: string;
  optional: boolean;
  /** The types of the related records. Empty if any type is possible. */
  types: string[];
  cardinality: 'one' | 'oneOrNull' | 'many';
  doc: string;
}

export interface RecordType {
  type: string;
  doc: string;
  /** `optional`: records may come without `id` and `type`. `open`: `type` may have another value. */
  identity?: 'optional' | 'open';
  /** The relationships that the endpoints of the record include. */
  include: string[];
  attributes: Field[];
  relationships: Relationship[];
}

/**
 * A type that fields refer to. If the type has a `doc`, it is exported under its name. Otherwise, it is written inline.
 */
export type NamedType = { name: string; doc?: string } & (
  | { kind: 'values'; values: string[]; closed: boolean }
  | ObjectType
  | { kind: 'alias'; type: TypeNode }
);

export interface ObjectType extends Shape {
  kind: 'object';
  /** The name of the parameter of `type(…)`, and the type of its argument. */
  of?: { name: string; type: TypeNode };
  /** True if the type has no other fields. */
  closed?: boolean;
  provided?: string[];
}

export interface Body {
  /** `record`: a JSON:API document. `plain`: a JSON object. `bytes`: a file. */
  form: 'record' | 'plain' | 'bytes';
  type?: string;
  mediaType?: string;
  /** Name of the body's type in the SDK. */
  name?: string;
  doc?: string;
  attributes: Field[];
  relationships: Relationship[];
}

export interface Operation {
  name: string;
  doc: string;
  note?: string;
  method: string;
  path: string;
  /** The query parameters, including filters and `sort`. */
  query: Field[];
  filters?: FilterSet;
  sort?: Sort;
  /** The relationships that `include` accepts. */
  include?: string[];
  /** The relationships that are included without `include`. */
  includedByDefault?: string[];
  body?: Body;
  /** The statuses of a successful response. */
  status: number[];
  answer: Answer;
  /** The keys that the document's links may have; missing if they are not known. */
  links?: string[];
  meta?: string[];
  errors: number[];
  bucket?: string;
  feature?: string;
}

export interface Answer {
  shape: 'one' | 'list' | 'array' | 'json' | 'nothing';
  /** The type of the records, or the type of the JSON. */
  type: string;
  mayBeEmpty: boolean;
}

export interface ServiceEvent {
  name: string;
  doc: string;
  /** The type of the record that the event is about. */
  about: string;
  /** The types of the records that notifications include, in their order. If empty, notifications have no `included`. */
  includes: string[];
  /** Id of the event's group in `GET /webhooks/events`. */
  category: string;
  /** The service sends the event only if the account has this feature. */
  feature?: string;
}

/** A tool of the service's MCP endpoint. */
export interface Tool {
  name: string;
  title: string;
  doc: string;
  /** The name of a type. */
  arguments: string;
  result: TypeNode;
  /** True if a second call has no further effect. */
  repeatable: boolean;
}

/** An error response of the service, as it is sent. */
export interface NamedError {
  name: string;
  status: number;
  headers?: Record<string, string>;
  /** A text that is sent unchanged, or a value that is sent as JSON. */
  body: unknown;
}

/** A point in which the sources disagree. */
export interface Contradiction {
  title: string;
  /** The records and operations that the point is about. Empty: all. */
  about: string[];
  doc: string;
}

export interface Description {
  records: Map<string, RecordType>;
  types: Map<string, NamedType>;
  filters: Map<string, FilterSet>;
  sorts: Map<string, Sort>;
  operations: Map<string, Operation>;
  events: ServiceEvent[];
  /** The display names of the categories, by id. */
  eventCategories: Map<string, string>;
  tools: Tool[];
  errors: NamedError[];
  contradictions: Contradiction[];
}

/** A file of `description/`. */
interface Source {
  records?: Record<string, RecordSource>;
  types?: Record<string, TypeSource>;
  filters?: Record<string, FilterSetSource>;
  sorts?: Record<string, SortSource>;
  operations?: Record<string, OperationSource>;
  events?: Record<string, Omit<ServiceEvent, 'name'>>;
  event_categories?: Record<string, string>;
  tools?: Record<string, Omit<Tool, 'name' | 'result'> & { result: string }>;
  errors?: Record<string, ErrorSource>;
  contradictions?: Record<string, { about?: string[]; doc: string }>;
}

/** The keys of an item of `errors`. Errors in another form have a `body`. */
interface ErrorSource extends Omit<NamedError, 'name'> {
  source?: { pointer: string } | { parameter: string };
  title?: string;
  detail?: string | null;
  code?: string | null;
  meta?: Record<string, unknown>;
}

interface FieldSource extends Omit<Field, 'name' | 'optional' | 'type'>, ShapeSource {
  /** @default 'object' */
  type?: string;
  known?: string[];
  open?: boolean;
}

interface ShapeSource {
  extends?: string | string[] | undefined;
  fields?: FieldSources | undefined;
}

type FieldSources = Record<string, FieldSource>;
type RelationshipSources = Record<string, { to: string; doc: string }>;

interface RecordSource extends Pick<RecordType, 'doc' | 'identity'> {
  include?: string[];
  attributes?: FieldSources;
  relationships?: RelationshipSources;
}

/** The name of a type that is not exported stands for the type itself. */
type TypeSource =
  | string
  | (ShapeSource & {
      doc?: string;
      of?: Record<string, string>;
      values?: string[];
      closed?: boolean;
      provided?: string[];
      type?: string;
    });

interface OperationSource
  extends Omit<Operation, 'name' | 'method' | 'path' | 'query' | 'include' | 'body' | 'answer' | 'filters' | 'sort'> {
  request: string;
  /** The name of a set of filters. */
  filters?: string;
  sort?: string;
  query?: FieldSources;
  /** `true`: the relationships of the record. */
  include?: true | string[];
  body?: Omit<Body, 'attributes' | 'relationships'> & {
    attributes?: FieldSources;
    relationships?: RelationshipSources;
  };
  answer: string;
}

export const description: Description = resolve(
  readdirSync(FOLDER)
    .filter(name => name.endsWith('.yaml') && name !== 'allowed-drift.yaml')
    .sort()
    .map(name => parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Source),
);

/** Sorted by name. */
export const operations: readonly Operation[] = [...description.operations.values()].sort((one, other) =>
  one.name < other.name ? -1 : 1,
);

export function resolve(sources: readonly Source[]): Description {
  const entries = <K extends keyof Source>(key: K) => sources.flatMap(source => Object.entries(source[key] ?? {}));
  const events = entries('events').map(([name, event]) => ({ name, ...(event as Omit<ServiceEvent, 'name'>) }));
  const records = entries('records').map(([type, record]) => recordOf(type, record as RecordSource));
  const types = [...entries('types').map(([name, type]) => typeOf(name, type as TypeSource)), ...eventTypes(events)];
  const byType = new Map(records.map(record => [record.type, record]));
  const filters = new Map(entries('filters').map(([name, set]) => [name, filterSetOf(name, set as FilterSetSource)]));
  const sorts = new Map(entries('sorts').map(([name, sort]) => [name, sortOf(name, sort as SortSource)]));
  const lists = { filters, sorts };
  const found: Description = {
    records: byType,
    types: new Map(types.map(type => [type.name, type])),
    ...lists,
    operations: new Map(
      entries('operations').map(([name, source]) => [
        name,
        operationOf(name, source as OperationSource, byType, lists),
      ]),
    ),
    events,
    eventCategories: new Map(entries('event_categories') as [string, string][]),
    tools: (entries('tools') as [string, NonNullable<Source['tools']>[string]][]).map(
      ([name, { result, repeatable = true, ...rest }]) => ({ name, ...rest, result: parseType(result), repeatable }),
    ),
    errors: entries('errors').map(([name, error]) => errorOf(name, error as ErrorSource)),
    contradictions: (entries('contradictions') as [string, { about?: string[]; doc: string }][]).map(
      ([title, { about = [], doc }]) => ({ title, about, doc }),
    ),
  };
  refuseUnknownNames(found);
  return found;
}

function errorOf(name: string, { status, headers, body, ...item }: ErrorSource): NamedError {
  const errors = [{ status: String(status), ...item }];
  return { name, status, ...(headers && { headers }), body: body ?? { errors } };
}

function recordOf(
  type: string,
  { attributes = {}, relationships = {}, include = [], ...rest }: RecordSource,
): RecordType {
  return { type, ...rest, include, attributes: fieldsOf(attributes), relationships: relationshipsOf(relationships) };
}

function fieldsOf(fields: FieldSources): Field[] {
  return Object.entries(fields).map(
    ([key, { type = 'object', known, open, extends: bases, fields: inner, ...rest }]) => ({
      ...nameOf(key),
      type: parseType(type, {
        ...(known && { string: { kind: 'values', values: known, closed: false, ...(open && { open }) } }),
        ...((inner || bases) && { object: { kind: 'object', ...shapeOf({ fields: inner, extends: bases }) } }),
      }),
      ...rest,
    }),
  );
}

function shapeOf({ extends: bases = [], fields = {} }: ShapeSource): Shape {
  return { bases: [bases].flat().map(base => parseType(base)), fields: fieldsOf(fields) };
}

function relationshipsOf(relationships: RelationshipSources): Relationship[] {
  return Object.entries(relationships).map(([key, { to, doc }]) => ({ ...nameOf(key), ...targetOf(to), doc }));
}

/** Splits `ref_numbers?` into the name and the mark for a field that may be missing. */
function nameOf(key: string): { name: string; optional: boolean } {
  return key.endsWith('?') ? { name: key.slice(0, -1), optional: true } : { name: key, optional: false };
}

function targetOf(text: string): Pick<Relationship, 'types' | 'cardinality'> {
  const node = parseType(text);
  const names = namesIn(node);
  const types = names.filter(name => name !== 'null' && name !== 'unknown');
  return { types, cardinality: node.kind === 'array' ? 'many' : names.includes('null') ? 'oneOrNull' : 'one' };
}

function typeOf(name: string, source: TypeSource): NamedType {
  if (typeof source === 'string') return { name, kind: 'alias', type: parseType(source) };
  const { doc, of, values, closed = false, provided, type } = source;
  const named = { name, ...(doc !== undefined && { doc }) };
  if (values) return { ...named, kind: 'values', values, closed };
  if (provided) return { ...named, kind: 'object', bases: [], fields: providedFields(provided), provided };
  if (type !== undefined) return { ...named, kind: 'alias', type: parseType(type) };
  const [parameter] = Object.entries(of ?? {}).map(([name, type]) => ({ name, type: parseType(type) }));
  return {
    ...named,
    kind: 'object',
    ...shapeOf(source),
    ...(parameter && { of: parameter }),
    ...(closed && { closed }),
  };
}

/** For each name, a field with a flag and a field with a note. */
function providedFields(names: readonly string[]): Field[] {
  const field = (name: string, type: string) => ({ name, optional: true, type: parseType(type) });
  return [...names.map(name => field(name, 'boolean')), ...names.map(name => field(`${name}_notes`, 'string'))];
}

/** The names of all events, and the names that a transport event can have. */
function eventTypes(events: readonly ServiceEvent[]): NamedType[] {
  const type = (name: string, doc: string, about?: string): NamedType => ({
    name,
    doc,
    kind: 'values',
    closed: true,
    values: events.filter(event => about === undefined || event.about === about).map(event => event.name),
  });
  return [
    type('event_name', 'The name of an event that the service can notify about.'),
    type(
      'transport_event_name',
      'The names that a transport event can have: milestones, estimates and deadlines of one container.',
      'transport_event',
    ),
  ];
}

function operationOf(
  name: string,
  source: OperationSource,
  records: Map<string, RecordType>,
  lists: Pick<Description, 'filters' | 'sorts'>,
): Operation {
  const { request, query = {}, include, body, answer: text, filters: filterSet, sort: order, ...rest } = source;
  const filters = filterSet === undefined ? undefined : lists.filters.get(filterSet);
  const sort = order === undefined ? undefined : lists.sorts.get(order);
  if ((filterSet && !filters) || (order && !sort))
    throw new Error(`${name}: ${filterSet} or ${order} is not described`);
  const [method = '', path = ''] = request.split(' ');
  const answer = answerOf(text);
  const includes = include === true ? records.get(answer.type)?.include : include;
  return {
    name,
    ...rest,
    method,
    path,
    query: [
      ...(filters?.filters.flatMap(filter => fieldsOf(filterFields(filter))) ?? []),
      ...fieldsOf(query),
      ...(sort ? fieldsOf(sortField(sort)) : []),
    ],
    ...(filters && { filters }),
    ...(sort && { sort }),
    ...(includes && { include: includes }),
    ...(body && {
      body: {
        ...body,
        attributes: fieldsOf(body.attributes ?? {}),
        relationships: relationshipsOf(body.relationships ?? {}),
      },
    }),
    answer,
    errors: rest.errors ?? [],
  };
}

/** Reads a type of record, `list of` or `array of` such a type, `json` and a type, or `nothing`. */
function answerOf(text: string): Answer {
  if (text === 'nothing') return { shape: 'nothing', type: '', mayBeEmpty: true };
  const [, shape = 'one', type = '', orNothing] =
    /^(?:(list|array|json)(?: of)? )?([\w]+)(, or nothing)?$/.exec(text) ?? [];
  return { shape: shape as Answer['shape'], type, mayBeEmpty: orNothing !== undefined };
}

/** The fields of an object, preceded by the fields of the bases that `taken` selects. The other bases stay bases. */
export function withFieldsOf({ bases, fields }: Shape, taken: (base: NamedType) => boolean): Shape {
  const parts = bases.map(node => {
    const base = description.types.get(node.kind === 'name' || node.kind === 'applied' ? node.name : '');
    if (base?.kind !== 'object' || !taken(base)) return { bases: [node], fields: [] };
    return withFieldsOf(node.kind === 'applied' ? applied(base, node.of) : base, taken);
  });
  return {
    bases: parts.flatMap(part => part.bases),
    fields: [...parts.flatMap(part => part.fields), ...fields],
  };
}

/** A type in which the argument replaces the parameter. */
function applied(type: ObjectType, argument: TypeNode): ObjectType {
  const put = (node: TypeNode) => (type.of ? replaced(node, type.of.name, argument) : node);
  return {
    ...type,
    bases: type.bases.map(put),
    fields: type.fields.map(field => ({ ...field, type: put(field.type) })),
  };
}

function refuseUnknownNames({ records, types, operations, events, tools, contradictions }: Description): void {
  const fields = [
    ...[...records.values()].flatMap(({ attributes }) => attributes),
    ...[...operations.values()].flatMap(({ query, body }) => [...query, ...(body?.attributes ?? [])]),
  ];
  const named = [
    ...fields.flatMap(({ type }) => namesIn(type)),
    ...[...types.values()].flatMap(namesInType),
    ...tools.flatMap(tool => [tool.arguments, ...namesIn(tool.result)]),
  ];
  const related = [
    ...[...records.values()].flatMap(({ relationships }) => relationships.flatMap(({ types }) => types)),
    ...events.flatMap(({ about, includes }) => [about, ...includes]),
  ];
  const unknown = [
    ...named.filter(name => !types.has(name) && !SCALARS.includes(name)),
    ...related.filter(type => !records.has(type)),
    ...[...operations.values()]
      .map(({ answer }) => answer.type)
      .filter(type => type && !records.has(type) && !types.has(type)),
    ...contradictions.flatMap(({ about }) => about).filter(name => !records.has(name) && !operations.has(name)),
  ];
  if (unknown.length > 0) throw new Error(`The description has no ${[...new Set(unknown)].join(', ')}`);
}

/** The names of types in a type, without the name of its parameter. */
export function namesInType(type: NamedType): string[] {
  if (type.kind === 'values') return [];
  return type.kind === 'alias' ? namesIn(type.type) : namesOf(type).filter(name => name !== type.of?.name);
}

/** A pattern that matches the paths of requests for an operation. A parameter is one segment. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}
