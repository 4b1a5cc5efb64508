import { defineConfig, type MarkdownRenderer } from 'vitepress';
import manifest from '../../package.json' with { type: 'json' };
import { linkTo } from '../links.ts';
import { withPolicy } from '../policy.ts';
import { pageGroups } from '../sections.ts';

const base = process.env.SITE_BASE ?? '/';

/** The entries that are modules. A file such as `openapi.json` has no page. */
const entries = Object.keys(manifest.exports)
  .filter(entry => !entry.endsWith('.json'))
  .map(entry => ({
    text: entry === '.' ? manifest.name : entry.replace('.', '…'),
    link: `/api/${entry.replace('.', manifest.name)}/`,
  }));

/**
 * Groups are folded, except the group of the current page. The title of a group is a link to its first page: otherwise
 * the title would be a second button.
 */
const groups = pageGroups().map(({ title, pages }) => ({
  text: title,
  link: linkTo(pages[0]?.path ?? ''),
  docFooterText: pages[0]?.title ?? title,
  collapsed: true,
  items: pages.map(page => {
    const item = { text: page.title, link: linkTo(page.path) };
    return item.link === '/api/' ? { ...item, collapsed: true, items: entries } : item;
  }),
}));

const project = {
  text: 'Project',
  link: '/examples/',
  docFooterText: 'Examples',
  collapsed: true,
  items: [
    { text: 'Examples', link: '/examples/' },
    { text: 'For coding agents', link: linkTo(`skills/${manifest.name}/SKILL.md`) },
    { text: 'Changelog', link: linkTo('CHANGELOG.md') },
    { text: 'Security', link: linkTo('SECURITY.md') },
  ],
};

/** The sections of guides are in one menu. Recipes and reference have their own entries in the navigation. */
const navigation = groups.map(({ text, link }) => ({ text, link }));
const [guides, places] = [true, false].map(isGuide =>
  navigation.filter(({ link }) => !link.startsWith('/service/') && link.startsWith('/guides/') === isGuide),
);

/** Makes the same anchors as code hosts and package registries, so that a link works on all of them. */
function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/**
 * Allows the keyboard focus on parts that may be wider than the screen, so that the keyboard can scroll these parts.
 */
function letScrollingBeReached({ renderer }: MarkdownRenderer): void {
  const { rules } = renderer;
  const image = rules.image;
  rules.table_open = () => '<table tabindex="0">';
  rules.image = (tokens, index, ...rest) => {
    const html = image?.(tokens, index, ...rest) ?? '';
    return tokens[index]?.attrGet('src')?.endsWith('.svg') ? `<span class="diagram" tabindex="0">${html}</span>` : html;
  };
}

/** Headings of the reference that are useless as results of a search. Their text is found under the name above them. */
const MINOR_HEADING =
  /<h[2-6][^>]*>(?:Parameters|Returns|Type Parameters?|Throws|Example|Default|Default Value|Inherited from|Overrides|Implementation of|Type Declaration|Extends|Extended by|Constructors|Properties|Methods|Call Signature|Index Signature)\s*<a[^>]*>[\s\S]*?<\/h[2-6]>/g;

export default defineConfig({
  title: manifest.name,
  description: manifest.description,
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  // Otherwise every page would contain the list of all pages.
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  markdown: {
    anchor: { slugify },
    languageAlias: { cjs: 'javascript' },
    // The variants with more contrast, so that comments can be read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: letScrollingBeReached,
  },
  // Pages may link to addresses of the reader's machine.
  ignoreDeadLinks: 'localhostLinks',
  transformHtml: withPolicy,
  // The index of the search is one file, loaded with the first search.
  vite: { build: { chunkSizeWarningLimit: 4000, assetsInlineLimit: 0 } },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: [
      { text: 'Guides', items: guides },
      ...places,
      { text: 'Board', link: '/board/', target: '_self' },
      { text: manifest.version, link: linkTo('CHANGELOG.md') },
    ],
    sidebar: [...groups, project],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Shows the text around the words that the search found.
        detailedView: true,
        // The label includes the key that the button shows.
        translations: { button: { buttonText: 'Search ', buttonAriaLabel: 'Search K' } },
        _render(markdown, env, renderer) {
          const html = renderer.render(markdown, env);
          if (env.relativePath.startsWith('api/')) return html.replace(MINOR_HEADING, '');
          // The index splits `rate_limited` into two frequent words. The joined word is found only in the table of the codes.
          return env.relativePath.endsWith('reference/errors.md')
            ? html.replaceAll(
                /<code>([a-z]+(?:_[a-z]+)+)<\/code>/g,
                (code, name) => `${code} ${name.replaceAll('_', '')}`,
              )
            : html;
        },
      },
    },
  },
});
