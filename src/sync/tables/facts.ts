import type { ColumnValue } from './kind.ts';
import type { SyncedType } from './names.ts';

/** The values of the fields whose history is stored, at one moment. */
export interface Fact {
  type: SyncedType;
  id: string;
  /** ISO 8601 in UTC. */
  at: string;
  /**
   * The values as text, by their {@link slot}. A field without a value is left out, and a deleted record has no values.
   */
  values: ReadonlyMap<string, string>;
}

/** The fields whose value is a list of named items. Each item has a separate history. */
const ITEMS: Readonly<Record<string, { name: string; text(item: Item): string }>> = {
  holds_at_pod_terminal: { name: 'name', text: ({ status }) => String(status ?? '') },
  fees_at_pod_terminal: {
    name: 'type',
    text: ({ amount, currency_code }) => [amount, currency_code].filter(part => part != null).join(' '),
  },
};

/** Upper bound for the length of a name, because the name is a part of the key of a row. */
const LONGEST_NAME = 100;

type Item = Readonly<Record<string, unknown>>;

/** True if the history has a row for each element of the field. */
export function isItemized(field: string): boolean {
  return Object.hasOwn(ITEMS, field);
}

/** The key of a value: a field, or an element of a list. The name of a field contains no space. */
export function slot(field: string, item: string): string {
  return `${field} ${item}`;
}

export function fieldAndItem(key: string): [field: string, item: string] {
  const end = key.indexOf(' ');
  return [key.slice(0, end), key.slice(end + 1)];
}

export function factValues(fields: readonly string[], values: readonly ColumnValue[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [index, name] of fields.entries()) {
    const value = values[index] ?? null;
    if (value === null) continue;
    const items = itemsOf(name, value);
    if (items) for (const [item, text] of items) texts.set(slot(name, item), text);
    else texts.set(slot(name, ''), typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return texts;
}

/**
 * `undefined` for a list that has another form. Elements with the same name become one element, which has all of their
 * texts.
 */
function itemsOf(field: string, list: ColumnValue): Map<string, string> | undefined {
  const rule = isItemized(field) ? ITEMS[field] : undefined;
  if (!rule || !Array.isArray(list)) return undefined;
  const texts = new Map<string, string[]>();
  for (const item of list as readonly (Item | null)[]) {
    const given = item?.[rule.name];
    if (typeof given !== 'string' || given === '') return undefined;
    const name = [...given].slice(0, LONGEST_NAME).join('');
    texts.set(name, [...(texts.get(name) ?? []), rule.text(item as Item)]);
  }
  return new Map([...texts].map(([name, found]) => [name, [...new Set(found)].sort().join(', ')]));
}
