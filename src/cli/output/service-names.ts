import { inSnakeCase } from '../../internal/spelled.ts';
import { isRecord } from '../../jsonapi/document.ts';

/** A value of the library for programs: its fields are spelled like the fields of the service. */
export function withServiceNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withServiceNames);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [inSnakeCase(name), withServiceNames(each)]));
}
