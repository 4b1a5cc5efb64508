import { description, operations, type RecordType, type Relationship, withFieldsOf } from './description.ts';
import { TYPES_BY_HAND, UNCHECKED } from './exceptions.ts';
import type { Shape, TypeNode } from './type-expression.ts';
import { camel } from './type-text.ts';

/**
 * zod/mini schemas of every record and of every response in plain JSON. An enumeration is a text, since the service extends
 * enumerations.
 */
export function recordSchemas(): string {
  return schemaFile(() => {
    const { records } = description;
    return `${[...[...records.values()].map(recordSchema), ...[...answerTypes()].map(answerSchema)].join('\n')}
/** The schema of every resource type, by its name on the wire. */
export const schemas = {
${[...records.keys()].map(type => `  ${type === camel(type) ? type : `${type}: ${camel(type)}`},`).join('\n')}
};
`;
  });
}

/**
 * zod/mini schemas of the results of the MCP tools. Known keys must be there with a valid value. Other keys are allowed.
 */
export function toolSchemas(): string {
  return schemaFile(
    () => `/** The schema of every result, by the name of the tool. */
export const toolResults = {
${description.tools.map(({ name, result }) => `${name}: z.lazy(() => ${write(result)}),`).join('\n')}
};
`,
  );
}

/** The text of a file: the imports that it needs, then shared schemas, then the schemas that use them. */
function schemaFile(write: () => string): string {
  sharedTypes.clear();
  const body = write();
  const shared = [...sharedTypes].map(([name, schema]) => `const ${camel(name)} = ${schema};\n`);
  const text = [...shared, body].join('\n');
  return `import * as z from 'zod/mini';\nimport { ${used(text, FIELDS)} } from '../../schemas/fields.ts';\n\n${text}`;
}

const FIELDS = [
  'date',
  'dateOrNull',
  'dateTime',
  'dateTimeOrNull',
  'degrees',
  'flag',
  'flagOrNull',
  'json',
  'jsonOrNull',
  'many',
  'members',
  'number',
  'numberOrNull',
  'one',
  'oneOrNull',
  'resource',
  'text',
  'textOrNull',
  'texts',
  'unknown',
];

/** The schemas that other schemas refer to. Each is written once, before the schemas that refer to it. */
const sharedTypes = new Map<string, string>();

function recordSchema({ type, attributes, relationships, identity }: RecordType): string {
  const parts = `${shape(attributes, ({ type }) => write(type))}, ${shape(relationships, linkSchema)}`;
  const schema = identity
    ? `z.looseObject({ ${IDENTITY[identity](type)}, ...members(${parts}) })`
    : `resource('${type}', ${parts})`;
  const note = identity ? ` ${IDENTITY_NOTE[identity]}` : '';
  return `/** ${article(type)} ${type.replaceAll('_', ' ')}, as it is on the wire.${note} */
export const ${camel(type)} = z.lazy(() => ${schema});
`;
}

const IDENTITY = {
  optional: (type: string) => `id: z.exactOptional(text), type: z.exactOptional(z.literal('${type}'))`,
  open: () => 'id: text, type: text',
};

const IDENTITY_NOTE = {
  optional: 'May come without `id` and `type` (docs/service/contradictions.md#inferred-numbers-without-identity).',
  open: '`type` may have another value (docs/service/contradictions.md#type-of-a-search-hit).',
};

/** The types of the responses in plain JSON, with the operations that return them. */
function answerTypes(): Map<string, string[]> {
  const types = new Map<string, string[]>();
  for (const operation of operations) {
    const { shape, type } = operation.answer;
    if (shape !== 'json' || TYPES_BY_HAND.has(type)) continue;
    types.set(type, [...(types.get(type) ?? []), `\`${operation.name}\``]);
  }
  return types;
}

function answerSchema([type, names]: [string, string[]]): string {
  return `/** The response of ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}. */
export const ${camel(type)} = z.lazy(() => ${namedSchema(type)});
`;
}

function shape<T extends { name: string }>(members: readonly T[], write: (member: T) => string): string {
  return `{ ${members.map(member => `${member.name}: ${write(member)}`).join(', ')} }`;
}

function linkSchema({ cardinality, types }: Relationship): string {
  return `${cardinality}(${types.map(type => `'${type}'`).join(', ')})`;
}

function write(node: TypeNode): string {
  switch (node.kind) {
    case 'union':
      return union(node.of);
    case 'array': {
      const item = write(node.of);
      return item === 'text' ? 'texts' : `z.array(${item})`;
    }
    case 'tuple':
      return `z.tuple([${node.of.map(write).join(', ')}])`;
    case 'change':
      return `z.tuple([${write(node.of)}, ${write(node.of)}])`;
    case 'literal':
      return node.text.startsWith("'") ? 'text' : `z.literal(${node.text})`;
    case 'values':
      return 'text';
    case 'object':
      return objectSchema(node);
    case 'applied':
      return objectSchema({ bases: [node], fields: [] });
    case 'name':
      return named(node.name);
  }
}

/** The schema of a union. For `null` and a scalar, `fields.ts` has a schema. A time may come as a day. */
function union(of: TypeNode[]): string {
  const names = of.map(part => (part.kind === 'name' ? part.name : ''));
  const parts = of.filter(
    (_, index) =>
      !['null', 'undefined'].includes(names[index] ?? '') && !(names[index] === 'date' && names.includes('datetime')),
  );
  const nullable = names.includes('null');
  if (names.join() === 'number,string,null') return 'degrees';
  const [only] = parts;
  const one = parts.length === 1 && only ? write(only) : `z.union([${parts.map(write).join(', ')}])`;
  if (!nullable) return one;
  return FIELDS.includes(`${one}OrNull`) ? `${one}OrNull` : `z.nullable(${one})`;
}

const SCALARS: Record<string, string> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'flag',
  datetime: 'dateTime',
  date: 'date',
  json: 'json',
  unknown: 'unknown',
};

function named(name: string): string {
  const scalar = SCALARS[name];
  if (scalar) return scalar;
  if (UNCHECKED.has(name)) return 'json';
  const type = description.types.get(name);
  if (type?.kind === 'values') return 'text';
  const schema = namedSchema(name);
  if (FIELDS.includes(schema)) return schema;
  sharedTypes.set(name, `z.lazy(() => ${schema})`);
  return camel(name);
}

function namedSchema(name: string): string {
  const type = description.types.get(name);
  if (type?.kind === 'alias') return write(type.type);
  if (type?.kind === 'object') return objectSchema(type);
  throw new Error(`${name} has no schema`);
}

/** The schema of an object. A field that is never there is left out: it only makes types easier to distinguish. */
function objectSchema(object: Shape & { closed?: boolean }): string {
  const { fields } = withFieldsOf(object, () => true);
  const known = fields.filter(({ name, type }) => name !== '*' && !isUndefined(type));
  const text = shape(known, ({ type, optional, case: isCase }) => {
    const schema = isCase ? `z.enum([${constants(type)}])` : write(type);
    return optional ? `z.exactOptional(${schema})` : schema;
  });
  const others = fields.find(({ name }) => name === '*');
  if (object.closed) return `z.strictObject(${text})`;
  return others && write(others.type) !== 'unknown'
    ? `z.catchall(z.object(${text}), ${write(others.type)})`
    : `z.looseObject(${text})`;
}

function constants(node: TypeNode): string {
  if (node.kind === 'union') return node.of.map(constants).join(', ');
  if (node.kind !== 'literal') throw new Error('A case is not a constant');
  return node.text;
}

function isUndefined(node: TypeNode): boolean {
  return node.kind === 'name' && node.name === 'undefined';
}

function used(text: string, names: readonly string[]): string {
  return names.filter(name => new RegExp(`\\b${name}\\b(?!:)`).test(text)).join(', ');
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? 'An' : 'A';
}
