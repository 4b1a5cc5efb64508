import { isRecord, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import { description, type Operation, pathPattern } from './description.ts';
import { schemaComplaints } from './json-schema.ts';
import type { Exchange } from './run.ts';
import { pascal } from './type-text.ts';

/** The differences between an exchange with the sandbox and the description: request, status, form, links and meta. */
export function complaintsAbout(operation: Operation, exchange: Exchange): string[] {
  return [
    ...requestComplaints(operation, exchange),
    ...(exchange.error === undefined ? [] : [`the call failed: ${String(exchange.error)}`]),
    ...(operation.status.includes(exchange.status ?? 0)
      ? []
      : [`status ${exchange.status} instead of ${operation.status}`]),
    ...bodyComplaints(operation, exchange.body ?? '', exchange.log[0]?.query.include),
  ];
}

/**
 * The list of complaints. It is empty if the described request was sent exactly once, and had only described
 * parameters.
 */
export function requestComplaints(
  { method, path, query, include, includedByDefault, answer }: Operation,
  { log }: Exchange,
): string[] {
  const [request, ...more] = log;
  if (!request || more.length > 0) return [`${log.length} requests instead of one`];
  // The service created this address, with its query.
  const isGiven = path === '{direct_upload.url}';
  const fits = isGiven ? /^\/rails\/active_storage\/disk\// : pathPattern(path);
  if (request.method !== method || !fits.test(request.path)) {
    return [`${request.method} ${request.path} is not ${method} ${path}`];
  }
  const names = query.map(field => field.name);
  const isKnown = (name: string) =>
    isGiven ||
    names.includes(name) ||
    (name === 'include' && (include ?? includedByDefault) !== undefined) ||
    // A flag whose name is also the start of the names of other parameters, such as `show_positions`.
    names.some(known => known.startsWith(`${name}[`)) ||
    // Every request for a list has a page number. Some endpoints do not document this parameter, and ignore it.
    (answer.shape === 'list' && name.startsWith('page['));
  const unknown = Object.keys(request.query).filter(name => !isKnown(name));
  return unknown.map(name => `${name} is not a parameter of ${method} ${path}`);
}

/**
 * The differences between the body of a response and the description of its operation.
 * @param asked the `include` of the request.
 */
function bodyComplaints(operation: Operation, text: string, asked: string | undefined): string[] {
  const { shape, type, mayBeEmpty } = operation.answer;
  if (shape === 'nothing') return text === '' ? [] : ['a body where none is described'];
  if (text === '') return mayBeEmpty ? [] : ['no body'];
  const body: unknown = JSON.parse(text);
  if (shape === 'json') return schemaComplaints(pascal(type), body);
  if (!isRecord(body)) return ['the body is not a document'];
  const document = body as unknown as WireDocument;
  const included = asked
    ?.split(',')
    .filter(path => description.records.get(type)?.relationships.some(({ name }) => name === path));
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
    ...(Array.isArray(data) === isArray ? [] : [`data is ${isArray ? 'not an' : 'an'} array`]),
    ...(primary.length > 0 ? [] : ['there is no record to check']),
    ...primary.flatMap(resource => (resource.type === first ? [] : [`type ${resource.type} instead of ${type}`])),
    ...[...primary, ...included].flatMap(resourceComplaints),
    ...Object.keys(document).flatMap(key => (known.includes(key) ? [] : [`${key} is not a member of a document`])),
    ...linksComplaints(links, operation),
    ...(operation.meta === undefined || same(Object.keys(meta), operation.meta)
      ? []
      : [`meta has ${Object.keys(meta)} instead of ${operation.meta}`]),
  ];
}

/**
 * Checks that every document has the links `self` and `current`, if they are described. Links to other pages may be
 * missing, because these pages may not exist.
 */
function linksComplaints(links: object, { links: described }: Operation): string[] {
  if (described === undefined) return [];
  const always = described.filter(key => key === 'self' || key === 'current');
  return [
    ...always.filter(key => !(key in links)).map(key => `links.${key} is missing`),
    ...Object.keys(links).flatMap(key => (described.includes(key) ? [] : [`links.${key} is not described`])),
    ...Object.entries(links).flatMap(([key, link]) =>
      URL.canParse(String(link)) ? [] : [`links.${key} is not an address`],
    ),
  ];
}

/** Checks that the document contains, exactly once, every record to which a described relationship leads. */
function includedComplaints({ data, included }: WireDocument, paths: string[] = []): string[] {
  const names = paths.filter(path => !path.includes('.'));
  const primary = [data ?? []].flat();
  const event = description.events.find(({ name }) => name === primary[0]?.attributes?.event);
  // If an event has no includes, its notifications have references only.
  if (!included && event?.includes.length === 0) return [];
  const all = [...primary, ...(included ?? [])].map(({ type, id }) => `${type} ${id}`);
  const references = primary.flatMap(({ relationships = {} }) =>
    names.flatMap(name => [relationships[name]?.data ?? []].flat().map(({ type, id }) => `${type} ${id}`)),
  );
  return [
    ...references.filter(reference => !all.includes(reference)).map(reference => `${reference} is not included`),
    ...(new Set(all).size === all.length ? [] : ['a record is in the document twice']),
  ];
}

/**
 * The attributes, relationships, types and targets that a wire resource has, but that its description does not have.
 */
export function resourceComplaints({ links: _, meta: __, ...resource }: WireResource): string[] {
  const { attributes = {}, relationships = {} } = resource;
  // Some types repeat the id among their attributes.
  const { id: ___, ...described } = attributes;
  const data = Object.entries(relationships).map(([name, relationship]) => [name, { data: relationship?.data }]);
  return schemaComplaints(pascal(resource.type), {
    ...resource,
    attributes: described,
    ...(data.length > 0 && { relationships: Object.fromEntries(data) }),
  });
}

function same(one: string[], other: string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}
