/** What a call includes, as a tree: `{ containers: { shipment: {} } }`. */
export interface IncludeTree {
  readonly [relationship: string]: IncludeTree;
}

/** In a tree, stands for every relationship of the record at that place. */
export const ANY_RELATIONSHIP = '*';

export const NOTHING_INCLUDED: IncludeTree = Object.freeze(Object.create(null));

/** The tree of `['containers.shipment']`. Parents are implied. */
export function includeTree(paths: readonly string[]): IncludeTree {
  const root: MutableTree = Object.create(null);
  for (const path of paths) {
    let node = root;
    for (const segment of path.split('.')) {
      const below = node[segment] ?? Object.create(null);
      node[segment] = below;
      node = below;
    }
  }
  return root;
}

interface MutableTree {
  [relationship: string]: MutableTree;
}

/** Every path of a tree, parents before children, as the `include` parameter wants them. */
export function includePaths(tree: IncludeTree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([name, below]) => [prefix + name, ...includePaths(below, `${prefix}${name}.`)]);
}
