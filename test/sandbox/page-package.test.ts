import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILES } from '../../src/sandbox/page/sandbox-page.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

/** Programs that print the files of the page, and the modules that are loaded before and after the page is opened. */
const FORMATS: [format: string, program: string][] = [
  [
    'module',
    `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createSandbox } = await import('${DIST}/sandbox.js');
    await use(createSandbox(), () => loaded);`,
  ],
  [
    'commonjs',
    `const { createSandbox } = require('${DIST}/sandbox.cjs');
    use(createSandbox(), () => Object.keys(require.cache));`,
  ],
];

const USE = `
async function use(sandbox, loaded) {
  const headers = { authorization: 'Token sandbox' };
  await sandbox.fetch('http://localhost/v2/parties', { headers });
  const before = [...loaded()];
  const files = {};
  for (const path of ${JSON.stringify([...FILES.keys()])}) {
    files[path] = await (await sandbox.fetch('http://localhost' + path)).text();
  }
  console.log(JSON.stringify({ before, after: loaded(), files }));
}`;

describe.each(FORMATS)('in the built package, as %s', (format, program) => {
  const { before, after, files } = JSON.parse(
    execFileSync(process.execPath, [`--input-type=${format}`, '-e', program + USE], { encoding: 'utf8' }),
  );
  const ofPage = (urls: string[]) => urls.filter(url => url.includes('sandbox-page'));

  test('the page is loaded only when it is opened', () => {
    expect(before.length).toBeGreaterThan(0);
    expect(ofPage(before)).toEqual([]);
    expect(ofPage(after)).toHaveLength(1);
  });

  test('the files of the page are the same as in the source code', () => {
    for (const [path, [, text]] of FILES) expect(files[path]).toBe(text);
  });
});
