import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createMd5, createPlainMd5, type Md5 } from '../../src/documents/checksum.ts';

afterEach(() => vi.unstubAllGlobals());

const hex = async (md5: Md5) => Buffer.from(await md5.digest()).toString('hex');
const expected = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

test('MD5 creates the digests of the test vectors in RFC 1321', async () => {
  const vectors: [string, string][] = [
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a', '0cc175b9c0f1b6a831c399e269772661'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    [
      '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
      '57edf4a22be3c955ac49da2e2107b67a',
    ],
  ];
  for (const [text, digest] of vectors) {
    const md5 = createPlainMd5();
    md5.update(new TextEncoder().encode(text));
    expect(await hex(md5)).toBe(digest);
  }
});

test('MD5 creates the same digest as node:crypto for any bytes, in pieces of any length', async () => {
  const cut = fc.tuple(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat({ max: 130 }), { maxLength: 12 }));
  await fc.assert(
    fc.asyncProperty(cut, async ([bytes, lengths]) => {
      const md5 = createPlainMd5();
      let start = 0;
      for (const length of lengths) {
        md5.update(bytes.slice(start, start + length));
        start += length;
      }
      md5.update(bytes.slice(start));
      return isDeepStrictEqual(await hex(md5), expected(bytes));
    }),
    { numRuns: 2000 },
  );
});

test('MD5 is right for every length from 0 to 260 bytes', async () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
    const md5 = createPlainMd5();
    md5.update(bytes);
    expect([length, await hex(md5)]).toEqual([length, expected(bytes)]);
  }
});

test('MD5 accepts pieces that begin anywhere in their buffer', async () => {
  const buffer = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) & 255);
  for (let offset = 0; offset < 9; offset++) {
    const md5 = createPlainMd5();
    md5.update(buffer.subarray(offset, 900));
    expect(await hex(md5)).toBe(expected(buffer.subarray(offset, 900)));
  }
});

test('MD5 accepts more than 512 MiB, although the number of bits exceeds 32 bits', { timeout: 60_000 }, async () => {
  const piece = new Uint8Array(2 ** 24).fill(9);
  const [plain, native] = [createPlainMd5(), createHash('md5')];
  for (let i = 0; i < 33; i++) {
    plain.update(piece);
    native.update(piece);
  }
  expect(await hex(plain)).toBe(native.digest('hex'));
});

test('the source text of MD5 runs without its module, as in a worker', async () => {
  // The worker evaluates the source text in the same way.
  const alone = new Function(`return (${createPlainMd5})()`)() as Md5;
  alone.update(new TextEncoder().encode('abc'));
  expect(await hex(alone)).toBe('900150983cd24fb0d6963f7d28e17f72');
});

test('the MD5 in JavaScript is used if node:crypto does not have MD5, as in FIPS mode', async () => {
  const bytes = new TextEncoder().encode('abc');
  const getBuiltinModule = () => ({
    createHash() {
      throw new Error('unsupported');
    },
  });
  vi.stubGlobal('process', { ...process, getBuiltinModule });
  const md5 = createMd5();
  md5.update(bytes);
  expect(await hex(md5)).toBe('900150983cd24fb0d6963f7d28e17f72');
});
