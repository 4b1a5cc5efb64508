import type { StandardSchemaWithJSON } from '../protocol.ts';
import type { JsonSchema, Schema } from './build.ts';
import { problemsOf } from './check.ts';

/** The schema of arguments as the protocol's package takes it, made on first use. */
export function inputSchema<T>(owner: string, make: () => Schema<T>): StandardSchemaWithJSON<T> {
  const json = once(() => make().json);
  return standard<T>(json, value => {
    const problems = problemsOf(json(), value, owner);
    if (problems.length === 0) return { value: value as T };
    return { issues: [{ message: problems.join(' ') }] };
  });
}

/** The schema of results. They are made by us and need no check: tests hold them to it. */
export function outputSchema(make: () => Schema<unknown>): StandardSchemaWithJSON {
  return standard(
    once(() => make().json),
    value => ({ value }),
  );
}

function standard<T>(
  json: () => JsonSchema,
  validate: (value: unknown) => { value: T } | { issues: { message: string }[] },
): StandardSchemaWithJSON<T> {
  const converted = () => json() as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'container-tracking-sdk',
      validate,
      jsonSchema: { input: converted, output: converted },
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
