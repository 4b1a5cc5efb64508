import type { FilterKind } from '../../src/model/filter-rules.ts';
import { description, operations } from './description.ts';
import type { Filter, FilterSet, Sort } from './list-filters.ts';
import { comment, literals, pascal } from './type-text.ts';

const TYPES: Record<FilterKind, (values: string) => string> = {
  text: values => (values === '' ? 'TextFilter' : `TextFilter<${values} | UnknownValue>`),
  literal: () => 'AnyOf<string>',
  code: () => 'AnyOf<string>',
  search: () => 'string',
  one: values => (values === '' ? 'string' : `${values} | UnknownValue`),
  day: () => 'DayFilter',
  instant: () => 'InstantFilter',
  since: () => 'SinceFilter',
  span: () => 'TimeSpan',
  window: () => 'DayWindow',
  flag: () => 'boolean',
  only_true: () => 'true',
  tags: () => 'AnyOf<string>',
  party: () => 'PartyFilter',
  roles: values => `RoleFilter<${values}>`,
  custom_fields: () => 'Readonly<Record<string, CustomFieldValueFilter | undefined>>',
};

/** The filters and the orders of the lists, as types. */
export function filterTypes(): string {
  const text = [
    ...[...description.filters.values()].map(filterText),
    ...[...description.sorts.values()].map(sortText),
  ].join('\n');
  const named = (file: string, names: readonly string[]) => {
    const used = names.filter(name => new RegExp(`\\b${name}\\b`).test(text));
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${file}';\n` : '';
  };
  const types = [...description.types.keys()].map(pascal).sort();
  const values = [...new Set(Object.values(TYPES).flatMap(write => write('X').match(/\b[A-Z]\w+\b/g) ?? []))];
  const imports = [
    named('../filter-values.ts', values.filter(name => name !== 'Readonly' && name !== 'Record').sort()),
    named('./records.ts', types),
  ];
  return `${imports.join('')}\n${text}`;
}

function filterText({ name, doc, filters }: FilterSet): string {
  const members = filters.map(
    filter => `${comment(filter.doc)}${filter.name}?: ${TYPES[filter.kind](valuesText(filter))} | undefined;`,
  );
  return `${comment(doc)}export interface ${pascal(name)} {\n${members.join('\n')}\n}\n`;
}

/** The known values as a closed type: the type of the attribute itself may be open. */
function valuesText(filter: Filter): string {
  const { type } = filter;
  const named = type === undefined ? undefined : description.types.get(type);
  if (type !== undefined && named?.kind === 'values' && named.closed) return pascal(type);
  const known = knownValues(filter);
  return known ? literals(known) : '';
}

function sortText({ name, doc, most, alone, ...sort }: Sort): string {
  const order = `${pascal(name)}Order`;
  const several = Array.from({ length: most }, (_, index) => (index === 0 ? order : `${order}?`)).join(', ');
  const single = alone.length > 0 ? `${literals(alone)} | ` : '';
  return [
    `${comment(doc)}export type ${pascal(name)} = ${single}${order} | readonly [${several}];\n`,
    `/** One of the tokens of \`${pascal(name)}\`. */\nexport type ${order} = ${literals(tokensOf(sort))};\n`,
  ].join('\n');
}

function tokensOf({ tokens, refused }: Pick<Sort, 'tokens' | 'refused'>): string[] {
  return tokens.flatMap(token => [token, `-${token}`]).filter(token => !(token in refused));
}

/** The filters and orders of the lists, as data that requests are checked against. */
export function filterRules(): string {
  const sets = [...description.filters.values()].map(({ name, filters, refused }) => {
    const keys = filters.map(filter => {
      const values = knownValues(filter);
      return `${filter.name}: ${values ? `['${filter.kind}', ${literals(values, ', ')}]` : `'${filter.kind}'`},`;
    });
    return `const ${upper(name)}: FilterRules = { keys: {\n${keys.join('\n')}\n}${refusedText(refused)} };\n`;
  });
  const orders = [...description.sorts.values()].map(({ name, tokens, alone, refused, most }) => {
    const both = tokens.filter(token => !(token in refused));
    const single = [...tokensOf({ tokens, refused }).filter(token => !both.includes(token.replace('-', ''))), ...alone];
    const rows = [
      `tokens: [${literals(both, ', ')}]`,
      `alone: [${literals(single, ', ').replace('never', '')}]`,
      `most: ${most}`,
    ];
    return `const ${upper(name)}: SortRules = { ${rows.join(', ')}${refusedText(refused)} };\n`;
  });
  const lists = operations
    .filter(({ filters, sort }) => filters ?? sort)
    .map(({ name, filters, sort }) => {
      const parts = [filters && `filter: ${upper(filters.name)}`, sort && `sort: ${upper(sort.name)}`].filter(Boolean);
      return `'${name}': { ${parts.join(', ')} },`;
    });
  return `import type { FilterRules, SortRules } from '../filter-rules.ts';

${sets.join('\n')}
${orders.join('\n')}
/** The lists that have filters or an order, by their operation. */
export const LISTS: Readonly<Record<string, { filter?: FilterRules; sort?: SortRules }>> = {
${lists.join('\n')}
};
`;
}

function knownValues({ kind, type, known }: Filter): readonly string[] | undefined {
  const named = type === undefined ? undefined : description.types.get(type);
  if (type !== undefined && named?.kind !== 'values') throw new Error(`${type} of a filter (${kind}) has no values`);
  return known ?? (named?.kind === 'values' ? named.values : undefined);
}

function refusedText(refused: Record<string, string>): string {
  const rows = Object.entries(refused).map(([name, reason]) => `${JSON.stringify(name)}: ${JSON.stringify(reason)}`);
  return rows.length > 0 ? `, refused: { ${rows.join(', ')} }` : '';
}

function upper(name: string): string {
  return name.toUpperCase();
}
