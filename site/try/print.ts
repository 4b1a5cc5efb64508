/** Prints values as Node does. node-inspect-extracted is imported only here. */
import { formatWithOptions, inspect } from 'node-inspect-extracted';

/** The depth is limited, since relations of a record have further records. */
const OPTIONS = { depth: 2, maxArrayLength: 20, breakLength: 100, getters: false } as const;

export function printed(...values: unknown[]): string {
  return formatWithOptions(OPTIONS, ...values);
}

export function shown(value: unknown): string {
  return inspect(value, OPTIONS);
}

/** True for data. Clients, routers and functions are not data: their printed form has no information. */
export function isData(value: unknown): boolean {
  if (typeof value === 'function' || value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  const kind = Object.prototype.toString.call(value);
  if (/(Map|Set|Date|Array|Error)\]$/.test(kind)) return true;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return !Object.values(value).some(each => typeof each === 'function');
}
