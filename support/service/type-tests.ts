import { description, type Field, type Operation, operations, type Relationship } from './description.ts';
import { METHOD_OF, SEPARATE_ARGUMENTS, TAKEN_AS, UNWRAPPED } from './exceptions.ts';
import { parseType } from './type-expression.ts';
import { isExported, literals, pascal, toolTypes, typeText } from './type-text.ts';

/**
 * Type tests, made from the description: a file for each method. Each line tests one field, so that an error names the
 * field.
 */

const PRELUDE = `
import type { TrackingClient, ListOptions, RequestOptions } from '../../src/index.ts';
import type { ${imported()} } from '../../src/model/index.ts';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Optional<T, K extends keyof T> = {} extends Pick<T, K> ? true : false;
type Value<T, K extends PropertyKey> = K extends keyof T ? Exclude<T[K], undefined> : 'missing';
type Keys<T> = T extends unknown ? { [K in keyof T]-?: string extends K ? never : K }[keyof T] : never;
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;
type Item<T> = T extends readonly (infer I)[] ? I : T;
/** True if \`T\` contains records of the type \`Type\`, all with the attribute \`Attribute\`. */
type Has<T, Type, Attribute> = [Extract<T, { type: Type }>] extends [never]
  ? false
  : Extract<T, { type: Type }> extends infer R ? (R extends unknown ? (Attribute extends keyof R ? true : false) : never) : never;
declare function yes<_T extends true>(): void;
declare function none<_T extends never>(): void;
declare function of<T>(): T;
declare const client: TrackingClient;
`;

/** The import of the named types that the tests may use. */
function imported(): string {
  const named = [...description.types.values()]
    .filter(type => isExported(type) && !toolTypes.has(type.name))
    .map(({ name }) => pascal(name));
  const ofLists = [...description.filters.keys(), ...description.sorts.keys()].map(pascal);
  return [
    'CalendarDate',
    'Change',
    'DateTime',
    'Open',
    'ProvidedData',
    'MapFeatureCollection',
    'Ref',
    'Resources',
    ...named,
    ...ofLists,
  ].join(', ');
}

/** A call of each method with all described arguments, and the type of its result. */
export function methodTests(): Record<string, string> {
  return Object.fromEntries(
    operations
      .filter(({ name }) => METHOD_OF[name]?.method !== null)
      .map(operation => [operation.name, [PRELUDE, ...methodTest(operation)].join('\n')]),
  );
}

function methodTest(operation: Operation): string[] {
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

/** The arguments that become the body of the request. */
function bodyOf({ name, body }: Operation): { value: string; fields?: Pick<Field, 'name' | 'optional'>[] }[] {
  const separate = SEPARATE_ARGUMENTS[name];
  if (separate) return separate.map(text => ({ value: `of<${typeText(parseType(text), 'sent')}>()` }));
  if (!body) return [];
  if (body.form === 'bytes')
    return [{ value: 'of<Parameters<typeof client.directUploads.put>[0]>()' }, { value: 'new Uint8Array()' }];
  const unwrapped = description.types.get(UNWRAPPED[name] ?? '');
  const attributes = unwrapped?.kind === 'object' ? unwrapped.fields : body.attributes;
  const values = [
    ...attributes.map(field => `${field.name}: of<${typeText(field.type, 'sent')}>()`),
    ...body.relationships.map(related => `${related.name}: of<Ref<${literals(related.types)}>>()`),
  ];
  return [{ value: `{ ${values.join(', ')} }`, fields: [...attributes, ...body.relationships] }];
}

/** Tests that the parameter has these fields and no other fields, and requires the fields that the service requires. */
function acceptsFields(parameter: string, fields: readonly Pick<Field, 'name' | 'optional'>[]): string[] {
  return [
    ...fields.map(({ name, optional }) => `yes<Same<Optional<${parameter}, '${name}'>, ${optional}>>();`),
    `none<Exclude<Keys<${parameter}>, ${literals(fields.map(({ name }) => name))}>>();`,
  ];
}

interface Parameters {
  [name: string]: Parameters | string;
}

/** The options of a call: its query parameters, as nested objects. The parameters of pages have other names. */
function optionsOf({ name, query, filters, sort, include }: Operation) {
  const nested: Parameters = {};
  const parameters = SEPARATE_ARGUMENTS[name] === undefined ? query : [];
  if (filters) nested.filter = `of<${pascal(filters.name)}>()`;
  if (sort) nested.sort = `of<${pascal(sort.name)}>()`;
  for (const { name: parameter, type } of parameters) {
    if ((filters && parameter.startsWith('filter[')) || (sort && parameter === 'sort')) continue;
    const path = parameter.startsWith('page[')
      ? [parameter === 'page[size]' ? 'pageSize' : 'pageNumber']
      : parameter.split(/[[\]]+/).filter(Boolean);
    let level = nested;
    for (const step of path.slice(0, -1)) {
      level[step] ??= {};
      level = level[step] as Parameters;
    }
    const taken = TAKEN_AS[name]?.[parameter];
    level[path.at(-1) ?? ''] = `of<${typeText(taken ? parseType(taken) : type, 'sent')}>()`;
  }
  if (include) nested.include = `[${literals(include, ', ')}]`;
  const required = parameters.some(({ optional }) => !optional);
  return { tree: new Map(Object.entries(nested)), value: write(nested), required };
}

function write(tree: Parameters | string): string {
  if (typeof tree === 'string') return tree;
  return `{ ${Object.entries(tree)
    .map(([key, inner]) => `${key}: ${write(inner)}`)
    .join(', ')} }`;
}

/** Tests that the options have only these query parameters. */
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

/** Tests that a call does not compile if it includes a relationship that the endpoint does not include. */
function refusedIncludes(operation: Operation, method: string, args: string[], required: boolean): string[] {
  const { include, answer } = operation;
  const { shape, type } = answer;
  if (!include || required || (shape !== 'one' && shape !== 'list')) return [];
  const related = description.records.get(type)?.relationships.map(({ name }) => name) ?? [];
  const others = related.filter(name => !include.includes(name));
  return [...others, 'nonsense'].flatMap(name => [
    '// @ts-expect-error: not an include of this endpoint',
    `() => ${method}(${[...args, `{ include: ['${name}'] }`].join(', ')});`,
  ]);
}

const STANDARD = ['id', 'type', 'links', 'meta'];

function resultTest(operation: Operation): string[] {
  const { shape, type, mayBeEmpty } = operation.answer;
  const result = 'Awaited<ReturnType<typeof answered>>';
  if (shape === 'nothing') return [`yes<Same<${result}, void>>();`];
  if (shape === 'json') {
    const name = type === 'map' ? 'MapFeatureCollection' : pascal(type);
    return [`yes<Same<${result}, ${name}${mayBeEmpty ? ' | undefined' : ''}>>();`];
  }
  const record = shape === 'one' ? result : shape === 'list' ? `${result}['data'][number]` : `${result}[number]`;
  const { attributes, relationships } = description.records.get(type) ?? { attributes: [], relationships: [] };
  const names = [...attributes, ...relationships].map(({ name }) => name);
  return [
    `type Answer = ${record};`,
    ...attributes.map(
      ({ name }) => `yes<Same<Value<Answer, '${name}'>, Value<Resources['${type}']['attributes'], '${name}'>>>();`,
    ),
    ...relationships.map(relationship => relatedTest(operation, relationship)),
    `none<Exclude<keyof Answer, ${literals([...STANDARD, ...names])} | typeof Symbol.unscopables>>();`,
  ];
}

/**
 * Tests that an included relationship is the record, and that any other relationship is a reference. A relationship
 * that is included by default may be a record or a reference.
 */
function relatedTest({ include, includedByDefault }: Operation, { name, types }: Relationship): string {
  const one = `Item<NonNullable<Value<Answer, '${name}'>>>`;
  if (types.length === 0) return `yes<Same<${one}['type'], string>>();`;
  const has = types.map(type => {
    const [attribute] = description.records.get(type)?.attributes ?? [];
    return attribute === undefined ? 'true' : `Has<${one}, '${type}', '${attribute.name}'>`;
  });
  if (include?.includes(name))
    return `yes<Same<[${one}['type'], ${has}], [${literals(types)}, ${types.map(() => true)}]>>();`;
  if (!include && includedByDefault?.includes(name))
    return `yes<[true, ${literals(types)}] extends [${has[0]}, ${one}['type']] ? true : false>();`;
  return `yes<Same<[${one}['type'], ${has.includes('true') ? 'true' : `${has.join(' | ')}`}], [${literals(types)}, ${has.includes('true')}]>>();`;
}
