/** Prints values as Node does: node-inspect-extracted is imported here only. */
import { formatWithOptions, inspect } from 'node-inspect-extracted';

/** A record has relations, which have records: nobody reads all of them. */
const OPTIONS = { depth: 2, maxArrayLength: 20, breakLength: 100, getters: false } as const;

export function printed(...values: unknown[]): string {
  return formatWithOptions(OPTIONS, ...values);
}

export function shown(value: unknown): string {
  return inspect(value, OPTIONS);
}

/** Data, and not a tool: clients, routers and functions say nothing when they are printed. */
export function isData(value: unknown): boolean {
  if (typeof value === 'function' || value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  const kind = Object.prototype.toString.call(value);
  if (/(Map|Set|Date|Array|Error)\]$/.test(kind)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return !Object.values(value).some(each => typeof each === 'function');
}
