import { readFileSync } from 'node:fs';
import { description, type Operation, operations } from './description.ts';
import { METHOD_OF } from './exceptions.ts';
import type { Filter } from './list-filters.ts';
import { pascal } from './type-text.ts';

const ENDPOINTS = 'docs/service/endpoints.md';
const FILTERS = 'docs/service/filters.md';
const WEBHOOKS = 'docs/service/webhooks.md';

/**
 * The pages about the service whose tables follow from the description. The text around the tables is written by hand.
 */
export function docsPages(): Record<string, string> {
  return {
    [ENDPOINTS]: tablesReplaced(ENDPOINTS, '| Method | Request | Takes |', endpointRows),
    [WEBHOOKS]: tablesReplaced(WEBHOOKS, '| Event | Means | Is about |', eventRows),
    [FILTERS]: filtersPage(),
    'docs/service/contradictions.md': contradictions(),
  };
}

/** Replaces the rows of each table that has this head. `rowsOf` makes the new rows from the old rows. */
function tablesReplaced(path: string, head: string, rowsOf: (rows: string[]) => string[]): string {
  return replaced(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), head, rowsOf);
}

function rowsIn(page: string, head: string, rows: string[]): string {
  return replaced(page, head, () => rows);
}

function replaced(page: string, head: string, rowsOf: (rows: string[]) => string[]): string {
  const [before = '', ...parts] = page.split(`${head}\n`);
  const tables = parts.map(part => {
    const [line = '', ...lines] = part.split('\n');
    const end = lines.findIndex(text => !text.startsWith('|'));
    return [head, line, ...rowsOf(lines.slice(0, end)), ...lines.slice(end)].join('\n');
  });
  return [before, ...tables].join('');
}

/** The operations of the groups in the table. Operations that were already in the table keep their order. */
function endpointRows(rows: string[]): string[] {
  const shown = rows.map(row => /`([\w.]+)`/.exec(row)?.[1] ?? '');
  const groups = new Set(shown.map(groupOf));
  const named = operations.filter(({ name }) => !(name in METHOD_OF) && name !== 'directUploads.put');
  const found = named.filter(({ name }) => groups.has(groupOf(name)));
  const place = ({ name }: Operation) => (shown.includes(name) ? shown.indexOf(name) : shown.length);
  return found
    .toSorted((one, other) => place(one) - place(other))
    .map(operation => `| \`${operation.name}\` | \`${operation.method} ${operation.path}\` | ${takes(operation)}|`);
}

/** The group of an operation: `shipments.customFields.set` belongs to the custom fields. */
function groupOf(name: string): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name;
}

function takes({ query, filters, include, body, note, feature, bucket }: Operation): string {
  const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => `\`${name}\``).join(', ');
  const parts = [
    include && '`include`',
    filters && `[\`filter\`](filters.md#${filters.name.replaceAll('_', '')})`,
    names(query.filter(({ name }) => !/^(page|filter)\[/.test(name))),
    names([...(body?.attributes ?? []), ...(body?.relationships ?? [])]),
    feature && 'paid',
    bucket && `budget \`${bucket}\``,
  ].filter(Boolean);
  const text = [parts.join('; '), note].filter(Boolean).join('. ');
  return text && `${text} `;
}

/**
 * The page with the tables. Each set of filters has a table under the name of its type, and the orders have one table.
 */
function filtersPage(): string {
  const filters = [...description.filters.values()];
  const page = filters.reduce(
    (text, { name, filters }) => rowsIn(text, `| \`${pascal(name)}\` | Takes | Records |`, filters.map(filterRow)),
    readFileSync(new URL(`../../${FILTERS}`, import.meta.url), 'utf8'),
  );
  const orders = [...description.sorts.values()].map(({ name, tokens, alone, most }) => {
    const all = [...tokens, ...alone].map(token => `\`${token}\``).join(' ');
    return `| \`${pascal(name)}\` | ${most} | ${all} |`;
  });
  return rowsIn(page, '| Type | Tokens at once | Tokens |', orders);
}

function filterRow({ name, kind, type, known, doc }: Filter): string {
  const values = known?.map(value => `\`${value}\``).join(', ') ?? (type && `\`${pascal(type)}\``);
  return `| \`${name}\` | ${kind.replaceAll('_', ' ')}${values ? `: ${values}` : ''} | ${doc} |`;
}

function eventRows(): string[] {
  return description.events.map(({ name, doc, about }) => `| \`${name}\` | ${doc} | \`${about}\` |`);
}

function contradictions(): string {
  const sections = description.contradictions.map(({ title, about, doc }) => {
    const names = about.map(name => `\`${name}\``).join(', ');
    return `## ${title}\n\n${names && `About ${names}.\n\n`}${doc}\n`;
  });
  return `# Contradictions

In some points, the sources disagree with each other or with what was seen. Each section describes one
point, and what the SDK does.

${sections.join('\n')}`;
}
