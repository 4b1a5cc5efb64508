import { unknownName } from '../internal/near-name.ts';
import type { IncludeTree } from '../jsonapi/include.ts';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';

/** @throws {ConfigurationError} for the first unknown path. The message suggests a similar known path. */
export function refuseInclude(what: string, tree: IncludeTree, types: readonly string[]): void {
  const known = new Set(types.flatMap(type => Object.keys(RELATIONSHIPS[type as keyof typeof RELATIONSHIPS])));
  for (const [name, below] of tree) {
    if (!known.has(name)) throw unknownName(what, name, [...known, 'others by dynamicInclude()']);
    refuseInclude(`${what}: ${name}`, below, Object.keys(RELATIONSHIPS));
  }
}
