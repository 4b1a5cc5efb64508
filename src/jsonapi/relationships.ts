import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import type { Resources, ResourceType } from '../model/index.ts';

type OneOrMany<T extends ResourceType> = {
  [K in keyof Resources[T]['relationships']]-?: NonNullable<Resources[T]['relationships'][K]> extends readonly unknown[]
    ? 'many'
    : 'one';
};

/** A relationship that the interfaces of the records have and the description has not, or the other way round, does not compile. */
const COUNTS: { [T in ResourceType]: OneOrMany<T> } = RELATIONSHIPS;

/**
 * Whether a relationship leads to one record or to many; `undefined` if only other types have it. An unknown type and an
 * unknown relationship count as `one`.
 */
export function oneOrMany(type: string, relationship: string): 'one' | 'many' | undefined {
  if (!Object.hasOwn(COUNTS, type)) return 'one';
  const own = declared(type, relationship);
  if (own) return own;
  return Object.keys(COUNTS).some(other => declared(other, relationship)) ? undefined : 'one';
}

function declared(type: string, relationship: string): 'one' | 'many' | undefined {
  const relationships: Readonly<Record<string, 'one' | 'many'>> = COUNTS[type as ResourceType];
  return Object.hasOwn(relationships, relationship) ? relationships[relationship] : undefined;
}
