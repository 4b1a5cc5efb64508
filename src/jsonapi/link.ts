import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import type { Resources, ResourceType } from '../model/index.ts';
import {
  isIdentifier,
  isRecord,
  type ResourceIdentifier,
  type WireDocument,
  type WireRelationship,
  type WireResource,
} from './document.ts';
import { ANY_RELATIONSHIP, type IncludeTree } from './include.ts';

type OneOrMany<T extends ResourceType> = {
  [K in keyof Resources[T]['relationships']]-?: NonNullable<Resources[T]['relationships'][K]> extends readonly unknown[]
    ? 'many'
    : 'one';
};

/**
 * The compiler compares the relationships in the interfaces of the records with the relationships in the description of
 * the API.
 */
const COUNTS: { [T in ResourceType]: OneOrMany<T> } = RELATIONSHIPS;

/**
 * The cardinality of a relationship; `undefined` if only other types have this relationship. An unknown type or an
 * unknown relationship counts as `one`.
 */
export function oneOrMany(type: string, relationship: string): 'one' | 'many' | undefined {
  if (!Object.hasOwn(COUNTS, type)) return 'one';
  const own = declared(type, relationship);
  if (own) return own;
  return isDeclared(relationship) ? undefined : 'one';
}

/**
 * True if the paths of a tree are relationships of the types. The result is also false if a path has several segments:
 * `refuseInclude` checks such paths.
 */
export function isKnownTree(tree: IncludeTree, types: readonly string[]): boolean {
  return [...tree].every(([name, { size }]) => size === 0 && isDeclared(name, types));
}

function isDeclared(relationship: string, types: readonly string[] = Object.keys(COUNTS)): boolean {
  return types.some(type => declared(type, relationship));
}

function declared(type: string, relationship: string): 'one' | 'many' | undefined {
  const relationships: Readonly<Record<string, 'one' | 'many'>> = COUNTS[type as ResourceType];
  return Object.hasOwn(relationships, relationship) ? relationships[relationship] : undefined;
}

/** The type of a linked record in this module. Users see the types in `src/model`. */
export type LinkedObject = Record<string, unknown> & { id: string; type: string };

/** A relationship that the call includes and that the service did not send correctly. */
export interface LinkProblem {
  /** Type of the record that has the relationship. */
  resourceType: string;
  relationship: string;
  problem: 'relationship_missing' | 'record_not_sent';
}

/**
 * Two relationships, of which a record has only one: a notification about a document has `document` instead of
 * `reference_object`.
 */
const INSTEAD: Readonly<Record<string, string>> = { reference_object: 'document', document: 'reference_object' };

/** Upper bound for the problems that are reported for one document. */
const MAX_PROBLEMS = 1000;

/**
 * Turns the resources of one document into records. Only the relationships of the include tree are followed, so the result
 * is finite and has no cycles. A resource becomes one object for each place in the tree where it is needed.
 */
export class Linker {
  /** Contains each problem once, and at most 1,000 problems. */
  readonly problems: LinkProblem[] = [];
  #reported: Set<string> | undefined;
  readonly #document: WireDocument;
  readonly #asked: boolean;
  #included: Lookup | undefined;
  #primary: Lookup | undefined;
  #primaryTypes: Set<string> | undefined;
  /** The records of each place in the tree. */
  readonly #records = new Map<IncludeTree, Map<WireResource, LinkedObject>>();

  /** @param options.asked false if the service chose the includes: a record that it leaves out is then not a problem. */
  constructor(document: WireDocument, options: { asked: boolean }) {
    this.#document = document;
    this.#asked = options.asked;
  }

  record(resource: WireResource, tree: IncludeTree): LinkedObject {
    let records = this.#records.get(tree);
    if (!records) {
      records = new Map();
      this.#records.set(tree, records);
    }
    const known = records.get(resource);
    if (known) return known;

    const record = { ...(isRecord(resource.attributes) && resource.attributes) } as LinkedObject;
    records.set(resource, record);
    this.#relationships(record, resource, tree);
    record.id = resource.id;
    record.type = resource.type;
    if (resource.links) record.links = resource.links;
    if (resource.meta) record.meta = resource.meta;
    return record;
  }

  #relationships(record: LinkedObject, resource: WireResource, tree: IncludeTree): void {
    const { relationships } = resource;
    const all = tree.get(ANY_RELATIONSHIP);
    let followed = 0;
    for (const name in relationships) {
      const data = linkage(resource, name);
      if (data === undefined) continue;
      const below = tree.get(name) ?? all;
      if (below) {
        followed += 1;
        record[name] = this.#follow(data, below, resource.type, name);
      } else {
        record[name] = data;
      }
    }
    if (followed < tree.size && this.#asked) this.#fillIn(record, resource, tree);
  }

  #follow(data: Linkage, tree: IncludeTree, resourceType: string, name: string): unknown {
    if (Array.isArray(data)) return data.map(target => this.#target(target, tree, resourceType, name));
    return data && this.#target(data, tree, resourceType, name);
  }

  #target(target: ResourceIdentifier, tree: IncludeTree, resourceType: string, name: string): unknown {
    const resource = isIdentifier(target) ? this.#find(target) : undefined;
    if (resource) return this.record(resource, tree);
    this.#report(resourceType, name, 'record_not_sent');
    return target;
  }

  /** Sets a relationship to `null` or `[]` if the call includes the relationship and the service did not send it. */
  #fillIn(record: LinkedObject, resource: WireResource, tree: IncludeTree): void {
    for (const name of tree.keys()) {
      if (linkage(resource, name) !== undefined) continue;
      // A list or a relationship may contain records of several types. The include path may be meant for another of
      // these types.
      const expected = oneOrMany(resource.type, name);
      if (!expected) continue;
      record[name] = expected === 'many' ? [] : null;
      if (linkage(resource, INSTEAD[name] ?? name) !== undefined) continue;
      this.#report(resource.type, name, 'relationship_missing');
    }
  }

  #find({ type, id }: ResourceIdentifier): WireResource | undefined {
    this.#included ??= lookup(this.#document.included ?? []);
    const included = this.#included(type, id);
    return included?.attributes ? included : (this.#findPrimary(type, id) ?? included);
  }

  /** Primary data is not repeated in `included`, so a relationship may lead back to it. */
  #findPrimary(type: string, id: string): WireResource | undefined {
    const { data } = this.#document;
    const resources = Array.isArray(data) ? data : data ? [data] : [];
    this.#primaryTypes ??= new Set(resources.map(resource => resource.type));
    if (!this.#primaryTypes.has(type)) return undefined;
    this.#primary ??= lookup(resources);
    return this.#primary(type, id);
  }

  #report(resourceType: string, relationship: string, problem: LinkProblem['problem']): void {
    if (!this.#asked || this.problems.length >= MAX_PROBLEMS) return;
    const key = `${resourceType}\n${relationship}\n${problem}`;
    this.#reported ??= new Set();
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.problems.push({ resourceType, relationship, problem });
  }
}

type Lookup = (type: string, id: string) => WireResource | undefined;

/** Up to this number of resources, a linear search is faster than making an index. */
const FEW = 16;

/** The service may send a resource twice, once with only its id. The resource with attributes is used. */
function lookup(resources: WireResource[]): Lookup {
  if (resources.length > FEW) return indexed(resources);
  return (type, id) => {
    let reduced: WireResource | undefined;
    for (const resource of resources) {
      if (resource?.id !== id || resource.type !== type) continue;
      if (resource.attributes) return resource;
      reduced ??= resource;
    }
    return reduced;
  };
}

function indexed(resources: WireResource[]): Lookup {
  const index = new Map<string, Map<string, WireResource>>();
  for (const resource of resources) {
    if (!isIdentifier(resource)) continue;
    let ofType = index.get(resource.type);
    if (!ofType) {
      ofType = new Map();
      index.set(resource.type, ofType);
    }
    if (!ofType.get(resource.id)?.attributes) ofType.set(resource.id, resource);
  }
  return (type, id) => index.get(type)?.get(id);
}

type Linkage = ResourceIdentifier | ResourceIdentifier[] | null;

/**
 * The linkage of a relationship; `undefined` if the service sent no linkage, or `null` instead of a list. In one
 * schema, `id` and `type` are properties of the relationship itself:
 * docs/service/contradictions.md#relationships-beside-data
 */
function linkage({ type, relationships }: WireResource, name: string): Linkage | undefined {
  const relationship: WireRelationship | undefined = relationships?.[name];
  const data = relationship?.data;
  if (data === null) return oneOrMany(type, name) === 'many' ? undefined : null;
  if (data !== undefined) return data;
  return isIdentifier(relationship) ? relationship : undefined;
}
