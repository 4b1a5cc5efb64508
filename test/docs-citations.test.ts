import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = readdirSync(join(ROOT, 'docs/service')).filter(file => file.endsWith('.md'));
/** Files that npm publishes even if `files` does not name them. */
const ALWAYS_PUBLISHED = ['README.md', 'LICENSE', 'package.json'];
/** The name of a file with or without its folder, and a heading in the file. */
const CITATION = /(?<![\w./-])((?:[\w.-]+\/)*[\w-]+\.md)(?!\w)(#[\w-]*)?/g;
/** The groups with subgroups for custom fields and party roles, such as `shipments.customFields`. */
const OWNERS = ['shipments', 'containers', 'trackingRequests'];
/** Numbers and signs that refer to documents outside of the repository. */
const FOREIGN = /\bD-\d{1,3}\b|§|\bSPEC\b|\bDESIGN\b/g;

describe('a comment in src/', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join('src', file));

  test('cites only published files, and headings that exist', () => {
    const wrong = sources.flatMap(file =>
      commentsOf(readFileSync(join(ROOT, file), 'utf8')).flatMap(comment => complaintsAbout(comment, file)),
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(['README.md', 'CHANGELOG.md', 'docs/guides/sandbox.md', ...PAGES.map(page => `docs/service/${page}`)])(
  '%s',
  page => {
    test('links to files and headings that exist', () => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
      const local = targets.filter(target => !/^https?:/.test(target));
      const broken = local.filter(target => {
        const [file = '', heading] = target.split('#');
        const path = file ? join(ROOT, page, '..', file) : join(ROOT, page);
        return !(heading === undefined ? isThere(path) : headingsOf(path).includes(heading));
      });
      expect(broken).toEqual([]);
    });
  },
);

test('the pages about the service name every operation of the client, and do not name other operations', () => {
  const table = readFileSync(join(ROOT, 'docs/service/endpoints.md'), 'utf8');
  const named = Array.from(table.matchAll(/^\| `([\w.]+)` \| `[A-Z]+ \//gm), ([, name = '']) => name);
  expect(named.toSorted()).toEqual([...new Set(operationNames())].toSorted());
});

test('the pages about the service are all in their list of contents', () => {
  const contents = readFileSync(join(ROOT, 'docs/service/README.md'), 'utf8');
  expect(PAGES.filter(page => page !== 'README.md' && !contents.includes(`](${page})`))).toEqual([]);
});

/** The names of operations, as hooks receive them. */
function operationNames(): string[] {
  const files = ['client.ts', ...readdirSync(join(ROOT, 'src/resources')).map(file => join('resources', file))];
  return files.flatMap(file => {
    const code = readFileSync(join(ROOT, 'src', file), 'utf8');
    return Array.from(code.matchAll(/operation: ['`](?:\$\{this\.owners\})?([\w.]+)['`]/g), ([, name = '']) => name)
      .filter(name => name !== 'request')
      .flatMap(name => (name.startsWith('.') ? OWNERS.map(group => `${group}${name}`) : name));
  });
}

describe('the map in CONTRIBUTING.md', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const paths = Array.from(
    text.matchAll(/`((?:src|test|docs|bench|scripts|transport)\/[\w./-]*)`/g),
    ([, path = '']) => path,
  );

  test('names files and folders that exist', () => {
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter(path => !isThere(join(ROOT, path)) && !isThere(join(ROOT, 'src', path)))).toEqual([]);
  });

  test('has every folder of src/', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory());
    expect(folders.map(({ name }) => `src/${name}/`).filter(folder => !paths.includes(folder))).toEqual([]);
  });
});

function complaintsAbout(comment: string, file: string): string[] {
  const cited = Array.from(comment.matchAll(CITATION), ([all, path = '', heading]) => {
    const isPublished = [...manifest.files, ...ALWAYS_PUBLISHED].some(
      published => path === published || path.startsWith(`${published}/`),
    );
    const headings = isPublished ? headingsOf(join(ROOT, path)) : [];
    const isFine = heading === undefined ? headings.length > 0 : headings.includes(heading.slice(1));
    return isFine ? undefined : all;
  });
  const foreign = Array.from(comment.matchAll(FOREIGN), ([all]) => all);
  return [...cited, ...foreign].filter(text => text !== undefined).map(text => `${file}: ${text}`);
}

/** The anchors of the headings of a page, as repository hosts generate them. Empty if the page does not exist. */
function headingsOf(path: string): string[] {
  if (!isThere(path)) return [];
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function isThere(path: string): boolean {
  return ts.sys.fileExists(path) || ts.sys.directoryExists(path);
}

function commentsOf(code: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, false, ts.LanguageVariant.Standard, code);
  const comments: string[] = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    // The end of a line may split a citation.
    if (isComment) comments.push(scanner.getTokenText().replace(/\n\s*\*/g, '\n'));
  }
  return comments;
}
