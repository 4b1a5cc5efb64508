import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, linksOf } from '../../support/docs/links.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', '{docs,examples}/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules'] }).sort();
/** Files that are always in the package, and the files that its manifest names. */
const SHIPPED = ['README.md', 'LICENSE', 'package.json'];
SHIPPED.push(...(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }).files);
/** The allowed hosts. Links to other hosts would need regular checks, since pages disappear. */
const HOSTS = ['keepachangelog.com', 'semver.org', 'vitest.dev', 'mswjs.io'];
/** Reserved names, which nobody can own. */
const EXAMPLE_HOST = /^(?:[\w-]+\.)*example$|^localhost$|^127\.0\.0\.1$/;

test('the pages with links are found', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/service/README.md']));
  expect(PAGES.flatMap(page => linksOf(read(page))).length).toBeGreaterThan(30);
});

test.each(PAGES)('every link in %s has a target that exists', page => {
  const complaints = complaintsAbout(page, read(page));
  expect(complaints).toEqual([]);
});

test.each([
  ['[a](docs/missing.md)', 'docs/missing.md does not exist'],
  ['[a](docs/service/errors.md#no-such-heading)', 'has no heading for #no-such-heading'],
  ['[a](#no-such-heading)', 'has no heading for #no-such-heading'],
  ['[![a](b.png)](SECURITY.md)', 'b.png does not exist'],
  ['<img src="docs/images/missing.png">', 'missing.png does not exist'],
  ['[a]: docs/missing.md', 'docs/missing.md does not exist'],
  ['[a](CONTRIBUTING.md)', 'CONTRIBUTING.md is not in the package'],
  ['[a](src/index.ts)', 'src/index.ts is not in the package'],
  ['[a](/docs/service/errors.md)', 'is not relative'],
  ['[a](../elsewhere.md)', '../elsewhere.md is not in the project'],
  ['See https://somewhere.test/page.', 'https://somewhere.test/page is not of a host'],
  ['[a](http://semver.org)', 'http://semver.org is not of a host'],
])('a broken link is reported: %s', (text, complaint) => {
  expect(complaintsAbout('README.md', text)).toEqual([expect.stringContaining(complaint)]);
});

test.each([
  '[a](docs/service/errors.md) and [b](examples) and [c](docs/images/sandbox-page.png)',
  '# A `code` & more: (yes)\n## Twice\n## Twice\n[a](#a-code--more-yes) [b](#twice-1)',
  '`[a](missing.md)`\n```md\n[a](missing.md)\n# Not a heading\n```',
  'https://host.example/v2 and [Semantic Versioning](https://semver.org)',
])('a correct link is accepted: %j', text => {
  expect(complaintsAbout('README.md', text)).toEqual([]);
});

function complaintsAbout(page: string, text: string): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    const complaint = /^[a-z]+:/.test(target) ? complaintAboutHost(target) : complaintAboutFile(page, text, target);
    return complaint === undefined ? [] : `${page}:${line}: ${complaint}`;
  });
}

function complaintAboutHost(address: string): string | undefined {
  const { protocol, hostname } = new URL(address);
  const isKnown = (protocol === 'https:' && HOSTS.includes(hostname)) || EXAMPLE_HOST.test(hostname);
  return isKnown ? undefined : `${address} is not of a host that is known to stay: ${HOSTS}`;
}

function complaintAboutFile(page: string, text: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  if (path.startsWith('/')) return `${target} is not relative`;
  const file = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), decodeURI(path)));
  if (file.startsWith('..')) return `${file} is not in the project`;
  if (!existsSync(join(ROOT, file))) return `${file} does not exist`;
  if (isShipped(page) && !isShipped(file)) return `${file} is not in the package, and this page is`;
  if (anchor === undefined) return undefined;
  const isPage = file.endsWith('.md') && statSync(join(ROOT, file)).isFile();
  const anchors = isPage ? anchorsOf(file === page ? text : read(file)) : new Set();
  return anchors.has(anchor) ? undefined : `${file} has no heading for #${anchor}`;
}

function isShipped(file: string): boolean {
  return SHIPPED.some(shipped => file === shipped || file.startsWith(`${shipped}/`));
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}
