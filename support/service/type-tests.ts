import {
  answerOf,
  description,
  type Fields,
  fieldName,
  operations,
  parseType,
  relationshipOf,
  type TypeNode,
} from './description.ts';
import { METHOD_OF, SEPARATE_ARGUMENTS, TAKEN_AS, UNWRAPPED } from './exceptions.ts';

/**
 * Type tests, made from the description: a file for each method and for each type of record. A line is one statement about one
 * field, so that an error names it.
 */

type Described = (typeof operations)[number];

const PRELUDE = `
import type { TrackingClient, ListOptions, RequestOptions } from '../../src/index.ts';
import type { CalendarDate, DateTime, Open, Ref, Resources } from '../../src/records/model.ts';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Optional<T, K extends keyof T> = {} extends Pick<T, K> ? true : false;
type Value<T, K extends PropertyKey> = K extends keyof T ? Exclude<T[K], undefined> : 'missing';
type Keys<T> = T extends unknown ? { [K in keyof T]-?: string extends K ? never : K }[keyof T] : never;
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;
type Item<T> = T extends readonly (infer I)[] ? I : T;
/** Whether the records of a type are there with their attributes. */
type Has<T, Type, Attribute> = [Extract<T, { type: Type }>] extends [never]
  ? false
  : Extract<T, { type: Type }> extends infer R ? (R extends unknown ? (Attribute extends keyof R ? true : false) : never) : never;
declare function yes<_T extends true>(): void;
declare function none<_T extends never>(): void;
declare function of<T>(): T;
declare const client: TrackingClient;
`;

/** The types of each record: its attributes and its relationships, in both directions. */
export function recordTests(): Record<string, string> {
  const all = Object.entries(description.records).map(([type, { attributes, relationships }]) => {
    const A = `Resources['${type}']['attributes']`;
    const R = `Resources['${type}']['relationships']`;
    return [
      `record.${type}`,
      [
        PRELUDE,
        ...sameFields(A, attributes),
        ...Object.entries(relationships).map(
          ([name, target]) => `yes<Same<Value<${R}, '${name}'>, ${linkage(target)}>>();`,
        ),
        `none<Exclude<keyof ${R}, ${literals(Object.keys(relationships))}>>();`,
      ].join('\n'),
    ];
  });
  return Object.fromEntries([
    ...all,
    ['record types', `${PRELUDE}none<Exclude<keyof Resources, ${literals(Object.keys(description.records))}>>();`],
  ]);
}

function linkage(target: string): string {
  const { types, cardinality } = relationshipOf(target);
  const one = types.length === 0 ? '{ type: string; id: string }' : `Ref<${literals(types)}>`;
  return cardinality === 'many' ? `(${one})[]` : cardinality === 'one' ? one : `${one} | null`;
}

/** Each field has its type and may be missing where the description says so, and there are no others. */
function sameFields(type: string, fields: Fields): string[] {
  const names = Object.keys(fields).map(key => fieldName(key).name);
  return [
    ...Object.entries(fields).flatMap(([key, text]) => {
      const { name, optional } = fieldName(key);
      return [
        `yes<Same<Flat<Value<${type}, '${name}'>>, Flat<${typeScript(parseType(text), 'open')}>>>();`,
        `yes<Same<Optional<${type}, '${name}'>, ${optional}>>();`,
      ];
    }),
    `none<Exclude<keyof ${type}, ${literals(names)}>>();`,
  ];
}

/** A call of each method with everything that the description has, and the type of what it gives. */
export function methodTests(): Record<string, string> {
  return Object.fromEntries(
    operations
      .filter(({ name }) => METHOD_OF[name]?.method !== null)
      .map(operation => [operation.name, [PRELUDE, ...methodTest(operation)].join('\n')]),
  );
}

function methodTest(operation: Described): string[] {
  const method = `client.${METHOD_OF[operation.name]?.method ?? operation.name}`;
  const ids = operation.method === 'PUT' ? [] : Array.from(operation.path.matchAll(/\{/g), () => "'id'");
  const bodies = bodyOf(operation);
  const options = optionsOf(operation);
  const index = ids.length + bodies.length;
  const args = [...ids, ...bodies.map(({ value }) => value), ...(options.tree.size > 0 ? [options.value] : [])];
  const call = `${method}(${args.join(', ')})`;
  return [
    `type Parameter<N extends number> = Parameters<typeof ${method}>[N];`,
    `const answered = () => ${call};`,
    ...bodies.flatMap(({ fields }, at) => (fields ? acceptsFields(`Parameter<${ids.length + at}>`, fields) : [])),
    ...onlyParameters(options.tree, `NonNullable<Parameter<${index}>>`),
    ...refusedIncludes(operation, method, [...ids, ...bodies.map(({ value }) => value)], options.required),
    ...resultTest(operation),
  ];
}

/** The arguments that become the body. */
function bodyOf({ name, body }: Described): { value: string; fields?: Fields }[] {
  if (!body)
    return SEPARATE_ARGUMENTS[name]?.map(text => ({ value: `of<${typeScript(parseType(text), 'closed')}>()` })) ?? [];
  if (body.form === 'bytes')
    return [{ value: 'of<Parameters<typeof client.directUploads.put>[0]>()' }, { value: 'new Uint8Array()' }];
  const unwrapped = UNWRAPPED[name];
  const attributes = (unwrapped ? description.types[unwrapped] : body.attributes) as Fields;
  const separate = SEPARATE_ARGUMENTS[name];
  if (separate) return separate.map(text => ({ value: `of<${typeScript(parseType(text), 'closed')}>()` }));
  const related = Object.entries(body.relationships ?? {}).map(([key, target]) => [
    key,
    `Ref<${literals(relationshipOf(target).types)}>`,
  ]);
  const members = [
    ...Object.entries(attributes).map(([key, text]) => [key, typeScript(parseType(text), 'closed')]),
    ...related,
  ];
  const value = `{ ${members.map(([key = '', type]) => `${fieldName(key).name}: of<${type}>()`).join(', ')} }`;
  return [{ value, fields: Object.fromEntries(members) }];
}

/** The parameter has the fields and no others, and requires those that the service requires. */
function acceptsFields(parameter: string, fields: Fields): string[] {
  const names = Object.keys(fields).map(key => fieldName(key).name);
  return [
    ...Object.keys(fields).map(key => {
      const { name, optional } = fieldName(key);
      return `yes<Same<Optional<${parameter}, '${name}'>, ${optional}>>();`;
    }),
    `none<Exclude<Keys<${parameter}>, ${literals(names)}>>();`,
  ];
}

interface Parameters {
  [name: string]: Parameters | string;
}

/** The options of a call: its query parameters, nested along their brackets. Pages have names of their own. */
function optionsOf({ name, query = {}, include }: Described) {
  const tree = new Map<string, unknown>();
  const nested: Parameters = {};
  let required = false;
  for (const [key, text] of Object.entries(query)) {
    const { name: parameter, optional } = fieldName(key);
    if (SEPARATE_ARGUMENTS[name] !== undefined) continue;
    if (!optional) required = true;
    const path = parameter.startsWith('page[')
      ? [parameter === 'page[size]' ? 'pageSize' : 'pageNumber']
      : parameter.split(/[[\]]+/).filter(Boolean);
    let level = nested;
    for (const step of path.slice(0, -1)) {
      level[step] ??= {};
      level = level[step] as Parameters;
    }
    const type = TAKEN_AS[name]?.[parameter] ?? text;
    level[path.at(-1) ?? ''] = `of<${typeScript(parseType(type), 'closed')}>()`;
  }
  for (const key of Object.keys(nested)) tree.set(key, nested[key]);
  if (include) tree.set('include', `[${literals(include, ', ')}]`);
  const value = write({ ...nested, ...(include && { include: `[${literals(include, ', ')}]` }) });
  return { tree, value, required };
}

function write(tree: Parameters | string): string {
  if (typeof tree === 'string') return tree;
  return `{ ${Object.entries(tree)
    .map(([key, inner]) => `${key}: ${write(inner)}`)
    .join(', ')} }`;
}

/** The options have no query parameters but these. */
function onlyParameters(tree: Map<string, unknown>, type: string): string[] {
  if (tree.size === 0) return [];
  return [
    `none<Exclude<keyof ${type}, keyof RequestOptions | keyof ListOptions | 'include' | ${literals([...tree.keys()])}>>();`,
    ...[...tree].flatMap(([key, inner]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? onlyBelow(`Exclude<NonNullable<${type}['${key}']>, boolean>`, inner as Parameters)
        : [],
    ),
  ];
}

function onlyBelow(type: string, tree: Parameters): string[] {
  return [
    `none<Exclude<keyof ${type}, ${literals(Object.keys(tree))}>>();`,
    ...Object.entries(tree).flatMap(([key, inner]) =>
      typeof inner === 'string' ? [] : onlyBelow(`NonNullable<${type}['${key}']>`, inner),
    ),
  ];
}

/** A relationship that the endpoint does not include does not compile. */
function refusedIncludes(operation: Described, method: string, args: string[], required: boolean): string[] {
  const { shape, type } = answerOf(operation);
  const { include } = operation;
  if (!include || required || (shape !== 'one' && shape !== 'list')) return [];
  const others = Object.keys(description.records[type]?.relationships ?? {}).filter(name => !include.includes(name));
  return [...others, 'nonsense'].flatMap(name => [
    '// @ts-expect-error: not an include of this endpoint',
    `() => ${method}(${[...args, `{ include: ['${name}'] }`].join(', ')});`,
  ]);
}

const STANDARD = ['id', 'type', 'links', 'meta'];

function resultTest(operation: Described): string[] {
  const { shape, type, mayBeEmpty } = answerOf(operation);
  const result = 'Awaited<ReturnType<typeof answered>>';
  if (shape === 'nothing') return [`yes<Same<${result}, void>>();`];
  if (shape === 'json') {
    if (type === 'map') return [`yes<Same<${result}['type'], 'FeatureCollection'>>();`];
    const fields = description.types[type] as Fields;
    return [
      ...sameFields(`NonNullable<${result}>`, fields),
      `yes<Same<undefined extends ${result} ? true : false, ${mayBeEmpty}>>();`,
    ];
  }
  const record = shape === 'one' ? result : shape === 'list' ? `${result}['data'][number]` : `${result}[number]`;
  const { attributes, relationships } = description.records[type] ?? { attributes: {}, relationships: {} };
  const names = Object.keys(attributes).map(key => fieldName(key).name);
  return [
    `type Answer = ${record};`,
    ...names.map(
      name => `yes<Same<Value<Answer, '${name}'>, Value<Resources['${type}']['attributes'], '${name}'>>>();`,
    ),
    ...Object.entries(relationships).map(([name, target]) => relatedTest(operation, name, target)),
    `none<Exclude<keyof Answer, ${literals([...STANDARD, ...names, ...Object.keys(relationships)])} | typeof Symbol.unscopables>>();`,
  ];
}

/** A relationship that is included is the record, any other one a reference. What is included by default may be either. */
function relatedTest({ include, includedByDefault }: Described, name: string, target: string): string {
  const { types } = relationshipOf(target);
  const one = `Item<NonNullable<Value<Answer, '${name}'>>>`;
  if (types.length === 0) return `yes<Same<${one}['type'], string>>();`;
  const has = types.map(type => {
    const [attribute] = Object.keys(description.records[type]?.attributes ?? {});
    return attribute === undefined ? 'true' : `Has<${one}, '${type}', '${fieldName(attribute).name}'>`;
  });
  if (include?.includes(name))
    return `yes<Same<[${one}['type'], ${has}], [${literals(types)}, ${types.map(() => true)}]>>();`;
  if (!include && includedByDefault?.includes(name))
    return `yes<[true, ${literals(types)}] extends [${has[0]}, ${one}['type']] ? true : false>();`;
  return `yes<Same<[${one}['type'], ${has.includes('true') ? 'true' : `${has.join(' | ')}`}], [${literals(types)}, ${has.includes('true')}]>>();`;
}

function literals(names: readonly string[], separator = ' | '): string {
  return names.length === 0 ? 'never' : names.map(name => `'${name}'`).join(separator);
}

const SCALARS: Record<string, string> = {
  integer: 'number',
  datetime: 'DateTime',
  date: 'CalendarDate',
  json: 'Record<string, unknown>',
};

/** @param enums `open` for what the service sends, which may be a new value; `closed` for what is sent to it. */
function typeScript(node: TypeNode, enums: 'open' | 'closed'): string {
  switch (node.kind) {
    case 'union':
      return node.of.map(part => typeScript(part, enums)).join(' | ');
    case 'array':
      return `(${typeScript(node.of, enums)})[]`;
    case 'tuple':
      return `[${node.of.map(part => typeScript(part, enums)).join(', ')}]`;
    case 'literal':
      return node.text;
    case 'name': {
      const type = description.types[node.name];
      if (type === undefined) return SCALARS[node.name] ?? node.name;
      if (typeof type === 'string') return typeScript(parseType(type), enums);
      if (Array.isArray(type)) return enums === 'open' ? `Open<${literals(type)}>` : literals(type);
      return objectType(type, enums);
    }
  }
}

function objectType(fields: Fields, enums: 'open' | 'closed'): string {
  const { '*': other, ...known } = fields;
  const members = Object.entries(known).map(([key, text]) => `${key}: ${typeScript(parseType(text), enums)}`);
  if (other !== undefined) {
    const rest = typeScript(parseType(other), enums);
    members.push(`[name: string]: ${rest}${members.length > 0 ? ' | undefined' : ''}`);
  }
  return `{ ${members.join('; ')} }`;
}
