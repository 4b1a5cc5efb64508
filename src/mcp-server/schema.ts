import * as z from 'zod/mini';
import { quoted, visible } from '../domain/record-values.ts';
import { hintOf } from '../internal/meant-name.ts';
import type { StandardSchemaWithJSON } from './protocol.ts';

/** No number, code or reference is longer than this. The service fails on longer texts, so they are refused. */
const MAX_TEXT = 200;

/** Control characters except whitespace, and unpaired surrogates. The service fails on some of them. */
const UNSENDABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** The service fails on larger numbers. No account has so many pages. */
const MAX_PAGE = 1_000_000;

/** A UUID of any variant and version. */
export const UUID = /^[\da-fA-F-]{36}$/;

/** A short text, for the arguments of several tools. */
export const shortText = (description?: string) =>
  described(z.string().check(z.maxLength(MAX_TEXT), sendable()), description);

export const filledText = (description?: string, most = MAX_TEXT) =>
  described(z.string().check(z.trim(), z.minLength(1), z.maxLength(most), sendable()), description);

export const idOrNumber = () => filledText('Id or number');

export const page = () => z.optional(whole(1, MAX_PAGE));

/** 0 is allowed, because a model may send 0 to skip nothing. */
export const skip = (most: number) => whole(0, most);

export const count = (description: string | undefined, most: number, least = 1) =>
  described(whole(least, most), description);

const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

function sendable() {
  return z.refine<string>(value => !UNSENDABLE.test(value), 'must not have control characters.');
}

/**
 * Sets the description of a schema in its JSON Schema. `z.describe` would add the registry of zod to the code that each
 * client loads.
 */
export function described<S extends z.ZodMiniType>(schema: S, description: string | undefined): S {
  if (description !== undefined) z.globalRegistry.add(schema, { description });
  return schema;
}

/** A text of the service, or `null`. */
export const textOrNull = () => z.nullable(z.string());

/** Properties with these names. Each value is a text or `null`. */
export const nullableTexts = <Name extends string>(...names: Name[]) => propertiesOf(names, textOrNull);

/** Optional properties with these names. Each value is a text. */
export const optionalTexts = <Name extends string>(...names: Name[]) =>
  propertiesOf(names, () => z.optional(z.string()));

function propertiesOf<Name extends string, S>(names: Name[], make: () => S) {
  return Object.fromEntries(names.map(name => [name, make()])) as Record<Name, S>;
}

/** A schema in the form that the official package needs. It is made on first use, because the start needs no schema. */
export function argumentsSchema<S extends z.ZodMiniObject>(
  owner: string,
  make: () => S,
): StandardSchemaWithJSON<z.infer<S>> {
  const schema = once(make);
  return standard(
    once(() => jsonSchema(schema(), 'input')),
    value => {
      const parsed = z.safeParse(schema(), normalized(value, schema()), { error: issue => wordsOf(issue, owner) });
      if (parsed.success) return { value: parsed.data };
      // Only the first issue of each argument is reported.
      const problems = new Map(parsed.error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
      const sentences = Array.from(problems, ([where, message]) => (where ? `${where} ${message}` : message));
      return { issues: [{ message: sentences.reverse().join(' ') }] };
    },
  );
}

/**
 * Accepts every value, and returns the outcome of the check. A tool therefore reports a mistake in the arguments in the
 * same way as any other failure.
 */
export function outcomeOf(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  const { validate, ...standard } = schema['~standard'];
  return { '~standard': { ...standard, validate: value => ({ value: validate(value) }) } };
}

/**
 * Renames arguments in camelCase to snake_case, because some arguments of the hosted endpoint are in camelCase, such as
 * `numberType`. Converts a value of another form if it can have only one meaning. `null` and an empty text
 * count as missing.
 */
function normalized(value: unknown, schema: z.ZodMiniObject): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { shape } = schema._zod.def;
  const passed = Object.entries(value).filter(([, given]) => given !== null && given !== '');
  const entries = passed.map(([name, given]) => {
    const snake = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const own = name === 'limit' && !shape.limit && shape.page_size ? 'page_size' : snake;
    const known = Object.hasOwn(shape, own) && !Object.hasOwn(value, own) ? own : name;
    return [known, inFormOf(shape[known], given)];
  });
  return Object.fromEntries(entries);
}

/**
 * Accepts one text in place of a list, known words with commas in place of a list, a list of one value in place of the
 * value, a text in place of a whole number or a boolean, and a known word with blanks or dashes.
 */
function inFormOf(schema: z.core.$ZodType | undefined, given: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return inFormOf(schema._zod.def.innerType, given);
  if (schema instanceof z.ZodMiniArray && (typeof given === 'string' || Array.isArray(given))) {
    const { element } = schema._zod.def;
    const items = typeof given === 'string' && element instanceof z.ZodMiniEnum ? given.split(',') : [given].flat();
    return items.map(item => inFormOf(element, item));
  }
  if (Array.isArray(given) && given.length === 1) return inFormOf(schema, given[0]);
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  if (schema instanceof z.ZodMiniNumber && /^\d{1,9}$/.test(word)) return Number(word);
  if (schema instanceof z.ZodMiniBoolean && (word === 'true' || word === 'false')) return word === 'true';
  if (!(schema instanceof z.ZodMiniEnum)) return given;
  const known = Object.values(schema._zod.def.entries);
  return [given, word, word.replaceAll(/[\s-]+/g, '_')].find(form => known.includes(form)) ?? given;
}

/** Results are not checked at run time, because this package makes them, and tests compare them with their schema. */
export function resultSchema(make: () => z.ZodMiniType): StandardSchemaWithJSON {
  return standard(
    once(() => jsonSchema(make(), 'output')),
    value => ({ value }),
  );
}

function standard<T>(
  json: () => Record<string, unknown>,
  validate: (value: unknown) => { value: T } | { issues: { message: string }[] },
): StandardSchemaWithJSON<T> {
  return {
    '~standard': { version: 1, vendor: 'container-tracking-sdk', validate, jsonSchema: { input: json, output: json } },
  };
}

interface JsonSchema {
  [name: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    // A host sends the schemas with every conversation, so the only limits in them are those for a number of rows. A value
    // beyond another limit is refused with the reason.
    override: ({ jsonSchema, path }) => {
      delete jsonSchema.maxLength;
      delete jsonSchema.minLength;
      delete jsonSchema.minimum;
      if (!ROWS.includes(String(path.at(-1)))) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
  if (io === 'output') shorten(json);
  return { ...json, type: 'object' };
}

/** Arguments with a number of rows. */
const ROWS = ['limit', 'page_size'];

const TEXT = '{"type":"string"}';

/** Matches the schema of a text, a number or a boolean, or of an object that may be `null`. */
const PLAIN = /^\{"type":("string"|"number"|"boolean"|\[.*)\}$/;

/**
 * Shortens the schema of a result, because a host sends it with every conversation. A required plain value is listed
 * only in `required`, and an optional text is listed only in the description. A list of texts has no item type, and an
 * object with listed properties has no type. A newer version may have more properties.
 */
function shorten(json: JsonSchema): void {
  const { properties = {}, required = [], anyOf = [] } = json;
  for (const part of [json.items, ...Object.values(properties), ...(anyOf as JsonSchema[])])
    if (typeof part === 'object' && part !== null) shorten(part as JsonSchema);
  const [inner, other] = anyOf as JsonSchema[];
  if (inner && JSON.stringify(other) === '{"type":"null"}') {
    const { type, ...names } = inner;
    delete json.anyOf;
    // An object with properties does not need the type `null`, because results leave out `null`. Other objects need both types.
    if (!names.properties && !names.required && names.description) names.type = type;
    Object.assign(json, Object.keys(names).length === 0 ? { type: [type, 'null'] } : names);
    return;
  }
  delete json.required;
  delete json.additionalProperties;
  if (JSON.stringify(json.items) === TEXT) delete json.items;
  const [always, texts]: [string[], string[]] = [[], []];
  for (const [name, property] of Object.entries(properties)) {
    // A value that is `null` is left out of the result.
    const isNullable = Array.isArray(property.type) && property.type[0] !== 'object';
    if (isNullable) property.type = (property.type as string[])[0];
    const isPlain = PLAIN.test(JSON.stringify(property));
    if (required.includes(name) && !isNullable && isPlain) always.push(name);
    else if (JSON.stringify(property) === TEXT) texts.push(name);
    else continue;
    delete properties[name];
  }
  if (Object.keys(properties).length === 0) delete json.properties;
  if (always.length > 0) json.required = always;
  if (texts.length > 0) json.description = [json.description, texts.join(', ')].filter(Boolean).join('. ');
  if (json.enum || json.properties || json.required) delete json.type;
}

type Issue = z.core.$ZodRawIssue;

/** The mistake in an argument, and the values that are correct. */
function wordsOf(issue: Issue, owner: string): string {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = Object.keys((issue.inst as unknown as z.ZodMiniObject)._zod.def.shape);
      if (known.length === 0) return `${owner} takes no arguments.`;
      return `${owner} takes no argument ${issue.keys.map(shown).join(', ')}; it takes: ${known.join(', ')}.`;
    }
    case 'invalid_type':
      return issue.input === undefined ? 'is missing.' : `must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `${Array.isArray(issue.input) ? 'takes one value, not a list. It ' : ''}${oneOf(issue.values.map(String), issue.input)}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty.' : `must be a whole number of at least ${issue.minimum}.`;
    case 'too_big':
      return `must ${TOO_BIG[issue.origin]?.(issue.maximum) ?? `be at most ${issue.maximum}.`}`;
    case 'invalid_union':
      return 'must be a text or a list of texts.';
    default:
      return 'cannot be used.';
  }
}

/** The rest of a sentence that begins with the name of an argument. The nearest value comes first. */
export function oneOf(values: readonly string[], given: unknown): string {
  const list = `must be one of: ${values.join(', ')}.`;
  const meant = typeof given === 'string' ? hintOf(given.slice(0, MAX_TEXT), values) : '';
  return meant ? `has no value ${quoted(shown(visible(given as string)))}.${meant} It ${list}` : list;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  array: 'a list',
  object: 'an object',
};

const TOO_BIG: Readonly<Record<string, (maximum: unknown) => string>> = {
  string: maximum => `be at most ${maximum} characters long.`,
  array: maximum => `have at most ${maximum} items.`,
};

/** The name or the value of an argument, shortened. */
function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
