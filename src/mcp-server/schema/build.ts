/** JSON Schemas together with the type that they stand for. The protocol wants the one, and the compiler the other. */

/** A JSON Schema of the dialect 2020-12, as far as it is used here. */
export interface JsonSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  maxProperties?: number;
  anyOf?: JsonSchema[];
}

export class Schema<T> {
  readonly json: JsonSchema;
  /** Never there: only the compiler sees it. */
  declare readonly type: T;

  constructor(json: JsonSchema) {
    this.json = json;
  }

  /** The same with a description, which a model reads. */
  describe(description: string): this {
    return new (this.constructor as new (json: JsonSchema) => this)({ ...this.json, description });
  }
}

/** Of a property that may be missing. */
export class Optional<T> extends Schema<T | undefined> {
  declare readonly optional: true;
}

export class ObjectSchema<T> extends Schema<T> {
  /** The same with more properties. */
  extend<S extends Shape>(shape: S): ObjectSchema<T & Properties<S>> {
    const { properties, required } = propertiesOf(shape);
    const { json } = this;
    return new ObjectSchema({
      ...json,
      properties: { ...json.properties, ...properties },
      required: [...(json.required ?? []), ...required],
    });
  }
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

export type Shape = Readonly<Record<string, Schema<unknown>>>;

type OptionalNames<S extends Shape> = { [K in keyof S]: S[K] extends Optional<unknown> ? K : never }[keyof S];

export type Properties<S extends Shape> = { [K in Exclude<keyof S, OptionalNames<S>>]: Infer<S[K]> } & {
  [K in OptionalNames<S>]?: Infer<S[K]>;
};

export function string(limits: Pick<JsonSchema, 'minLength' | 'maxLength'> = {}): Schema<string> {
  return new Schema({ type: 'string', ...limits });
}

export function uuid(): Schema<string> {
  return new Schema({ type: 'string', format: 'uuid', pattern: UUID.source });
}

/** Any variant and version: ids of a service are what it says. */
export const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export function number(): Schema<number> {
  return new Schema({ type: 'number' });
}

/** A whole number from 1. */
export function positive(limits: Pick<JsonSchema, 'maximum'> = {}): Schema<number> {
  return new Schema({ type: 'integer', minimum: 1, ...limits });
}

export function boolean(): Schema<boolean> {
  return new Schema({ type: 'boolean' });
}

export function oneOf<const Names extends readonly string[]>(names: Names): Schema<Names[number]> {
  return new Schema({ type: 'string', enum: names });
}

export function array<T>(item: Schema<T>, limits: Pick<JsonSchema, 'maxItems'> = {}): Schema<T[]> {
  return new Schema({ type: 'array', items: item.json, ...limits });
}

/** Texts under any names. */
export function texts(item: Schema<string>, limits: Pick<JsonSchema, 'maxProperties'>): Schema<Record<string, string>> {
  return new Schema({ type: 'object', additionalProperties: item.json, ...limits });
}

/** Not a list of types, which some clients do not take. */
export function nullable<T>({ json }: Schema<T>): Schema<T | null> {
  return new Schema({ anyOf: [json, { type: 'null' }] });
}

export function optional<T>({ json }: Schema<T>): Optional<T> {
  return new Optional(json);
}

export function either<A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> {
  return new Schema({ anyOf: [a.json, b.json] });
}

/** With these properties and no others. */
export function object<S extends Shape>(shape: S): ObjectSchema<Properties<S>> {
  return new ObjectSchema({ type: 'object', ...propertiesOf(shape), additionalProperties: false });
}

/** With these properties, and others of any kind. */
export function open<S extends Shape>(shape: S): ObjectSchema<Properties<S> & Record<string, unknown>> {
  return new ObjectSchema({ type: 'object', ...propertiesOf(shape) });
}

function propertiesOf(shape: Shape): { properties: Record<string, JsonSchema>; required: string[] } {
  const entries = Object.entries(shape);
  return {
    properties: Object.fromEntries(entries.map(([name, { json }]) => [name, json])),
    required: entries.filter(([, schema]) => !(schema instanceof Optional)).map(([name]) => name),
  };
}
