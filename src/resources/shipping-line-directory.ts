import { findShippingLine, type ShippingLineMatch } from '../domain/find-shipping-line.ts';
import { optionalSignal, requiredText } from '../internal/arguments.ts';
import { Cached } from '../internal/cached.ts';
import type { ShippingLine } from '../model/index.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';

const HOUR_MS = 3_600_000;

interface LookUpOptions {
  signal?: AbortSignal | undefined;
}

/**
 * The carriers, read at most once an hour for all callers. This module is a separate chunk, which is loaded with the
 * first look-up.
 */
export class ShippingLineDirectory {
  readonly #lines: Cached<ShippingLine[]>;

  constructor(group: { list(options: ListOptions): List<ShippingLine> }) {
    // Lists have the priority `bulk` by default, but a caller waits for this list.
    this.#lines = new Cached(() => group.list({ pageSize: 100, priority: 'interactive' }).toArray(), HOUR_MS);
  }

  async find(text: string, options: LookUpOptions = {}): Promise<ShippingLineMatch<ShippingLine>> {
    requiredText('The carrier', text);
    const signal = optionalSignal(options?.signal);
    // This is a copy, so that a change by one caller does not affect the other callers.
    return structuredClone(findShippingLine(await this.#lines.get(signal), text));
  }

  async byScac(scac: string, options?: LookUpOptions): Promise<ShippingLine | undefined> {
    const { line, matchedBy } = await this.find(requiredText('scac', scac), options);
    return matchedBy === 'name' ? undefined : line;
  }
}
