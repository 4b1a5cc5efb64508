import { isRecord, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import {
  description,
  type Field,
  type Operation,
  pathPattern,
  type Relationship,
  withFieldsOf,
} from './description.ts';
import type { Exchange } from './run.ts';
import type { Shape, TypeNode } from './type-expression.ts';

/** Where an exchange with the sandbox differs from the description: request, status, shape, links and meta. */
export function complaintsAbout(operation: Operation, exchange: Exchange): string[] {
  return [
    ...requestComplaints(operation, exchange),
    ...(exchange.error === undefined ? [] : [`the call failed: ${String(exchange.error)}`]),
    ...(operation.status.includes(exchange.status ?? 0)
      ? []
      : [`status ${exchange.status} is none of ${operation.status}`]),
    ...bodyComplaints(operation, exchange.body ?? '', exchange.log[0]?.query.include),
  ];
}

/** Whether one request was sent, and the described one. */
export function requestComplaints({ method, path }: Operation, { log }: Exchange): string[] {
  const [request, ...more] = log;
  if (!request || more.length > 0) return [`${log.length} requests instead of one`];
  const fits = path === '{direct_upload.url}' ? /^\/rails\/active_storage\/disk\// : pathPattern(path);
  if (request.method === method && fits.test(request.path)) return [];
  return [`${request.method} ${request.path} is not ${method} ${path}`];
}

/** Where the body of an answer differs from the description of its operation. @param asked The `include` of the request. */
function bodyComplaints(operation: Operation, text: string, asked: string | undefined): string[] {
  const { shape, type, mayBeEmpty } = operation.answer;
  if (shape === 'nothing') return text === '' ? [] : ['a body where none is described'];
  if (text === '') return mayBeEmpty ? [] : ['no body'];
  const body: unknown = JSON.parse(text);
  if (shape === 'json') return typeComplaints(body, { kind: 'name', name: type }, 'body');
  if (!isRecord(body)) return ['the body is no document'];
  const document = body as unknown as WireDocument;
  const included = asked?.split(',').filter(path => relationshipNamed(type, path));
  return [
    ...documentComplaints(document, operation),
    ...includedComplaints(document, included ?? operation.includedByDefault),
  ];
}

function documentComplaints(document: WireDocument, operation: Operation): string[] {
  const { shape, type } = operation.answer;
  const { data, included = [], links = {}, meta = {} } = document;
  const primary = Array.isArray(data) ? data : data ? [data] : [];
  const isArray = shape !== 'one' && operation.name !== 'webhookNotifications.examples';
  const first = operation.name === 'trackingRequests.inferNumber' ? 'infer_number_results' : type;
  const known = ['data', 'included', 'links', 'meta', 'jsonapi'];
  return [
    ...(Array.isArray(data) === isArray ? [] : [`data is ${isArray ? 'no' : 'an'} array`]),
    ...(primary.length > 0 ? [] : ['no record: nothing to look at']),
    ...primary.flatMap(resource => (resource.type === first ? [] : [`type ${resource.type} instead of ${type}`])),
    ...[...primary, ...included].flatMap(resourceComplaints),
    ...Object.keys(document).flatMap(key => (known.includes(key) ? [] : [`${key} is no member of a document`])),
    ...linksComplaints(links, operation),
    ...(operation.meta === undefined || same(Object.keys(meta), operation.meta)
      ? []
      : [`meta has ${Object.keys(meta)} instead of ${operation.meta}`]),
  ];
}

/** What applies to every page is there; the addresses of other pages are there where they exist. */
function linksComplaints(links: object, { links: described }: Operation): string[] {
  if (described === undefined) return [];
  const always = described.filter(key => key === 'self' || key === 'current');
  return [
    ...always.filter(key => !(key in links)).map(key => `links.${key} is missing`),
    ...Object.keys(links).flatMap(key => (described.includes(key) ? [] : [`links.${key} is not described`])),
    ...Object.entries(links).flatMap(([key, link]) =>
      URL.canParse(String(link)) ? [] : [`links.${key} is no address`],
    ),
  ];
}

/** Their notifications have references only, and no `included`. */
const EVENTS_WITHOUT_INCLUDED = ['available', 'not_available', 'delivered'].map(name => `container.transport.${name}`);

/** Every record that a described relationship leads to is in the document, once. */
function includedComplaints({ data, included }: WireDocument, paths: string[] = []): string[] {
  const names = paths.filter(path => !path.includes('.'));
  const primary = [data ?? []].flat();
  if (!included && EVENTS_WITHOUT_INCLUDED.includes(String(primary[0]?.attributes?.event))) return [];
  const all = [...primary, ...(included ?? [])].map(({ type, id }) => `${type} ${id}`);
  const references = primary.flatMap(({ relationships = {} }) =>
    names.flatMap(name => [relationships[name]?.data ?? []].flat().map(({ type, id }) => `${type} ${id}`)),
  );
  return [
    ...references.filter(reference => !all.includes(reference)).map(reference => `${reference} is not included`),
    ...(new Set(all).size === all.length ? [] : ['a record is in the document twice']),
  ];
}

/** Where a resource on the wire has another attribute, relationship, type or target than its description. */
export function resourceComplaints(resource: WireResource): string[] {
  const record = description.records.get(resource.type);
  if (record === undefined) return [`${resource.type} is no type of record`];
  const { id: _, ...attributes } = resource.attributes ?? {};
  return [
    ...fieldComplaints(attributes, record.attributes, resource.type),
    ...Object.entries(resource.relationships ?? {}).flatMap(([name, relationship]) => {
      const target = relationshipNamed(resource.type, name);
      if (target === undefined) return [`${resource.type}.${name} is no relationship`];
      return linkageComplaints(relationship?.data, target, `${resource.type}.${name}`);
    }),
  ];
}

function relationshipNamed(type: string, name: string): Relationship | undefined {
  return description.records.get(type)?.relationships.find(relationship => relationship.name === name);
}

function linkageComplaints(data: unknown, { types, cardinality }: Relationship, place: string): string[] {
  if (data === undefined || (data === null && cardinality === 'oneOrNull')) return [];
  if (Array.isArray(data) !== (cardinality === 'many') || data === null)
    return [`${place} does not lead to ${cardinality}`];
  const references = [data].flat() as WireResource[];
  return references.flatMap(({ type }) =>
    types.length === 0 || types.includes(type) ? [] : [`${place} leads to ${type} instead of ${types.join(' | ')}`],
  );
}

function fieldComplaints(value: Record<string, unknown>, fields: readonly Field[], place: string): string[] {
  const other = fields.find(({ name }) => name === '*');
  return [
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = fields.find(known => known.name === name) ?? other;
      if (field === undefined) return [`${place}.${name} is not described`];
      return typeComplaints(inner, field.type, `${place}.${name}`);
    }),
    ...fields
      .filter(({ name, optional }) => name !== '*' && !optional && !(name in value))
      .map(({ name }) => `${place}.${name} is missing`),
  ];
}

const SCALARS: Record<string, (value: unknown) => boolean> = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
  datetime: value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value)),
  date: value => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  json: isRecord,
  unknown: () => true,
};

function typeComplaints(value: unknown, node: TypeNode, place: string): string[] {
  switch (node.kind) {
    case 'union': {
      const tried = node.of.map(part => typeComplaints(value, part, place));
      return tried.some(complaints => complaints.length === 0) ? [] : (tried.find(found => found.length > 0) ?? []);
    }
    case 'array':
      if (!Array.isArray(value)) return [`${place} is no array`];
      return value.flatMap(item => typeComplaints(item, node.of, `${place}.*`));
    case 'tuple':
      if (!Array.isArray(value) || value.length !== node.of.length) return [`${place} is no tuple`];
      return node.of.flatMap((part, index) => typeComplaints(value[index], part, `${place}.${index}`));
    case 'change':
      return typeComplaints(value, { kind: 'tuple', of: [node.of, node.of] }, place);
    case 'values':
      return node.values.includes(String(value)) ? [] : [`${place} is none of ${node.values}`];
    case 'literal':
      return JSON.stringify(value) === node.text.replaceAll("'", '"') ? [] : [`${place} is not ${node.text}`];
    case 'object':
      return objectComplaints(value, node, place);
    case 'applied':
      return objectComplaints(value, { bases: [node], fields: [] }, place);
    case 'name':
      return namedComplaints(value, node.name, place);
  }
}

function namedComplaints(value: unknown, name: string, place: string): string[] {
  const scalar = SCALARS[name];
  if (scalar) return scalar(value) ? [] : [`${place} is no ${name}`];
  const type = description.types.get(name);
  switch (type?.kind) {
    case 'alias':
      return typeComplaints(value, type.type, place);
    case 'values':
      return type.values.includes(String(value)) ? [] : [`${place} is none of ${name}`];
    case 'object':
      return objectComplaints(value, type, place);
    default:
      return [`${name} is described nowhere`];
  }
}

function objectComplaints(value: unknown, shape: Shape, place: string): string[] {
  return isRecord(value)
    ? fieldComplaints(value, withFieldsOf(shape, () => true).fields, place)
    : [`${place} is no object`];
}

function same(one: string[], other: string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}
