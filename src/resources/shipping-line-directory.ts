import { findShippingLine, type ShippingLineMatch } from '../domain/find-shipping-line.ts';
import { requiredText } from '../internal/arguments.ts';
import { Cached } from '../internal/cached.ts';
import type { ShippingLine } from '../records/shipping-line.ts';

const HOUR_MS = 3_600_000;

/** The carriers, read at most once an hour for all callers. A chunk that is loaded with the first look-up. */
export class ShippingLineDirectory {
  readonly #lines: Cached<ShippingLine[]>;

  constructor(read: () => Promise<ShippingLine[]>) {
    this.#lines = new Cached(read, HOUR_MS);
  }

  async find(text: string, signal: AbortSignal | undefined): Promise<ShippingLineMatch<ShippingLine>> {
    requiredText('The carrier', text);
    // Copies, so that a caller who changes one does not change it for all.
    return structuredClone(findShippingLine(await this.#lines.get(signal), text));
  }

  async byScac(scac: string, signal: AbortSignal | undefined): Promise<ShippingLine | undefined> {
    const { line, matchedBy } = await this.find(requiredText('scac', scac), signal);
    return matchedBy === 'name' ? undefined : line;
  }
}
