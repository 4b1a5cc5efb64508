import { ConfigurationError } from '../errors.ts';
import type { IncludeTree } from '../jsonapi/include.ts';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import { nearKey } from './kinds.ts';

/** @throws {ConfigurationError} for the first path that is not known, with one that is close to it. */
export function refuseInclude(operation: string, tree: IncludeTree, types?: readonly string[], parents = ''): void {
  const known = Object.entries(RELATIONSHIPS).flatMap(([type, names]) =>
    types?.includes(type) === false ? [] : Object.keys(names),
  );
  for (const [name, below] of tree) {
    if (known.includes(name)) {
      refuseInclude(operation, below, undefined, `${parents}${name}.`);
      continue;
    }
    const near = nearKey(name, known);
    const hint = near ? ` Did you mean ${parents}${near}?` : '';
    const names = types ? ` There are: ${known.join(', ')}.` : '';
    throw new ConfigurationError(
      `${operation}: include has no ${parents}${name}.${hint}${names} dynamicInclude() takes other paths.`,
    );
  }
}
