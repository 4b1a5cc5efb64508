import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOGUE, differences, errorCatalogue } from '../scripts/error-catalogue.ts';
import { type ErrorClass, errorClasses, packageSources } from '../support/errors/source-codes.ts';

const ERRORS = `
  export class TrackingError extends Error {
    readonly code: string;
    constructor(message: string, options: { code: string; cause?: unknown }) {
      super(message);
      this.code = options.code;
    }
  }
  export class Base extends TrackingError {
    constructor(message: string, code = 'by_default') {
      super(message, { code });
    }
  }
  export class Own extends Base {
    constructor() {
      super('', 'own');
    }
  }
  export class Optional extends TrackingError {
    constructor(options: { code?: string } = {}) {
      super('', { code: options.code ?? 'otherwise' });
    }
  }
  export class Inherits extends Optional {}
  export class Narrow extends TrackingError {
    constructor(options: { code: 'a' | 'b'; limit?: number }) {
      super('', options);
    }
  }
`;

let classes: ReadonlyMap<string, ErrorClass>;
let folder: string;

beforeAll(() => {
  classes = errorClasses(packageSources());
  folder = mkdtempSync(join(tmpdir(), 'errors-'));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('docs/reference/errors.md is made from the sources: node scripts/error-catalogue.ts writes it', () => {
  expect(errorCatalogue(classes)).toBe(readFileSync(CATALOGUE, 'utf8'));
});

test('a code that the sources get needs a cause and a remedy', () => {
  const added = new Map(classes).set('FloodError', {
    name: 'FloodError',
    parent: 'TrackingError',
    entries: [],
    fields: [],
    codes: new Map([['flooded', ['src/flood.ts']]]),
  });
  expect(differences(added)).toEqual(['- FloodError flooded: no cause and no remedy']);
  expect(() => errorCatalogue(added)).toThrow('FloodError flooded');
});

test('a code that the sources lose is noticed, and so are words of the MCP server', () => {
  const fewer = new Map(classes);
  fewer.delete('QueueError');
  expect(differences(fewer)).toContain('- QueueError queue_full: nothing in src/ constructs it');
  expect(differences(classes, ['flooded'])).toContain('- MCP server, flooded: no cause and no remedy');
});

describe('the codes of a construction are found', () => {
  const CASES: [how: string, code: string, found: string[]][] = [
    ['a literal', `new TrackingError('', { code: 'x' })`, ['x']],
    ['either of two', `new TrackingError('', { code: Math.random() > 0 ? 'x' : 'y' })`, ['x', 'y']],
    ['the default of a parameter', `new Base('')`, ['by_default']],
    ['an argument in place of the default', `new Base('', 'given')`, ['given']],
    ['a subclass with its own', `new Own()`, ['own']],
    ['an option that was left out', `new Optional()`, ['otherwise']],
    ['an option that was given', `new Optional({ code: 'x' })`, ['x']],
    ['a class without a constructor', `new Inherits({ code: 'x' })`, ['x']],
    ['the type of a variable', `((code: 'a' | 'b') => new Narrow({ code, limit: 1 }))('a')`, ['a', 'b']],
    ['an object with it', `const limited = { code: 'a', limit: 1 } as const; new Narrow({ ...limited })`, ['a']],
    ['no error of the package', `class Other extends Error {}; new Other('x'); new Map()`, []],
  ];
  let found: Map<string, string[]>;

  // One program for all of them, since the library of the compiler takes most of the time.
  beforeAll(() => {
    found = codesIn(CASES.map(([, code]) => code));
  }, 120_000);

  test.each(CASES)('%s', (_, code, codes) => {
    expect(found.get(code)).toEqual(codes);
  });

  test('a code that is only known at run time is refused, with its place', () => {
    const code = `new TrackingError('', { code: String(Math.random()) })`;
    expect(() => codesIn([code])).toThrow(/The code of TrackingError is not known at .*case-0\.ts:2/);
  }, 120_000);
});

/** The codes that each of some programs constructs. */
function codesIn(programs: readonly string[]): Map<string, string[]> {
  writeFileSync(join(folder, 'errors.ts'), ERRORS);
  const file = (index: number) => join(folder, `case-${index}.ts`);
  const imports = `import { Base, Inherits, Narrow, Optional, Own, TrackingError } from './errors.ts';\n`;
  for (const [index, code] of programs.entries()) writeFileSync(file(index), imports + code);
  const entries = Object.fromEntries(programs.map((_, index) => [`case-${index}`, file(index)]));
  const codes = [...errorClasses(entries).values()].flatMap(({ codes }) => [...codes]);
  return new Map(
    programs.map((code, index) => [
      code,
      codes.filter(([, places]) => places.some(place => place.endsWith(`case-${index}.ts`))).map(([name]) => name),
    ]),
  );
}
