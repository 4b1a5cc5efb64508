import { dirname, posix } from 'node:path';

/**
 * The place that a file of the repository has on the site, as the path of a Markdown page or of a file. `undefined` if
 * the site does not have the file. The site has the published Markdown files, the examples as pages with their source,
 * and no other page.
 */
export function placeOf(path: string): string | undefined {
  if (path === 'CHANGELOG.md' || path === 'SECURITY.md') return path.toLowerCase();
  if (path === 'README.md') return 'index.md';
  // The API pages list these names with their documentation.
  if (path === 'docs/reference/api.md') return 'api/index.md';
  if (path.startsWith('skills/')) return path;
  if (path === 'docs' || path === 'examples') return path === 'docs' ? 'index.md' : 'examples/index.md';
  if (path.startsWith('docs/')) return path.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  const example = /^examples\/([^/]+)/.exec(path)?.[1];
  return example && `examples/${example.replace(/\.\w+$/, '')}.md`;
}

/** The address of a file that is a page of the site, relative to the root of the site. */
export function linkTo(path: string): string {
  const place = placeOf(path);
  if (!place) throw new Error(`${path} is not a part of the site.`);
  return `/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
}

/** The Markdown of a page, with its relative links replaced by links to the same files on the site. */
export function withSiteLinks(markdown: string, path: string): string {
  const here = dirname(placeOf(path) ?? path);
  return outsideOfCode(markdown, text =>
    text.replace(
      /(\]\(|\b(?:src|srcset)=")([^)"\s]+)([)"])/g,
      (link, before: string, target: string, after: string) => {
        if (/^(?:[a-z]+:|#|\/)/.test(target)) return link;
        const [file = '', anchor] = target.split('#');
        const place = placeOf(posix.join(dirname(path), file).replace(/\/$/, ''));
        if (!place) throw new Error(`${path} links to ${target}, which is not a part of the site.`);
        const href = posix.relative(here, place);
        return `${before}${href.startsWith('.') ? href : `./${href}`}${anchor ? `#${anchor}` : ''}${after}`;
      },
    ),
  );
}

/** Changes the text outside of fenced blocks and code spans. */
function outsideOfCode(markdown: string, change: (text: string) => string): string {
  let fence: string | undefined;
  const lines = markdown.split('\n').map(line => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence)) fence = undefined;
      return line;
    }
    if (mark) {
      fence = mark;
      return line;
    }
    // Code spans stay unchanged. The text of a link may be a code span.
    const spans: string[] = [];
    const marked = line.replace(/(`+)[^`]+\1/g, span => `\u0000${spans.push(span) - 1}\u0000`);
    return change(marked).replace(/\0(\d+)\0/g, (_, index) => spans[Number(index)] ?? '');
  });
  return lines.join('\n');
}
