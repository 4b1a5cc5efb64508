import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import type { DynamicInclude } from '../model/index.ts';
import { queryString } from './query.ts';

/** The includes of a call as a tree: `['containers.shipment']` is a map from `containers` to a map that contains `shipment`. */
export type IncludeTree = ReadonlyMap<string, IncludeTree>;

/** In an include tree, this name means every relationship of the record at that position in the tree. */
export const ANY_RELATIONSHIP = '*';

export const NOTHING_INCLUDED: IncludeTree = new Map();

/** Makes an include tree from paths. The tree also contains the parents of each path. */
export function includeTree(paths: readonly string[]): IncludeTree {
  const root: MutableTree = new Map();
  for (const path of paths) {
    let node = root;
    for (const segment of path.split('.')) {
      const below = node.get(segment) ?? new Map();
      node.set(segment, below);
      node = below;
    }
  }
  return root;
}

type MutableTree = Map<string, MutableTree>;

/** Every path of a tree, parents before children, for the `include` parameter. */
export function includePaths(tree: IncludeTree): string[] {
  const paths: string[] = [];
  addPaths(paths, tree, '');
  return paths;
}

function addPaths(paths: string[], tree: IncludeTree, prefix: string): void {
  for (const [name, below] of tree) {
    paths.push(prefix + name);
    if (below.size > 0) addPaths(paths, below, `${prefix}${name}.`);
  }
}

/**
 * Include paths that the compiler knows only as strings, for example from a configuration file. In the type of the
 * result, every relationship is "included or not", so your code has to check a relationship before it reads the
 * relationship.
 *
 * @throws {ConfigurationError} unless `paths` is an array of paths.
 * @example
 * const shipment = await client.shipments.get(id, { include: dynamicInclude(config.include) });
 * const terminal = shipment.pod_terminal;
 * if (terminal && 'name' in terminal) console.log(terminal.name);
 */
export function dynamicInclude(paths: readonly string[]): DynamicInclude {
  return OpenPaths.from(checkedPaths(paths)) as unknown as DynamicInclude;
}

/** Paths that may be unknown. This class extends `Array`, so that `filter` and `map` return the same class. */
class OpenPaths extends Array<string> {
  /** Another copy of this package recognises the array by this property. */
  get isOpen() {
    return true;
  }
}

/** The `include` of a call. */
export interface Included {
  readonly paths: readonly string[];
  readonly tree: IncludeTree;
  /** The query string, with its `?`. */
  readonly query: string;
}

/** Upper bound for the lists of paths in the cache. Most programs use few different lists. */
const MAX_KNOWN = 256;
const known = new Map<string, Included>();

/** Paths as the caller passed them. */
export interface GivenPaths extends ReadonlyArray<string> {
  /** True if the paths come from `dynamicInclude`. */
  readonly isOpen?: boolean;
}

/** Returns the same object for the same paths. @throws {ConfigurationError} unless the argument is an array of paths. */
export function includedBy(given: unknown): Included {
  const key = Array.isArray(given) ? given.join() : '';
  const found = known.get(key);
  if (found && isList(given, found.paths)) return found;
  const paths = [...checkedPaths(given)];
  const tree = includeTree(paths);
  const included = { paths, tree, query: queryString({ include: includePaths(tree) }) };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, included);
  return included;
}

function isList(given: unknown, paths: readonly string[]): boolean {
  return Array.isArray(given) && given.length === paths.length && paths.every((path, index) => given[index] === path);
}

function checkedPaths(paths: unknown): readonly string[] {
  if (Array.isArray(paths) && paths.every(isPath)) return paths;
  const wrong = Array.isArray(paths)
    ? `holds ${describeValue(paths.find(path => !isPath(path)))}`
    : `is ${describeValue(paths)}`;
  throw new ConfigurationError(
    `include ${wrong}; it must be an array of paths, such as ['shipment', 'shipment.port_of_lading'].`,
  );
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^[^.,*\s]+(?:\.[^.,*\s]+)*$/.test(value);
}
