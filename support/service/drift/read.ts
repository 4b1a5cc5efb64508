/** The lines that `drift` compares. Each line is one fact, such as `GET /ports/{} 404` or `port.city text or null`. */
export type Facts = ReadonlySet<string>;

type Json = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * The facts of an OpenAPI document, 3.0 or 3.1. Names of path parameters are ignored, and so is a prefix that all paths share.
 * A reference without a target is a schema without facts.
 */
export function factsOf(document: Json): Facts {
  const facts = new Set<string>();
  const reader = new Reader(document, facts);
  const paths = Object.entries(objectIn(document.paths));
  const prefix = prefixOf(paths.map(([path]) => path));
  for (const [path, item] of paths) {
    const shared = listIn(objectIn(item).parameters);
    for (const method of METHODS) {
      const operation = objectIn(item)[method];
      if (!isObject(operation)) continue;
      const name = `${method.toUpperCase()} ${path.slice(prefix.length).replace(/\{[^}]*\}/g, '{}')}`;
      facts.add(name);
      reader.operation(name, operation, shared);
    }
  }
  // Some records are only included in responses for other records: no operation returns them.
  for (const schema of Object.values(objectIn(objectIn(document.components).schemas))) reader.record(schema);
  return facts;
}

class Reader {
  readonly #document: Json;
  readonly #facts: Set<string>;
  /** The schemas of `attributes` that were already read. Each schema is read only once. */
  readonly #read = new Set<unknown>();

  constructor(document: Json, facts: Set<string>) {
    this.#document = document;
    this.#facts = facts;
  }

  operation(name: string, operation: Json, shared: readonly unknown[]): void {
    for (const given of [...shared, ...listIn(operation.parameters)]) {
      const parameter = this.#resolved(given);
      if (parameter.in !== 'query') continue;
      this.#facts.add(`${name} ?${String(parameter.name).replace('[]', '')}`);
      this.#values(`${name} ?${parameter.name}`, this.#resolved(parameter.schema));
    }
    const body = this.#content(operation.requestBody);
    if (body) this.#body(name, body);
    for (const [status, response] of Object.entries(objectIn(operation.responses))) {
      this.#facts.add(`${name} ${status}`);
      const schema = this.#content(response);
      if (schema && /^2/.test(status)) this.#answer(schema);
    }
  }

  #body(name: string, schema: Json): void {
    const data = this.#resolved(this.#properties(schema).data);
    const fields = isObject(data.properties) ? this.#properties(data) : {};
    const attributes = 'attributes' in fields ? this.#resolved(fields.attributes) : schema;
    for (const [field, inner] of Object.entries(this.#properties(attributes))) {
      if (field === 'data') continue;
      this.#facts.add(`${name} body ${field}`);
      this.#values(`${name} body ${field}`, this.#resolved(inner));
    }
    this.#relationships(`${name} body`, fields.relationships);
  }

  /** Reads the records of a response, and the records that it includes. */
  #answer(schema: Json): void {
    const { data, included } = this.#properties(schema);
    for (const part of [data, included]) {
      for (const variant of this.#variants(part)) this.record(variant);
    }
  }

  record(given: unknown): void {
    const schema = this.#resolved(given);
    const properties = this.#properties(schema);
    const { examples, ...kind } = this.#resolved(properties.type);
    // If the schema allows any text as the type of a record, the examples of the schema have the name of the type.
    const type = this.#valuesOf(kind)[0] ?? listIn(examples)[0];
    if (type === undefined || !isObject(properties.attributes) || this.#read.has(properties.attributes)) return;
    this.#read.add(properties.attributes);
    for (const [name, inner] of Object.entries(this.#properties(this.#resolved(properties.attributes)))) {
      const field = this.#resolved(inner);
      this.#facts.add(`${type}.${name}`);
      this.#values(`${type}.${name}`, field);
      const kind = kindOf(this.#typesOf(field));
      if (kind) this.#facts.add(`${type}.${name} ${kind}`);
    }
    this.#relationships(String(type), properties.relationships);
  }

  #relationships(place: string, schema: unknown): void {
    for (const [name, inner] of Object.entries(this.#properties(this.#resolved(schema)))) {
      this.#facts.add(`${place} -> ${name}`);
      const data = this.#properties(this.#resolved(inner)).data;
      for (const target of this.#variants(data)) {
        for (const value of this.#valuesOf(this.#resolved(this.#properties(target).type))) {
          this.#facts.add(`${place} -> ${name} ${value}`);
        }
      }
    }
  }

  #values(place: string, schema: Json): void {
    for (const value of this.#valuesOf(schema)) if (value !== null) this.#facts.add(`${place} = ${value}`);
  }

  #valuesOf(schema: Json): unknown[] {
    if ('const' in schema) return [schema.const];
    const own = listIn(schema.enum);
    const below = [schema.items, ...listIn(schema.anyOf), ...listIn(schema.oneOf)].filter(isObject);
    return [...own, ...below.flatMap(part => this.#valuesOf(this.#resolved(part)))];
  }

  /** The types that a value may have, in all alternatives. */
  #typesOf(schema: Json): string[] {
    const named = [schema.type].flat().filter(type => typeof type === 'string');
    const given = ['const' in schema ? [schema.const] : [], listIn(schema.enum)].flat();
    const parts = [...listIn(schema.anyOf), ...listIn(schema.oneOf)];
    return [
      ...named.map(type => (type === 'integer' ? 'number' : type)),
      ...(named.length > 0 ? [] : given.map(value => (value === null ? 'null' : typeof value))),
      ...(schema.nullable === true ? ['null'] : []),
      ...parts.flatMap(part => this.#typesOf(this.#resolved(part))),
    ];
  }

  /** The schemas that a value may have: the schema of list items, and of each alternative. */
  #variants(schema: unknown): Json[] {
    if (!isObject(schema)) return [];
    const found = this.#resolved(schema);
    if (isObject(found.items)) return this.#variants(found.items);
    const alternatives = [...listIn(found.anyOf), ...listIn(found.oneOf)];
    return alternatives.length > 0 ? alternatives.flatMap(part => this.#variants(part)) : [found];
  }

  #content(given: unknown): Json | undefined {
    const [first] = Object.values(objectIn(this.#resolved(given).content));
    return isObject(first) && isObject(first.schema) ? this.#resolved(first.schema) : undefined;
  }

  #properties(schema: Json): Json {
    return objectIn(schema.properties);
  }

  /** The schema with `$ref` and `allOf` resolved. */
  #resolved(given: unknown, depth = 0): Json {
    if (!isObject(given) || depth > 20) return {};
    const { $ref, allOf, ...own } = given;
    const parts = [
      ...(typeof $ref === 'string' ? [this.#resolved(this.#at($ref), depth + 1)] : []),
      ...listIn(allOf).map(part => this.#resolved(part, depth + 1)),
    ];
    const properties = Object.assign({}, ...[...parts, own].map(part => objectIn(part.properties)));
    return { ...Object.assign({}, ...parts), ...own, ...(Object.keys(properties).length > 0 && { properties }) };
  }

  #at(reference: string): unknown {
    const steps = reference.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (value, step) => objectIn(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
  }
}

const SCALARS = ['boolean', 'number', 'string'];

/** The scalar types of a field, `null` included. Other types are described by their parts. */
function kindOf(types: readonly string[]): string | undefined {
  const scalars = SCALARS.filter(scalar => types.includes(scalar));
  if (scalars.length === 0) return undefined;
  return [...scalars, ...(types.includes('null') ? ['null'] : [])].join(' or ');
}

/** The segments that all paths begin with, such as `/v2`. */
function prefixOf(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  const segments = first.split('/').slice(1, -1);
  let prefix = '';
  for (const segment of segments) {
    const longer = `${prefix}/${segment}`;
    if (segment.startsWith('{') || !others.every(path => path.startsWith(`${longer}/`))) break;
    prefix = longer;
  }
  return others.length > 0 ? prefix : (/^\/v\d+(?=\/)/.exec(first)?.[0] ?? '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
