import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tablesOfContents } from '../../scripts/llms.ts';
import { linkTo, placeOf, withSiteLinks } from '../../site/links.ts';
import { pageGroups, ROOT, SECTIONS, START_PAGE } from '../../site/sections.ts';

describe('the tables of contents', () => {
  test.each(Object.keys(tablesOfContents()))('%s is up to date: node scripts/llms.ts writes it', path => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(tablesOfContents()[path]);
  });

  test('name every page of docs/', () => {
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const pages = files
      .filter(file => file.endsWith('.md') && `docs/${file}` !== START_PAGE)
      .map(file => `docs/${file}`);
    const listed = pageGroups().flatMap(group => group.pages.map(({ path }) => path));
    expect(listed.toSorted()).toEqual(pages.toSorted());
    for (const text of Object.values(tablesOfContents())) {
      expect(pages.filter(page => !text.includes(`](${page})`) && !text.includes(`](${page.slice(5)})`))).toEqual([]);
    }
  });

  test('also name pages without a place in the order: in a known folder, in an unknown folder and in no folder', () => {
    const root = docsOf({
      'docs/README.md': '# Start',
      'docs/guides/zebra.md': '# Zebra\n\nBlack. White.',
      'docs/guides/ant.md': '# Ant',
      'docs/guides/tracking.md': '# Tracking',
      'docs/essays/deep/one.md': '# One',
      'docs/loose.md': '# Loose',
    });
    expect(pageGroups(root).map(({ title, pages }) => [title, ...pages.map(page => page.title)])).toEqual([
      ['Read', 'Tracking'],
      ['More guides', 'Ant', 'Zebra'],
      ['More', 'Loose', 'One'],
    ]);
  });

  test('refuse a page without a title', () => {
    expect(() => pageGroups(docsOf({ 'docs/guides/none.md': 'Text' }))).toThrow('docs/guides/none.md has no title');
  });

  test('list each page only once, in the order of the pages', () => {
    const places = SECTIONS.flatMap(({ folder, order }) => order.map(name => `${folder}/${name}`));
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('a link of a page', () => {
  test.each([
    ['another page', '[a](../service/errors.md#bodies)', '[a](../service/errors.md#bodies)'],
    ['the start of a folder', '[a](../service/README.md)', '[a](../service/index.md)'],
    ['an example', '[`a`](../../examples/sync-orders.ts)', '[`a`](../examples/sync-orders.md)'],
    ['a folder of examples', '[a](../../examples/upload-form/)', '[a](../examples/upload-form.md)'],
    ['a file in a folder of examples', '[a](../../examples/upload-form/form.ts)', '[a](../examples/upload-form.md)'],
    ['all examples', '[a](../../examples)', '[a](../examples/index.md)'],
    ['the changelog', '[a](../../CHANGELOG.md)', '[a](../changelog.md)'],
    ['the public surface', '[a](../reference/api.md)', '[a](../api/index.md)'],
    ['a page in the same folder', '[a](sync.md)', '[a](./sync.md)'],
    ['a picture', '![a](../images/sync.svg)', '![a](../images/sync.svg)'],
    [
      'another site, or a heading of the same page',
      '[a](https://host.example/x.md) [b](#there)',
      '[a](https://host.example/x.md) [b](#there)',
    ],
    ['a link in code', '`[a](b.md)` and\n```md\n[a](../../b)\n```', '`[a](b.md)` and\n```md\n[a](../../b)\n```'],
  ])('leads to the same target on the site: %s', (_, markdown, expected) => {
    expect(withSiteLinks(markdown, 'docs/guides/page.md')).toBe(expected);
  });

  test('to a file that is not published fails the build', () => {
    expect(() => withSiteLinks('[a](../../src/client.ts)', 'docs/guides/page.md')).toThrow(
      'docs/guides/page.md links to',
    );
  });

  test('has an address without a file extension', () => {
    expect([linkTo('docs/README.md'), linkTo('docs/service/README.md'), linkTo('docs/guides/sync.md')]).toEqual([
      '/',
      '/service/',
      '/guides/sync',
    ]);
    expect(placeOf('package.json')).toBeUndefined();
  });
});

function docsOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'docs-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return root;
}
