import { description, type Field, type NamedType, namesInType, type ObjectType, withFieldsOf } from './description.ts';
import { namesIn, SCALARS, type Shape, type TypeNode } from './type-expression.ts';

/**
 * `received`: the service may extend known values. `sent`: an unnamed set of values is closed, arrays are read-only, and an
 * optional field may be `undefined`.
 */
export type Direction = 'received' | 'sent';

const SPELT: Record<string, string> = {
  integer: 'number',
  datetime: 'DateTime',
  date: 'CalendarDate',
  json: 'Record<string, unknown>',
};

/** A type of the description, written in TypeScript. */
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
      return valuesText(node.values, node.closed || (direction === 'sent' && !node.open));
    case 'object':
      return objectText(node, direction);
    case 'applied':
      return `${pascal(node.name)}<${typeText(node.of, direction)}>`;
    case 'name':
      return namedText(node.name, direction);
  }
}

function namedText(name: string, direction: Direction): string {
  const type = description.types.get(name);
  if (type === undefined) return SCALARS.includes(name) ? (SPELT[name] ?? name) : pascal(name);
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
      return type.provided ? `ProvidedData<${literals(type.provided)}>` : objectText(type, direction);
  }
}

function objectText(shape: Shape, direction: Direction): string {
  const { bases, fields } = written(shape);
  const known = fields.filter(({ name }) => name !== '*').map(field => fieldText(field, direction));
  const others = fields.find(({ name }) => name === '*');
  const other = others && typeText(others.type, direction);
  if (known.length === 0 && other) {
    return direction === 'sent' ? `Readonly<Record<string, ${other}>>` : `Record<string, ${other}>`;
  }
  const rest = other ? [`[name: string]: ${other === 'unknown' ? other : `${other} | undefined`};`] : [];
  return [...bases.map(base => typeText(base, direction)), `{\n${[...known, ...rest].join('\n')}\n}`].join(' & ');
}

/** A type as an exported declaration. */
export function declared(type: NamedType): string {
  const direction: Direction = sentTypes.has(type.name) ? 'sent' : 'received';
  const head = `${comment(type.doc ?? '')}export`;
  const name = pascal(type.name);
  if (type.kind !== 'object' || type.provided) return `${head} type ${name} = ${bareText(type, direction)};\n`;
  const { bases, fields } = written(type);
  const from = bases.length > 0 ? ` extends ${bases.map(base => typeText(base, direction)).join(', ')}` : '';
  return `${head} interface ${name}${parameterText(type.of)}${from} ${objectText({ bases: [], fields }, direction)}\n`;
}

function parameterText(of: ObjectType['of']): string {
  if (of === undefined) return '';
  const most = typeText(of.type, 'received');
  return `<${pascal(of.name)}${most === 'unknown' ? '' : ` extends ${most}`}>`;
}

/** An object as it is written to the file: the fields of a base that is not exported become its own fields. */
function written(shape: Shape): Shape {
  return withFieldsOf(shape, base => !isExported(base));
}

/** A field as a member of an interface, with its documentation. */
export function fieldText(field: Field, direction: Direction): string {
  const { name, optional, type } = field;
  const text = typeText(type, direction);
  const orUndefined = optional && direction === 'sent' ? ' | undefined' : '';
  return `${comment(docOf(field))}${name}${optional ? '?' : ''}: ${text}${orUndefined};`;
}

/** The sentences about a field. The first sentence includes the time zone of the field. */
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

/** The lines of a comment, at most 110 characters each. Code and lists keep their lines. */
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

export function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function isExported({ doc }: NamedType): boolean {
  return doc !== undefined;
}

/** The types of the arguments and results of the MCP tools. */
export const toolTypes: ReadonlySet<string> = reached(
  description.tools.flatMap(tool => [tool.arguments, ...namesIn(tool.result)]),
);

/** The types of records and operations. Some of them are also types of tools. */
export const serviceTypes: ReadonlySet<string> = reached([
  ...[...description.records.values()].flatMap(({ attributes }) => namesInFields(attributes)),
  ...[...description.operations.values()].flatMap(({ answer, query, body }) => [
    answer.type,
    ...namesInFields([...query, ...(body?.attributes ?? [])]),
  ]),
]);

/** The named types that are only sent, never received. */
export const sentTypes: ReadonlySet<string> = onlySent();

function onlySent(): Set<string> {
  const { records, operations, tools } = description;
  const received = reached([
    ...[...records.values()].flatMap(({ attributes }) => namesInFields(attributes)),
    ...[...operations.values()].map(({ answer }) => answer.type),
    ...tools.flatMap(({ result }) => namesIn(result)),
  ]);
  const sent = reached([
    ...[...operations.values()].flatMap(({ query, body }) => namesInFields([...query, ...(body?.attributes ?? [])])),
    ...tools.map(tool => tool.arguments),
  ]);
  return new Set([...sent].filter(name => !received.has(name)));
}

function namesInFields(fields: readonly Field[]): string[] {
  return fields.flatMap(({ type }) => namesIn(type));
}

/** The types with these names, and all types that they refer to. */
function reached(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const type = description.types.get(name);
    if (type === undefined || found.has(name)) continue;
    found.add(name);
    reached(namesInType(type), found);
  }
  return found;
}

function isOpened(type: NamedType, direction: Direction): boolean {
  return type.kind === 'values' && type.closed && direction === 'received';
}

function valuesText(values: readonly string[], closed: boolean): string {
  return closed ? literals(values) : `Open<${literals(values)}>`;
}
