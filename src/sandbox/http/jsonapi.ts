import type { WireRelationship, WireResource } from '../../jsonapi/document.ts';
import { LINKED_TYPES } from '../../model/generated/linked-types.ts';
import type { ResourceType } from '../../model/index.ts';
import type { Entity, IncludeTree, Rendered } from '../state/entity.ts';
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

/** Only own properties count: `constructor` is not a relationship. */
function targetsOf(type: ResourceType, name: string): readonly ResourceType[] {
  const relationships: Readonly<Record<string, readonly ResourceType[]>> = LINKED_TYPES[type];
  return Object.hasOwn(relationships, name) ? (relationships[name] ?? []) : [];
}

function serializerOf([type = '']: readonly string[]): string {
  const name = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${name}Serializer`;
}

/** Renders records and their included records, each record once. */
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
