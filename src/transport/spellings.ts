import { readings } from './escapes.ts';

/** A part of a text. `end` is exclusive. */
export type Span = [start: number, end: number];

/** What may not be shown. */
export interface Secret {
  /** What to search for in a text of this length; nothing if the text cannot contain it. */
  fittingIn(length: number): readonly Needle[];
}

/** What is searched for in a text. */
export interface Needle {
  /** @param text in lower case. */
  spans(text: string): Span[];
}

/** A shorter secret may be part of an ordinary word, so only whole words are compared with it. */
const LONG_SECRET = 8;
/** The search looks for this many first characters of a spelling. A text that contains them contains a part of the credential. */
const PREFIX = 16;

/** Where secrets are in a text. The time is linear in the length of the text, whatever it contains. */
export function spansOf(secrets: readonly Secret[], given: string): Span[] {
  const spans: Span[] = [];
  const needles = secrets.flatMap(secret => secret.fittingIn(given.length));
  if (needles.length === 0) return spans;
  for (const { text, starts } of readings({ text: given })) {
    const lower = lowerCase(text);
    for (const needle of needles) {
      for (const [start, end] of needle.spans(lower)) {
        spans.push(starts ? [starts[start] as number, starts[end] as number] : [start, end]);
      }
    }
  }
  return spans;
}

/** A secret in plain text and in base64. */
export class Spellings implements Secret {
  readonly #secret: string;
  #needles: Needle[] | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  fittingIn(length: number): readonly Needle[] {
    const secret = this.#secret;
    if (secret === '' || secret.length > length) return [];
    this.#needles ??=
      secret.length < LONG_SECRET
        ? [new Spelling(secret, true)]
        : [secret, ...inBase64(secret)].map(spelling => new Spelling(spelling));
    return this.#needles;
  }
}

/** One spelling. Upper and lower case are equal. */
class Spelling implements Needle {
  readonly #text: string;
  readonly #prefix: string;
  readonly #isWord: boolean;

  constructor(text: string, isWord = false) {
    this.#text = lowerCase(text);
    this.#prefix = this.#text.slice(0, PREFIX);
    this.#isWord = isWord;
  }

  /** Finds each occurrence of the prefix. A span goes as far as the text is equal to the spelling. */
  spans(text: string): Span[] {
    const spans: Span[] = [];
    for (let start = text.indexOf(this.#prefix); start !== -1; start = text.indexOf(this.#prefix, start + 1)) {
      let end = start + this.#prefix.length;
      while (end - start < this.#text.length && text.charCodeAt(end) === this.#text.charCodeAt(end - start)) end += 1;
      if (!(this.#isWord && isInWord(text, start, end))) spans.push([start, end]);
    }
    return spans;
  }
}

function isInWord(text: string, start: number, end: number): boolean {
  return /[a-z0-9]/.test(text.charAt(start - 1) + text.charAt(end));
}

/** The part of a secret that base64 always shows, for each of the three offsets at which the secret may begin. */
export function inBase64(secret: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(secret), byte => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap(shift => {
    const text = btoa('\0'.repeat(shift) + bytes);
    const own = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Keeps the index of each character: in lower case, a few letters outside ASCII become two characters. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, part => part.toLowerCase());
}
