import { unknownName } from '../internal/near-name.ts';
import type { IncludeTree } from '../jsonapi/include.ts';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';

const TYPES = Object.keys(RELATIONSHIPS);

/** @throws {ConfigurationError} for the first unknown path. The message suggests a similar known path. */
export function refuseInclude(what: string, tree: IncludeTree, types: readonly string[]): void {
  const known = new Set(types.flatMap(type => Object.keys(RELATIONSHIPS[type as keyof typeof RELATIONSHIPS])));
  for (const [name, below] of tree) {
    if (!known.has(name)) throw unknownName(what, name, [...known, 'others by dynamicInclude()']);
    refuseInclude(`${what}: ${name}`, below, typesOf(name));
  }
}

/**
 * The types that a relationship may lead to. Most names end with the type: `pod_terminal` leads to a `terminal` or a
 * `rail_terminal`. Any other name may lead to every type.
 */
export function typesOf(relationship: string): readonly string[] {
  const named = TYPES.find(type => RegExp(`(^|_)${type}s?$`).test(relationship));
  return named ? TYPES.filter(type => type.endsWith(named)) : TYPES;
}
