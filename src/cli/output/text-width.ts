import { eastAsianWidth } from 'get-east-asian-width';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{RI})/u;
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}]*$/u;

/** The number of terminal columns that a text takes: two for an East Asian character and for an emoji. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return EMOJI.test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) as number, { ambiguousAsWide: false });
}

/** Cuts a text to at most this width in columns. A text that is cut ends with an ellipsis. */
export function cut(text: string, width: number): string {
  return textWidth(text) > width ? `${headOf(text, width - 1)}…` : text;
}

/** Breaks a text into lines of at most this width in columns. */
export function lines(text: string, width: number): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const head = headOf(rest, width);
    const isCut = head.length < rest.length && rest[head.length] !== ' ';
    const space = isCut ? head.lastIndexOf(' ') : -1;
    const line = space > 0 ? head.slice(0, space) : head;
    found.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return found.length > 0 ? found : [''];
}

/** The beginning of a text that fits the width; at least one character. */
function headOf(text: string, width: number): string {
  let head = '';
  let left = width;
  for (const { segment } of SEGMENTER.segment(text)) {
    left -= graphemeWidth(segment);
    if (left < 0 && head !== '') break;
    head += segment;
  }
  return head;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
