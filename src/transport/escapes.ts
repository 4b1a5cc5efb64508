/** What a text says. */
export interface Reading {
  text: string;
  /** Where each of its characters begins in the text as it was given, and where that ends; nothing where both are one. */
  starts?: Uint32Array;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Escapes of an address, of HTML, and of a text in JSON or in a script: a number in base 16, or else what it stands for. */
const ESCAPES = [
  /%([0-9a-f]{2})/gi,
  /&(?:#x([0-9a-f]+)|#?(\d+|amp|lt|gt|quot|apos));/gi,
  /\\(?:(?:u00|x)([0-9a-f]{2})|([^a-z0-9]))/gi,
];
/** How many writers may have escaped it, one after the other. */
const DEPTH = 2;

/** The text as it is, and without the escapes of each kind, also where one writer has escaped what another wrote. */
export function* readings(reading: Reading, depth = DEPTH): Generator<Reading> {
  yield reading;
  if (depth === 0) return;
  for (const pattern of ESCAPES) {
    const plain = unescaped(reading, pattern);
    if (plain) yield* readings(plain, depth - 1);
  }
}

function unescaped({ text, starts: before }: Reading, pattern: RegExp): Reading | undefined {
  if (text.search(pattern) === -1) return undefined;
  const starts = new Uint32Array(text.length + 1);
  let [result, length, end] = ['', 0, 0];
  const add = (part: string, at: number) => {
    for (let i = 0; i <= part.length; i++) starts[length + i] = before ? (before[at + i] as number) : at + i;
    length += part.length;
    result += part;
  };
  for (const { 0: escaped, 1: hex, 2: other = '', index } of text.matchAll(pattern)) {
    add(text.slice(end, index), end);
    add(
      hex ? character(Number.parseInt(hex, 16)) : (NAMED[other.toLowerCase()] ?? (+other ? character(+other) : other)),
      index,
    );
    end = index + escaped.length;
  }
  add(text.slice(end), end);
  return { text: result, starts };
}

const character = (code: number) => String.fromCharCode(code);
