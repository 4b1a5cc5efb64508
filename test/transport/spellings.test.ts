import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Redactor, Spellings } from '../../src/transport/redact.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const redactorOf = (...secrets: string[]) => new Redactor(secrets.map(secret => new Spellings(secret)));

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const html = (write: (char: string, code: number) => string) => (text: string) =>
  text.replace(/[^a-z0-9\s]/gi, char => write(char, char.charCodeAt(0)));

/** Ways to write a text inside another text. */
const WRITERS: Record<string, (text: string) => string> = {
  'as it is': text => text,
  'in upper case': text => text.toUpperCase(),
  'in an address': encodeURIComponent,
  'in HTML by name': html(char => NAMES[char] ?? char),
  'in HTML by number': html((_, code) => `&#${code};`),
  'in HTML by hexadecimal number': html((_, code) => `&#x00${code.toString(16).toUpperCase()};`),
  'in JSON': text => JSON.stringify(text).slice(1, -1),
  'in JSON with slashes escaped': text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'in JSON by number': html((_, code) => `\\u00${code.toString(16).padStart(2, '0')}`),
  'in a script': html((_, code) => `\\x${code.toString(16).padStart(2, '0')}`),
  'in base64': text => Buffer.from(text).toString('base64'),
  'in base64url': text => Buffer.from(text).toString('base64url'),
};
const [plain, ...escaping] = Object.keys(WRITERS).filter(name => !name.includes('base64') && !name.includes('upper'));

const token = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 12,
  maxLength: 60,
});
const around = fc.string({ unit: fc.constantFrom(...'abc 019:/"\'<>&%+=\\{}'), maxLength: 12 });

/** True if the text contains the secret, in upper or lower case. */
function remains(text: string, secret: string): boolean {
  return text.toLowerCase().includes(secret.toLowerCase());
}

describe('a credential is masked in any text', () => {
  test.each(Object.entries(WRITERS))('in the spelling: %s', (name, write) => {
    fc.assert(
      fc.property(token, around, around, (secret, before, after) => {
        const masked = redactorOf(secret).text(write(`${before}${secret}${after}`));
        expect(masked).toContain('[credential]');
        expect(remains(masked, secret)).toBe(false);
        if (!name.includes('base64')) {
          expect(remains(masked, write(secret))).toBe(false);
          return;
        }
        // The base64 text of the credential, without the characters that also depend on the text around it.
        for (const shift of [0, 1, 2]) {
          const own = write(`${'\0'.repeat(shift)}${secret}`).slice(4, -4);
          expect(masked).not.toContain(own);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('that is escaped in one way, and then escaped again in another way', () => {
    const writers = fc.array(fc.constantFrom(plain as string, ...escaping), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(token, around, around, writers, (secret, before, after, names) => {
        const write = (text: string) =>
          names.reduce((text, name) => (WRITERS[name] as (text: string) => string)(text), text);
        const masked = redactorOf(secret).text(write(`${before}${secret}${after}`));
        expect(masked).toContain('[credential]');
        expect(remains(masked, write(secret))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('that also contains the credentials of other attempts', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 2, maxLength: 5 }), around, (secrets, between) => {
        const masked = redactorOf(...secrets).text(secrets.join(between));
        for (const secret of secrets) expect(remains(masked, secret)).toBe(false);
      }),
    );
  });

  test.each([
    ['two overlapping credentials', 'abcabcabcabc', 'xabcabcabcabcabcx', 'x[credential]x'],
    ['two adjacent credentials', 'abcdefgh', 'abcdefghABCDEFGH', '[credential][credential]'],
    ['a credential after its own beginning', 'xyxyxyxyxyxyxyxyz', `xy${'xy'.repeat(8)}z`, '[credential]'],
    ['a credential of escapes', '%41%42%43%44', '%41%42%43%44', '[credential]'],
    ['a credential beside letters that are longer in lower case', 'abcdefgh', 'İİABCDEFGHİ', 'İİ[credential]İ'],
    ['a credential that ends in an escape', 'abcdefg"', 'a \\"abcdefg\\"\\n', 'a \\"[credential]\\n'],
  ])('%s', (_, secret, text, masked) => {
    expect(redactorOf(secret).text(text)).toBe(masked);
  });
});

test('tokens of 16 kB are masked in every spelling', () => {
  const tokens = [7, 11, 13].map(step =>
    String.fromCharCode(...Array.from({ length: 16_384 }, (_, i) => 33 + ((i * i + step * i) % 94))),
  );
  const text = tokens.map(token => `<b>${WRITERS['in HTML by number']?.(token)}</b>`).join('');
  expect(redactorOf(...tokens).text(text)).toBe('<b>[credential]</b>'.repeat(3));
});

test('a text without a credential does not change, and its escapes also stay', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), text => {
      expect(redactorOf('a-key-that-nobody-writes').text(text)).toBe(text);
    }),
  );
});

describe('masking takes linear time', () => {
  const random = (length: number) => {
    let state = length;
    const next = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return 'abcdefghijklmnopqrstuvwxyz'[Math.floor(state / 65_536) % 26];
    };
    return Array.from({ length }, next).join('');
  };
  const long = `${random(8000)}.${random(8192).split('').reverse().join('')}`;

  /** Number of characters that were inspected. */
  function cost(secrets: string[], text: string): number {
    const redactor = redactorOf(...secrets);
    // This call creates the spellings, so that the count does not include this work.
    redactor.text(`${secrets.join(' ')} %41`);
    const read = vi.spyOn(String.prototype, 'charCodeAt');
    const search = vi.spyOn(String.prototype, 'indexOf');
    redactor.text(text);
    const calls = read.mock.calls.length;
    expect(Math.max(0, ...search.mock.calls.map(([what]) => what.length))).toBeLessThanOrEqual(16);
    vi.restoreAllMocks();
    return calls;
  }

  test.each<[string, string[], (length: number) => string]>([
    ['a text with many beginnings of the credential', [long], n => long.slice(0, 4000).repeat(n / 4000)],
    [
      'a text that nearly equals the credential',
      [long],
      n => `${long.slice(0, -1)}\n`.repeat(Math.ceil(n / long.length)),
    ],
    ['a text of backslashes', [`\\\\\\\\\\\\\\\\${long}`], n => '\\'.repeat(n)],
    ['a text of many digits', [long], n => '&#0'.repeat(n / 3) + '0'.repeat(n)],
  ])('for %s', (_, secrets, text) => {
    const [once, twice] = [cost(secrets, text(40_000)), cost(secrets, text(80_000))];
    expect(twice).toBeLessThanOrEqual(2.5 * once + 100);
    expect(twice).toBeLessThanOrEqual(30 * 80_000);
  });
});
