import type { JsonSchema } from './build.ts';

/** What is wrong with the arguments of a call, in words that help to write them right. Empty if nothing is. */
export function problemsOf(schema: JsonSchema, value: unknown, owner: string): string[] {
  const { properties = {}, required = [] } = schema;
  if (!isObject(value)) return [`The arguments of ${owner} must be an object.`];
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name));
  const missing = required.filter(name => value[name] === undefined);
  return [
    ...(unknown.length > 0 ? [unknownArguments(unknown, owner, Object.keys(properties))] : []),
    ...missing.map(name => `${name} is missing.`),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      return given === undefined ? [] : problemsAt(name, property, given);
    }),
  ];
}

function unknownArguments(names: string[], owner: string, known: string[]): string {
  return `${owner} takes no argument ${names.map(shown).join(', ')}; it takes: ${known.join(', ')}.`;
}

function problemsAt(where: string, schema: JsonSchema, value: unknown): string[] {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? textProblems(where, schema, value) : [`${where} must be a text.`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${where} must be true or false.`];
    case 'integer': {
      const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = schema;
      if (!Number.isSafeInteger(value) || (value as number) < minimum) {
        return [`${where} must be a whole number of at least ${minimum}.`];
      }
      return (value as number) > maximum ? [`${where} must be at most ${maximum}.`] : [];
    }
    case 'array':
      if (!Array.isArray(value)) return [`${where} must be a list.`];
      if (value.length > (schema.maxItems ?? Infinity)) return [`${where} must have at most ${schema.maxItems} items.`];
      return value.flatMap((item, index) => problemsAt(`${where}.${index}`, schema.items ?? {}, item));
    case 'object':
      if (!isObject(value)) return [`${where} must be an object of texts.`];
      if (Object.keys(value).length > (schema.maxProperties ?? Infinity)) {
        return [`${where} must have at most ${schema.maxProperties} names.`];
      }
      return Object.entries(value).flatMap(([name, item]) =>
        problemsAt(`${where}.${shown(name)}`, schema.additionalProperties as JsonSchema, item),
      );
    default:
      return [];
  }
}

/** Control characters but those between words, and halves of characters. */
const UNSENDABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

function textProblems(where: string, schema: JsonSchema, value: string): string[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (schema.enum && !schema.enum.includes(value)) return [`${where} must be one of: ${schema.enum.join(', ')}.`];
  if (value.trim().length < minLength) return [`${where} must not be empty.`];
  if (value.length > maxLength) return [`${where} must be at most ${maxLength} characters long.`];
  // The service fails on some of them.
  if (UNSENDABLE.test(value)) return [`${where} must not have control characters.`];
  if (pattern && !new RegExp(pattern).test(value)) return [`${where} must be an id as the tools give it, a UUID.`];
  return [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name that somebody else has chosen. */
function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
