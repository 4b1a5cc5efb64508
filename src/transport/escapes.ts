/** A text, possibly with its escapes decoded. */
export interface Reading {
  text: string;
  /** The index of each character in the original text, then the length of that text. Absent for the original text itself. */
  starts?: Uint32Array;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Escapes in URLs, in HTML, and in strings of JSON and JavaScript. First group: a hexadecimal number. Second: anything else. */
const ESCAPES = [
  /%([0-9a-f]{2})/gi,
  /&(?:#x([0-9a-f]+)|#?(\d+|amp|lt|gt|quot|apos));/gi,
  /\\(?:(?:u00|x)([0-9a-f]{2})|([^a-z0-9]))/gi,
];
/** How many times a text may have been escaped. */
const DEPTH = 2;

/** The text itself, then the text with the escapes of each kind decoded, up to `depth` times. */
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
