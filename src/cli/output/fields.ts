import { hintOf } from '../../internal/meant-name.ts';
import { spelled } from '../../internal/spelled.ts';
import { isRecord } from '../../jsonapi/document.ts';
import { wrongUsage } from '../command.ts';

/** The name of a field in the record. The given name may be spelled in another way. */
function ownName(record: object, name: string): string | undefined {
  if (Object.hasOwn(record, name)) return name;
  const wanted = spelled(name);
  return Object.keys(record).find(each => spelled(each) === wanted);
}

/** Fields that name a record, the best first. */
const LABELS = ['bill_of_lading_number', 'number', 'request_number', 'company_name', 'name', 'label', 'event', 'id'];

/** The text that stands for a related record in a table. */
export function labelOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(labelOf);
  if (!isRecord(value)) return value;
  const name = LABELS.find(each => typeof value[each] === 'string');
  return name === undefined ? value : value[name];
}

/** The value at a path. If there is a list on the path, the result has the values of all its records. */
export function relatedOf(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.flatMap(item => relatedOf(item, [name, ...rest]));
  return isRecord(value) ? relatedOf(value[ownName(value, name) ?? name], rest) : undefined;
}

/** False if a record on the path has no such field. */
export function hasField(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.every(item => hasField(item, path));
  const own = isRecord(value) ? ownName(value, name) : undefined;
  return own !== undefined && hasField((value as Record<string, unknown>)[own], rest);
}

/**
 * The value at a path. A list on the path stays a list, with one value for each record.
 *
 * @param others other names that the user may have meant.
 * @throws {CommandError} if a record has no such field.
 */
export function fieldOf(value: unknown, [name, ...rest]: string[], others: readonly string[] = []): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map(item => fieldOf(item, [name, ...rest]));
  const own = isRecord(value) ? ownName(value, name) : undefined;
  if (own !== undefined) return fieldOf((value as Record<string, unknown>)[own], rest);
  const known = Object.keys(Object(value));
  const hint = hintOf(name, [...known, ...others]);
  const all = others.length > 0 ? `${others.join(', ')}, and the fields of the record` : known.join(', ');
  throw wrongUsage(`There is no field ${name}.${hint || ` There are: ${all}.`}`);
}
