import { description, type Field, operations, type RecordType, type Relationship } from './description.ts';
import { TYPES_BY_HAND } from './exceptions.ts';
import type { TypeNode } from './type-expression.ts';

/** zod/mini schemas of every record and of every answer that is plain JSON. Enumerations are text: the service extends them. */
export function recordSchemas(): string {
  const body = [...[...description.records.values()].map(recordSchema), ...[...answerTypes()].map(answerSchema)];
  const shared = [...sharedTypes].map(([name, schema]) => `const ${camel(name)} = ${schema};\n`);
  const text = [...shared, ...body].join('\n');
  return `import * as z from 'zod/mini';
import { ${used(text, FIELDS)} } from '../../schemas/fields.ts';
import { ${used(text, ['many', 'members', 'one', 'oneOrNull', 'resource'])} } from '../../schemas/resource.ts';

${text}
/** The schema of every resource type, by its name on the wire. */
export const schemas = {
${[...description.records.keys()]
  .map(type => `  ${type === camel(type) ? type : `${type}: ${camel(type)}`},`)
  .join('\n')}
};
`;
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
  'number',
  'numberOrNull',
  'text',
  'textOrNull',
  'texts',
  'unknown',
];

/** The schemas that other schemas name. Each is written once, before those. */
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
  open: '`type` may be another (docs/service/contradictions.md#type-of-a-search-hit).',
};

/** The types of the answers that are plain JSON, with the operations that give them. */
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
  return `/** The answer of ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}. */
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
    case 'array':
      return isText(node.of) ? 'texts' : `z.array(${write(node.of)})`;
    case 'tuple':
      return `z.tuple([${node.of.map(write).join(', ')}])`;
    case 'change':
      return `z.tuple([${write(node.of)}, ${write(node.of)}])`;
    case 'literal':
    case 'values':
      return 'text';
    case 'name':
      return named(node.name);
  }
}

/** A union with `null` has a schema of its own in `fields.ts` where it is a scalar. A time may come as a day. */
function union(of: TypeNode[]): string {
  const names = of.map(part => (part.kind === 'name' ? part.name : ''));
  const parts = of.filter(
    (_, index) => names[index] !== 'null' && !(names[index] === 'date' && names.includes('datetime')),
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
  if (type?.kind === 'object') return objectSchema(type.fields);
  throw new Error(`${name} has no schema`);
}

function objectSchema(fields: readonly Field[]): string {
  const known = fields.filter(({ name }) => name !== '*');
  const object = shape(known, ({ type, optional }) => (optional ? `z.exactOptional(${write(type)})` : write(type)));
  const others = fields.find(({ name }) => name === '*');
  return others ? `z.catchall(z.object(${object}), ${write(others.type)})` : `z.looseObject(${object})`;
}

function isText(node: TypeNode): boolean {
  return node.kind === 'literal' || node.kind === 'values' || (node.kind === 'name' && write(node) === 'text');
}

function used(text: string, names: readonly string[]): string {
  return names.filter(name => new RegExp(`\\b${name}\\b(?!:)`).test(text)).join(', ');
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? 'An' : 'A';
}
