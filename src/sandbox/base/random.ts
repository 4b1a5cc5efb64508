import { defined } from './checks.ts';

/**
 * Random values of the sandbox depend only on the seed and on names, never on the order of the requests. A container has the
 * same voyage and the same event ids, no matter which record is read first.
 */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  between(min: number, max: number): number;
  /** Both `min` and `max` are possible results. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** A hash of 128 bits (cyrb128). */
function hash(text: string): [number, number, number, number] {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  a ^= b ^ c ^ d;
  return [a >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** A random number generator (sfc32). The parts are the seed of the generator. */
export function createRandom(...parts: (string | number)[]): Random {
  let [a, b, c, d] = hash(parts.join('\n'));

  function next(): number {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  }
  for (let round = 0; round < 12; round++) next();

  return {
    next,
    between: (min, max) => min + next() * (max - min),
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: probability => next() < probability,
    pick<T>(list: readonly T[]): T {
      return defined(list[Math.floor(next() * list.length)]);
    },
  };
}

/** The four hexadecimal digits of a number of 16 bits. Many ids are made: a table is several times faster than a conversion. */
const hex = (word: number) => `${HEX[word >>> 8]}${HEX[word & 0xff]}`;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export interface Ids {
  /** The id that belongs to the parts. Equal parts give the same id. */
  of(...parts: (string | number)[]): string;
  /** A new id of a kind. Each call returns a different id. */
  next(kind: string): string;
  /** The number of ids of each kind that `next` has returned. */
  readonly counters: Map<string, number>;
}

/** @param scope Ids of different scopes are different. */
export function createIds(seed: number, scope = ''): Ids {
  const counters = new Map<string, number>();
  const prefix = scope === '' ? `${seed}\n` : `${seed}\nscope\n${scope}\n`;

  function of(...parts: (string | number)[]): string {
    const [a, b, c, d] = hash(`${prefix}${parts.join('\n')}`);
    // Version 4, variant of the RFC: some readers check both.
    const [version, variant] = [(b & 0xfff) | 0x4000, ((c >>> 16) & 0x3fff) | 0x8000];
    // `join` makes one flat string. A template literal would keep its many parts in memory, for each of a million ids.
    return [
      hex(a >>> 16) + hex(a & 0xffff),
      hex(b >>> 16),
      hex(version),
      hex(variant),
      hex(c & 0xffff) + hex(d >>> 16) + hex(d & 0xffff),
    ].join('-');
  }

  return {
    of,
    counters,
    next(kind) {
      const count = (counters.get(kind) ?? 0) + 1;
      counters.set(kind, count);
      return of(kind, count);
    },
  };
}
