import { description, type Field, type NamedType } from './description.ts';
import { namesIn, type TypeNode } from './type-expression.ts';

/**
 * `received`: known values may be extended by the service. `sent`: an unnamed set of values is closed, arrays are read-only and
 * a field that may be left out may be `undefined`.
 */
export type Direction = 'received' | 'sent';

const SCALARS: Record<string, string> = {
  integer: 'number',
  datetime: 'DateTime',
  date: 'CalendarDate',
  json: 'Record<string, unknown>',
};

/** A type of the description in TypeScript. */
export function typeText(node: TypeNode, direction: Direction): string {
  switch (node.kind) {
    case 'union':
      return node.of.map(part => typeText(part, direction)).join(' | ');
    case 'array': {
      const item = typeText(node.of, direction);
      const array = item.includes(' | ') && !item.endsWith('>') ? `(${item})[]` : `${item}[]`;
      return direction === 'sent' ? `readonly ${array}` : array;
    }
    case 'tuple':
      return `[${node.of.map(part => typeText(part, direction)).join(', ')}]`;
    case 'change':
      return `Change<${typeText(node.of, direction)}>`;
    case 'literal':
      return node.text;
    case 'values':
      return valuesText(node.values, node.closed || direction === 'sent');
    case 'name':
      return namedText(node.name, direction);
  }
}

function namedText(name: string, direction: Direction): string {
  const type = description.types.get(name);
  if (type === undefined) return SCALARS[name] ?? name;
  if (isExported(type)) return isOpened(type, direction) ? `Open<${pascal(name)}>` : pascal(name);
  return bareText(type, direction);
}

/** A type without its name. */
export function bareText(type: NamedType, direction: Direction): string {
  switch (type.kind) {
    case 'values':
      return valuesText(type.values, type.closed || direction === 'sent');
    case 'alias':
      return typeText(type.type, direction);
    case 'object':
      return type.provided ? `ProvidedData<${literals(type.provided)}>` : objectText(type.fields, direction);
  }
}

function objectText(fields: readonly Field[], direction: Direction): string {
  const known = fields.filter(({ name }) => name !== '*').map(field => fieldText(field, direction));
  const others = fields.find(({ name }) => name === '*');
  const other = others && typeText(others.type, direction);
  if (known.length === 0 && other) return `Record<string, ${other}>`;
  return `{\n${[...known, ...(other ? [`[name: string]: ${other} | undefined;`] : [])].join('\n')}\n}`;
}

/** A field as a member of an interface, with its documentation. */
export function fieldText(field: Field, direction: Direction): string {
  const { name, optional, type } = field;
  const text = typeText(type, direction);
  const orUndefined = optional && direction === 'sent' ? ' | undefined' : '';
  return `${comment(docOf(field))}${name}${optional ? '?' : ''}: ${text}${orUndefined};`;
}

/** The sentences about a field, with its time zone in the first one. */
export function docOf({ doc = '', deprecated, zone }: Field): string {
  const place = zone?.split('.');
  const inZone = place && `, in \`${place.at(-1)}\`${place.length > 1 ? ` of the ${place[0]}` : ''}`;
  const text = inZone ? doc.replace(/\.(?=\s|$)/, `${inZone}.`) : doc;
  return [text, deprecated && `@deprecated ${deprecated}`].filter(Boolean).join('\n');
}

/** Text as a documentation comment. */
export function comment(text: string): string {
  if (text === '') return '';
  if (!text.includes('\n') && text.length < 113) return `/** ${text} */\n`;
  return `/**\n${wrapped(text)
    .map(line => ` * ${line}`.trimEnd())
    .join('\n')}\n */\n`;
}

/** The lines of a comment, at most 110 characters each. Code and lists keep theirs. */
function wrapped(text: string): string[] {
  return text.split('\n').flatMap(line => {
    if (line.length <= 116) return [line];
    const lines = [''];
    for (const word of line.split(' ')) {
      const last = lines.at(-1) ?? '';
      if (last !== '' && last.length + word.length >= 116) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    return lines;
  });
}

export function literals(names: readonly string[], separator = ' | '): string {
  return names.length === 0 ? 'never' : names.map(name => `'${name}'`).join(separator);
}

export function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function isExported({ doc }: NamedType): boolean {
  return doc !== undefined;
}

/** The named types that are only sent, never received. */
export const sentTypes: ReadonlySet<string> = onlySent();

function onlySent(): Set<string> {
  const { records, operations } = description;
  const below = (fields: readonly Field[], found = new Set<string>()): Set<string> => {
    for (const name of fields.flatMap(({ type }) => namesIn(type))) add(name, found);
    return found;
  };
  const add = (name: string, found: Set<string>) => {
    const type = description.types.get(name);
    if (type === undefined || found.has(name)) return;
    found.add(name);
    if (type.kind === 'object') below(type.fields, found);
    if (type.kind === 'alias') for (const inner of namesIn(type.type)) add(inner, found);
  };
  const received = below([...records.values()].flatMap(({ attributes }) => attributes));
  for (const { answer } of operations.values()) add(answer.type, received);
  const sent = below([...operations.values()].flatMap(({ query, body }) => [...query, ...(body?.attributes ?? [])]));
  return new Set([...sent].filter(name => !received.has(name)));
}

function isOpened(type: NamedType, direction: Direction): boolean {
  return type.kind === 'values' && type.closed && direction === 'received';
}

function valuesText(values: readonly string[], closed: boolean): string {
  return closed ? literals(values) : `Open<${literals(values)}>`;
}
