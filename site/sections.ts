import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The root of the repository. The code does not use `import.meta.dirname`, because VitePress bundles the imports of its
 * configuration.
 */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * One block of the sidebar: pages of a folder of `docs/`, in this order. Pages that are in no section come last, by title, in
 * the last section of their folder.
 */
export interface Section {
  title: string;
  folder: string;
  order: readonly string[];
}

/** The order of the documentation: the sidebar, `llms.txt` and `llms-full.txt` follow it. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    folder: 'guides',
    order: ['getting-started', 'which-one', 'authentication', 'from-fetch', 'from-camel-case', 'upgrading', 'glossary'],
  },
  {
    title: 'Read',
    folder: 'guides',
    order: ['tracking', 'worklists', 'lists', 'includes', 'search-and-parties', 'maps', 'documents', 'custom-fields'],
  },
  { title: 'Keep up', folder: 'guides', order: ['webhooks', 'queues', 'feed', 'sync', 'sql', 'alerts', 'nightly-job'] },
  {
    title: 'Operate',
    folder: 'guides',
    order: [
      'production',
      'errors',
      'rate-limits',
      'retries-and-timeouts',
      'logging',
      'observability',
      'serverless',
      'kubernetes-and-systemd',
      'browsers',
      'react',
      'mcp',
    ],
  },
  { title: 'Test', folder: 'guides', order: ['testing', 'sandbox'] },
  { title: 'More guides', folder: 'guides', order: [] },
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

/** The page before all sections. */
export const START_PAGE = 'docs/README.md';

/** All pages of a folder `docs` in the order of {@link SECTIONS}. Pages without a section follow under "More". */
export function pageGroups(root = ROOT): PageGroup[] {
  const paths = filesBelow(root, 'docs').filter(path => path.endsWith('.md') && path !== START_PAGE);
  const named = new Set(SECTIONS.flatMap(({ folder, order }) => order.map(name => pathOf(folder, name))));
  const groups = SECTIONS.map((section, index) => {
    const { title, folder, order } = section;
    const isLast = !SECTIONS.some((other, at) => at > index && other.folder === folder);
    const own = order.map(name => pathOf(folder, name)).filter(path => paths.includes(path));
    const others = paths.filter(path => path.startsWith(`docs/${folder}/`) && !named.has(path));
    const rest = isLast ? others.map(path => pageAt(root, path)).sort(byTitle) : [];
    return { title, pages: [...own.map(path => pageAt(root, path)), ...rest] };
  });
  const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const rest = paths.filter(path => !listed.has(path)).map(path => pageAt(root, path));
  return [...groups, { title: 'More', pages: rest.sort(byTitle) }].filter(({ pages }) => pages.length > 0);
}

function pathOf(folder: string, name: string): string {
  return `docs/${folder}/${name}.md`;
}

export function pageAt(root: string, path: string): Page {
  const title = /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1];
  if (!title) throw new Error(`${path} has no title: its first line must be "# …".`);
  return { path, title: title.replaceAll('`', '') };
}

/** Paths of files, relative to `root`, in a fixed order, without installed and built files. */
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
