import {
  isIdentifier,
  isRecord,
  type ResourceIdentifier,
  type WireDocument,
  type WireRelationship,
  type WireResource,
} from './document.ts';
import { isToMany } from './to-many.ts';
import { ANY_RELATIONSHIP, type IncludeTree } from './tree.ts';

/** A linked record as the code that makes it sees it; the types in `src/records` are what users see. */
export type LinkedObject = Record<string, unknown> & { id: string; type: string };

/** A relationship that was asked for and that the service did not send as it should have. */
export interface LinkProblem {
  /** Type of the record that has the relationship. */
  resourceType: string;
  relationship: string;
  problem: 'relationship_missing' | 'record_not_sent';
}

/**
 * Turns the resources of one document into records, along the include tree and nowhere else: the result is finite and
 * has no cycles, whatever the document points to. A record is one object per place in the tree.
 *
 * A parsed attributes object becomes the record itself: copying its keys would cost a third of what JSON.parse does.
 * It is copied only where the same resource is needed at a second place.
 */
export class Linker {
  readonly problems: LinkProblem[] = [];
  readonly #document: WireDocument;
  readonly #asked: boolean;
  readonly #places = new Map<IncludeTree, Map<WireResource, LinkedObject>>();
  readonly #firstPlaces = new Map<WireResource, { record: LinkedObject; tree: IncludeTree }>();
  #included: Index | undefined;
  #primary: Index | undefined;

  /** @param options.asked false where the service includes by its own choice: what it leaves out is no problem then. */
  constructor(document: WireDocument, options: { asked: boolean }) {
    this.#document = document;
    this.#asked = options.asked;
  }

  record(resource: WireResource, tree: IncludeTree): LinkedObject {
    let place = this.#places.get(tree);
    if (!place) {
      place = new Map();
      this.#places.set(tree, place);
    }
    const known = place.get(resource);
    if (known) return known;

    const record = this.#attributes(resource, tree);
    place.set(resource, record);
    this.#relationships(record, resource, tree);
    record.id = resource.id;
    record.type = resource.type;
    if (resource.links) record.links = resource.links;
    if (resource.meta) record.meta = resource.meta;
    return record;
  }

  #attributes(resource: WireResource, tree: IncludeTree): LinkedObject {
    const first = this.#firstPlaces.get(resource);
    if (!first) {
      const record = (isRecord(resource.attributes) ? resource.attributes : {}) as LinkedObject;
      this.#firstPlaces.set(resource, { record, tree });
      return record;
    }
    const copy = { ...first.record };
    for (const name in first.tree) {
      // It was asked for at the first place and the service left it out: the `null` there does not belong here.
      if (identifiers(resource.relationships?.[name]) === undefined) delete copy[name];
    }
    return copy;
  }

  #relationships(record: LinkedObject, resource: WireResource, tree: IncludeTree): void {
    const { relationships } = resource;
    for (const name in relationships) {
      const data = identifiers(relationships[name]);
      if (data === undefined) continue;
      const below = tree[name] ?? tree[ANY_RELATIONSHIP];
      if (!below || data === null) record[name] = data;
      else if (Array.isArray(data)) record[name] = data.map(target => this.#follow(target, below, resource.type, name));
      else record[name] = this.#follow(data, below, resource.type, name);
    }
    if (!this.#asked) return;
    for (const name in tree) {
      if (identifiers(relationships?.[name]) !== undefined) continue;
      record[name] = isToMany(name) ? [] : null;
      this.#report(resource.type, name, 'relationship_missing');
    }
  }

  #follow(target: ResourceIdentifier, tree: IncludeTree, resourceType: string, name: string): unknown {
    const resource = this.#find(target);
    if (!resource) {
      this.#report(resourceType, name, 'record_not_sent');
      return target;
    }
    return this.record(resource, tree);
  }

  #find({ type, id }: ResourceIdentifier): WireResource | undefined {
    this.#included ??= indexOf(this.#document.included ?? []);
    const included = this.#included.get(type)?.get(id);
    if (included) return included;
    const { data } = this.#document;
    this.#primary ??= indexOf(Array.isArray(data) ? data : data ? [data] : []);
    return this.#primary.get(type)?.get(id);
  }

  #report(resourceType: string, relationship: string, problem: LinkProblem['problem']): void {
    if (!this.#asked) return;
    const reported = this.problems.some(
      known => known.resourceType === resourceType && known.relationship === relationship && known.problem === problem,
    );
    if (!reported) this.problems.push({ resourceType, relationship, problem });
  }
}

type Index = Map<string, Map<string, WireResource>>;

function indexOf(resources: WireResource[]): Index {
  const index: Index = new Map();
  for (const resource of resources) {
    let ofType = index.get(resource.type);
    if (!ofType) {
      ofType = new Map();
      index.set(resource.type, ofType);
    }
    // The service may send a resource twice, once reduced to its id: the one with attributes counts.
    if (resource.attributes || !ofType.has(resource.id)) ofType.set(resource.id, resource);
  }
  return index;
}

/** The linkage of a relationship; `undefined` where the wire has none. One schema puts id and type beside `data` (D-87). */
function identifiers(
  relationship: WireRelationship | undefined,
): ResourceIdentifier | ResourceIdentifier[] | null | undefined {
  const data = relationship?.data;
  if (data === null || isIdentifier(data)) return data;
  if (Array.isArray(data)) return data.every(item => isIdentifier(item)) ? data : [];
  return isIdentifier(relationship) ? relationship : undefined;
}
