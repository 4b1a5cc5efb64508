import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. Not `import.meta.dirname`, because VitePress bundles what its configuration imports. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** One block of the sidebar: a folder of `docs/`, and the order of its pages. Pages that are not named come last, by title. */
export interface Section {
  title: string;
  folder: string;
  order: readonly string[];
}

/** The order of the documentation: the sidebar, `llms.txt` and `llms-full.txt` follow it. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Guides',
    folder: 'guides',
    order: [
      'getting-started',
      'glossary',
      'authentication',
      'tracking',
      'worklists',
      'nightly-job',
      'lists',
      'includes',
      'search-and-parties',
      'maps',
      'rate-limits',
      'retries-and-timeouts',
      'errors',
      'webhooks',
      'queues',
      'testing',
      'documents',
      'custom-fields',
      'feed',
      'sync',
      'alerts',
      'mcp',
      'browsers',
      'react',
      'serverless',
      'logging',
      'observability',
      'production',
      'kubernetes-and-systemd',
      'upgrading',
      'from-fetch',
      'from-camel-case',
      'sandbox',
    ],
  },
  {
    title: 'Recipes',
    folder: 'recipes',
    order: ['express', 'fastify', 'hono', 'nextjs', 'remix', 'nestjs', 'lambda', 'workers', 'bun', 'deno'],
  },
  { title: 'Reference', folder: 'reference', order: ['cli', 'errors', 'dcsa', 'sync-tables', 'benchmarks', 'api'] },
  {
    title: 'The service',
    folder: 'service',
    order: [
      'README',
      'requests',
      'endpoints',
      'lists',
      'rate-limits',
      'errors',
      'tracking-requests',
      'records',
      'webhooks',
      'documents',
      'custom-fields',
      'coverage',
      'contradictions',
    ],
  },
];

export interface Page {
  /** Path in the repository: `docs/guides/sync.md`. */
  path: string;
  title: string;
}

export interface PageGroup {
  title: string;
  pages: Page[];
}

/** The page that stands before the sections. */
export const START_PAGE = 'docs/README.md';

/** All pages of a folder `docs` in the order of {@link SECTIONS}; what belongs to none of them follows under "More". */
export function pageGroups(root = ROOT): PageGroup[] {
  const paths = filesBelow(root, 'docs').filter(path => path.endsWith('.md') && path !== START_PAGE);
  const groups = SECTIONS.map(({ title, folder, order }) => {
    const prefix = `docs/${folder}/`;
    const pages = paths.filter(path => path.startsWith(prefix)).map(path => pageAt(root, path));
    const rank = ({ path }: Page) => {
      const place = order.indexOf(path.slice(prefix.length, -'.md'.length));
      return place === -1 ? order.length : place;
    };
    return { title, pages: pages.sort((one, other) => rank(one) - rank(other) || byTitle(one, other)) };
  });
  const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const rest = paths.filter(path => !listed.has(path)).map(path => pageAt(root, path));
  return [...groups, { title: 'More', pages: rest.sort(byTitle) }].filter(({ pages }) => pages.length > 0);
}

export function pageAt(root: string, path: string): Page {
  const title = /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1];
  if (!title) throw new Error(`${path} has no title: its first line must be "# …".`);
  return { path, title: title.replaceAll('`', '') };
}

/** Paths of files, relative to `root`, in a fixed order; neither what is installed nor what is built. */
export function filesBelow(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder)).sort();
  return names.flatMap(name => {
    const path = `${folder}/${name}`;
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return name === 'node_modules' || name === 'dist' ? [] : filesBelow(root, path);
  });
}

function byTitle(one: Page, other: Page): number {
  return one.title < other.title ? -1 : 1;
}
