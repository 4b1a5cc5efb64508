import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

describe.each([
  ['webhooks', 'webhooks'],
  ['redis', 'rate-limit/redis'],
  ['bottleneck', 'rate-limit/bottleneck'],
])('%s', (_, folder) => {
  const files = readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(folder, file));

  test('has no import circle, types included', () => {
    const imports = new Map(files.map(file => [file, importsOf(file).filter(target => files.includes(target))]));
    expect([...imports.values()].flat().length).toBeGreaterThan(0);
    expect(files.flatMap(file => circleFrom(file, [], imports) ?? [])).toEqual([]);
  });

  test('has no file of more than 500 lines', () => {
    expect(files.filter(file => readFileSync(join(SRC, file), 'utf8').split('\n').length > 501)).toEqual([]);
  });

  test('cites no file that a user cannot open', () => {
    const cited = files.filter(file => /SPEC\.md|\bapi\/\S+\.md|D-\d{2,}/.test(readFileSync(join(SRC, file), 'utf8')));
    expect(cited).toEqual([]);
  });
});

function importsOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  return Array.from(source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g), ([, target = '']) =>
    relative(SRC, resolve(SRC, dirname(file), target)),
  );
}

/** A way from the file back to itself. */
function circleFrom(file: string, path: string[], imports: Map<string, string[]>): string[] | undefined {
  if (path.includes(file)) return path[0] === file ? [...path, file] : undefined;
  for (const next of imports.get(file) ?? []) {
    const circle = circleFrom(next, [...path, file], imports);
    if (circle) return circle;
  }
  return undefined;
}
