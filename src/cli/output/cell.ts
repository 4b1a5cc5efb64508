import * as util from 'node:util';
import { wordsOf } from '../../domain/words-of.ts';

/** `red` is overdue, `yellow` is near, `green` is ready. */
export type Tone = 'red' | 'yellow' | 'green';

/** A value that has one form for people, and another for programs. */
export class Cell {
  /** The form in a table. */
  readonly text: string;
  /** The form for programs, as in CSV. */
  readonly data: unknown;
  readonly tone: Tone | undefined;

  constructor(text: string, data: unknown = text, tone?: Tone) {
    this.text = text;
    this.data = data;
    this.tone = tone;
  }

  toString(): string {
    return this.text;
  }
}

/** A code of the service: words for people, and the code for programs. */
export function codeCell<T extends string | null | undefined>(code: T): Cell | T {
  return code ? new Cell(wordsOf(code), code) : code;
}

/**
 * The text in its colour, on a terminal that has colours. To find out whether the terminal has colours, Node reads
 * NO_COLOR and TERM.
 */
export function coloured(text: string, tone: Tone | undefined, { stdout } = process): string {
  if (tone === undefined || stdout.isTTY !== true || stdout.hasColors?.() !== true) return text;
  // Node before 20.12 does not have `styleText`. The text then has no colour.
  return util.styleText?.(tone, text, { validateStream: false }) ?? text;
}
