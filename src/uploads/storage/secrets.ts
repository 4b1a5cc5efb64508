import { ADDRESSES } from '../../transport/addresses.ts';
import { inBase64, lowerCase, type Needle, type Secret, type Span, Spellings } from '../../transport/spellings.ts';

/** A shorter piece of an address tells nothing: other texts contain it too. */
const PIECE = 6;
/** A shorter part of an address is not searched for. */
const SHORTEST = 4;

/** What errors about signed addresses must not show: their paths and the values of their queries, and every piece of these. */
export function secretsOf(...urls: string[]): Secret[] {
  const parts = urls.flatMap(partsOf);
  const segments = parts.flatMap(part => part.split('/'));
  const short = segments.filter(({ length }) => length >= SHORTEST && length < PIECE);
  return [ADDRESSES, new Pieces(parts), ...short.map(part => new Spellings(part))];
}

/** The names of parameters are ordinary words, such as `Signature`. */
function partsOf(url: string): string[] {
  const { pathname, search, hash } = new URL(url);
  const values = search
    .slice(1)
    .split('&')
    .map(parameter => parameter.slice(parameter.indexOf('=') + 1));
  const parts = [pathname, hash, ...values];
  return [...parts, ...parts.map(decoded), ...parts.map(decoded).map(decoded)];
}

function decoded(part: string): string {
  return part.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Finds every piece of some texts, plain or in base64. */
class Pieces implements Secret, Needle {
  readonly #parts: readonly string[];
  #pieces: ReadonlySet<string> | undefined;

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  fittingIn(length: number): readonly Needle[] {
    return length < PIECE ? [] : [this];
  }

  spans(text: string): Span[] {
    this.#pieces ??= piecesOf(this.#parts);
    const spans: Span[] = [];
    for (let start = 0; start + PIECE <= text.length; start += 1) {
      if (this.#pieces.has(text.slice(start, start + PIECE))) spans.push([start, start + PIECE]);
    }
    return spans;
  }
}

function piecesOf(parts: readonly string[]): Set<string> {
  const pieces = new Set<string>();
  for (const text of parts.flatMap(part => [part, ...inBase64(part)]).map(lowerCase)) {
    for (let start = 0; start + PIECE <= text.length; start += 1) pieces.add(text.slice(start, start + PIECE));
  }
  return pieces;
}
