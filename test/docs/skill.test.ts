import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../../site/sections.ts';

const TEXT = readFileSync(join(ROOT, `skills/${manifest.name}/SKILL.md`), 'utf8');
/** Later snippets use the client that the first one makes. */
const CLIENT = `import type { TrackingClient as Client } from 'container-tracking-sdk';\ndeclare const client: Client;\n`;

test('the skill has what an agent finds it by, and is short', () => {
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(TEXT) ?? [];
  const fields = new Map(Array.from(front.matchAll(/^(\w+): (.+)$/gm), ([, name, value]) => [name, value]));
  expect([...fields.keys()]).toEqual(['name', 'description']);
  expect(fields.get('name')).toBe(manifest.name);
  expect(fields.get('description')?.length).toBeLessThan(1024);
  expect(TEXT.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('the snippets of the skill compile under strict', () => {
  const codes = Array.from(TEXT.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(4);
  expect(complaintsAbout(codes)).toEqual([]);
  expect(complaintsAbout(['client.shipments.get(1);'])).toEqual([expect.stringMatching(/^snippet 1: .*'number'/)]);
}, 120_000);

function complaintsAbout(codes: string[]): string[] {
  const files = new Map(
    codes.map((code, index) => [
      join(ROOT, `snippet ${index + 1}.ts`),
      /^export const client\b/m.test(code) ? code : `${CLIENT}${code}\nexport {};\n`,
    ]),
  );
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = path => files.has(path) || fileExists(path);
  host.readFile = path => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const code = files.get(path);
    return code === undefined ? getSourceFile(path, ...rest) : ts.createSourceFile(path, code, ts.ScriptTarget.ESNext);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path, index) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `snippet ${index + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}
