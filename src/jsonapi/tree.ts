/** What a call includes, as a tree: for `['containers.shipment']`, a map from `containers` to one from `shipment`. */
export type IncludeTree = ReadonlyMap<string, IncludeTree>;

/** In an include tree, this name stands for every relationship of the record at that place. */
export const ANY_RELATIONSHIP = '*';

export const NOTHING_INCLUDED: IncludeTree = new Map();

/** The tree of some paths. The parents of a path are added. */
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
