import { isDeepStrictEqual } from 'node:util';
import type { Truth } from './truth.ts';
import { type Read, recordDifferences } from './truth.ts';

/** A row of a table, by the names of its columns. */
export type Row = Record<string, unknown>;

/** Reads all rows of a table. */
export type ReadTable = (table: string) => Promise<Row[]>;

/** The tables of sync, each with the type of its records. */
export const TABLES: Readonly<Record<string, string>> = {
  shipment: 'shipments',
  container: 'containers',
  transport_event: 'transport_events',
  tracking_request: 'tracking_requests',
  port: 'ports',
  terminal: 'terminals',
  rail_terminal: 'rail_terminals',
  metro_area: 'metro_areas',
  vessel: 'vessels',
  party: 'parties',
  document: 'documents',
  custom_field_definition: 'custom_field_definitions',
  custom_field: 'custom_fields',
};

const BOOKKEEPING = ['id', 'record', 'as_of', 'deleted_at'];
/** The columns that sync computes from several fields. Only their presence in the tables is compared. */
const COMPUTED = [
  ...['last_free_day', 'ready_for_pickup', 'stage', 'pickup', 'last_free_day_source', 'last_free_day_timezone'],
];

/** The rows of all tables, by `<type> <id>`. */
export async function rowsOf(readTable: ReadTable): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for (const [type, table] of Object.entries(TABLES)) {
    for (const row of await readTable(table)) rows.set(`${type} ${row.id}`, row);
  }
  return rows;
}

/** The differences between every table and the service: of the records, and of each column that has its own value. */
export async function tableDifferences(read: Read, truth: Truth, rows: ReadonlyMap<string, Row>): Promise<string[]> {
  const records = new Map(
    [...rows].map(([key, row]) => [key, row.deleted_at === null ? (parsed(row.record) as object) : null]),
  );
  const found = await recordDifferences(read, truth, records);
  for (const [key, row] of rows) {
    const record = truth.get(key);
    if (row.deleted_at !== null || !record) continue;
    if (row.as_of === null) found.push(`${key} has no time`);
    for (const [column, value] of Object.entries(row)) {
      if (BOOKKEEPING.includes(column) || COMPUTED.includes(column)) continue;
      const expected = expectedIn(column, record);
      if (isSame(value, expected)) continue;
      found.push(`${key} column ${column}: ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`);
    }
  }
  return found;
}

/** The value of an attribute, or the id or type of a related record. */
function expectedIn(column: string, record: Record<string, unknown>): unknown {
  if (Object.hasOwn(record, column)) {
    const value = record[column];
    return Array.isArray(value) && value.every(isReference) ? value.map(({ id }) => id) : value;
  }
  const [, relationship = '', part = ''] = /^(.+)_(id|type)$/.exec(column) ?? [];
  const related = record[relationship];
  return isReference(related) ? related[part as 'id' | 'type'] : undefined;
}

function isReference(value: unknown): value is { id: string; type: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
}

/** Databases have their own forms of times, booleans and nested values. */
function isSame(stored: unknown, expected: unknown): boolean {
  if (expected === null || expected === undefined) return stored === null;
  if (stored === null) return false;
  if (typeof expected === 'boolean')
    return stored === expected || stored === Number(expected) || stored === String(expected);
  if (typeof expected === 'number') return Number(stored) === expected;
  if (isDeepStrictEqual(parsed(stored), expected) || stored === expected) return true;
  if (typeof expected !== 'string') return false;
  if (typeof stored === 'number') return stored === Number(expected);
  return isTime(expected) && Date.parse(String(stored)) === Date.parse(expected);
}

export function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
