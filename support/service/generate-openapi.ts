import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  type Body,
  description,
  type Field,
  type NamedType,
  type Operation,
  operations,
  type RecordType,
  type Relationship,
  withFieldsOf,
} from './description.ts';
import { NOT_IN_OPENAPI } from './exceptions.ts';
import type { TypeNode } from './type-expression.ts';
import { type Direction, docOf, pascal, serviceTypes } from './type-text.ts';

export type Schema = Record<string, unknown>;

const JSON_API = 'application/vnd.api+json';

/** The description as a document of OpenAPI 3.1. */
export function openApiDocument(): Schema {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const documented = operations.filter(({ name }) => !(name in NOT_IN_OPENAPI));
  const paths: Record<string, Schema> = {};
  for (const operation of documented) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: operationObject(operation) };
  }
  const tags = [...new Set(documented.map(tagOf))].map(name => ({ name }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Container tracking service',
      version,
      description:
        'Tracks ocean shipments and containers. The known values of an enumeration may be extended at any time.',
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'https://host.example/v2' } } }],
    security: [{ apiKey: [] }, { accessToken: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <key>`' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'An OAuth access token.' },
      },
      responses: Object.fromEntries(
        [...new Set(documented.flatMap(({ errors }) => errors)), 401]
          .sort()
          .map(status => [`Error${status}`, errorResponse(status)]),
      ),
      schemas: schemas(),
    },
  };
}

function schemas(): Record<string, Schema> {
  const records = [...description.records.values()].map(record => [pascal(record.type), recordSchema(record)]);
  const ofService = [...description.types.values()].filter(({ name }) => serviceTypes.has(name));
  const types = ofService.map(type => [pascal(type.name), namedSchema(type)]);
  return {
    ...Object.fromEntries(records),
    ...Object.fromEntries(types),
    Errors: ERRORS,
    Links: { type: 'object', additionalProperties: { type: ['string', 'null', 'object'] } },
    Resource: {
      type: 'object',
      description: 'Any record that was included.',
      required: ['type', 'id'],
      properties: { type: { type: 'string' }, id: { type: 'string' } },
    },
  };
}

function operationObject(operation: Operation): Schema {
  const { name, doc, note, path, query, include, body, status, errors, bucket, feature } = operation;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const [summary = '', ...more] = doc.split(/(?<=\.) /);
  const text = [...more, note].filter(Boolean).join(' ');
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    ...(text && { description: text }),
    parameters: [...inPath, ...query.map(queryParameter), ...(include ? [includeParameter(include)] : [])],
    ...(body && { requestBody: requestBody(operation, body) }),
    responses: {
      ...Object.fromEntries(status.map(each => [each, response(operation, each)])),
      ...Object.fromEntries([401, ...errors].map(each => [each, { $ref: `#/components/responses/Error${each}` }])),
    },
    ...(bucket && { 'x-rate-limit-bucket': bucket }),
    ...(feature && { 'x-feature': feature }),
  };
}

/** The tag is the first word of the name: `shipments.customFields.set` belongs to the shipments. */
function tagOf({ name }: Operation): string {
  return name.split('.')[0] ?? name;
}

function queryParameter(field: Field): Schema {
  return {
    name: field.name,
    in: 'query',
    required: !field.optional,
    ...(field.type.kind === 'array' && { style: 'form', explode: false }),
    ...(field.doc && { description: field.doc }),
    schema: schemaOf(field.type, 'sent'),
  };
}

/** Paths may continue below these relationships, so the parameter is not an enumeration. */
function includeParameter(include: readonly string[]): Schema {
  return {
    name: 'include',
    in: 'query',
    style: 'form',
    explode: false,
    description: 'The related records to include in the response.',
    schema: { type: 'array', items: { type: 'string', examples: include } },
  };
}

function requestBody(
  { method, path }: Operation,
  { form, type, mediaType, attributes, relationships, doc }: Body,
): Schema {
  if (form === 'bytes') return { content: { 'application/octet-stream': {} } };
  const fields = objectSchema(attributes, 'sent');
  const related = relationships.length > 0 && { relationships: relationshipsSchema(relationships) };
  // The slug in the path identifies the value already.
  const needsId = method === 'PATCH' && !path.endsWith('/{api_slug}');
  const data = {
    type: 'object',
    required: ['type', ...(needsId ? ['id'] : []), 'attributes'],
    properties: { type: { const: type }, id: { type: 'string' }, attributes: fields, ...related },
  };
  const schema = form === 'plain' ? fields : { type: 'object', required: ['data'], properties: { data } };
  const required = attributes.some(({ optional }) => !optional);
  return { ...(doc && { description: doc }), required, content: { [mediaType ?? JSON_API]: { schema } } };
}

function response({ answer, links, meta, name }: Operation, status: number): Schema {
  const text = status === 204 || answer.shape === 'nothing' ? 'Done.' : 'The answer.';
  if (answer.shape === 'nothing') return { description: text };
  const reference = { $ref: `#/components/schemas/${pascal(answer.type)}` };
  if (answer.shape === 'json') return { description: text, content: { [JSON_API]: { schema: reference } } };
  const isArray = answer.shape !== 'one';
  const data = isArray ? { type: 'array', items: reference } : reference;
  const schema = {
    type: 'object',
    required: ['data'],
    properties: {
      // A response was seen with one record in place of an array with one record.
      data: name === 'webhookNotifications.examples' ? { anyOf: [data, reference] } : data,
      included: { type: 'array', items: { $ref: '#/components/schemas/Resource' } },
      links: { $ref: '#/components/schemas/Links', ...(links && { 'x-known': links }) },
      meta: { type: 'object', ...(meta && { 'x-known': meta }), properties: { total: { type: 'integer' } } },
    },
  };
  return { description: text, content: { [JSON_API]: { schema } } };
}

function recordSchema({ type, doc, identity, attributes, relationships }: RecordType): Schema {
  const properties = {
    id: { type: 'string' },
    type: identity === 'open' ? { type: 'string', examples: [type] } : { const: type },
    attributes: objectSchema(attributes, 'received'),
    ...(relationships.length > 0 && { relationships: relationshipsSchema(relationships) }),
    links: { $ref: '#/components/schemas/Links' },
  };
  const required =
    identity === 'optional' ? ['attributes'] : ['id', 'type', ...(attributes.length > 0 ? ['attributes'] : [])];
  return { type: 'object', description: doc, required, properties };
}

function relationshipsSchema(relationships: readonly Relationship[]): Schema {
  const properties = relationships.map(({ name, types, cardinality, doc }) => {
    const type = types.length > 0 ? { enum: types } : { type: 'string' };
    const one = { type: 'object', required: ['type', 'id'], properties: { type, id: { type: 'string' } } };
    const data =
      cardinality === 'many'
        ? { type: 'array', items: one }
        : cardinality === 'one'
          ? one
          : { anyOf: [one, { type: 'null' }] };
    return [name, { type: 'object', description: doc, properties: { data } }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function namedSchema(type: NamedType): Schema {
  return { ...bareSchema(type, 'received'), ...(type.doc && { description: type.doc }) };
}

function bareSchema(type: NamedType, direction: Direction): Schema {
  switch (type.kind) {
    case 'values':
      return valuesSchema(type.values, direction === 'sent');
    case 'object':
      return objectSchema(withFieldsOf(type, () => true).fields, direction);
    case 'alias':
      return schemaOf(type.type, direction);
  }
}

function objectSchema(fields: readonly Field[], direction: Direction): Schema {
  const known = fields.filter(({ name }) => name !== '*');
  const other = fields.find(({ name }) => name === '*');
  const required = known.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(known.map(field => [field.name, fieldSchema(field, direction)])),
    ...(other && { additionalProperties: schemaOf(other.type, direction) }),
  };
}

function fieldSchema(field: Field, direction: Direction): Schema {
  const { type, deprecated, zone, unit, example } = field;
  const text = docOf({ ...field, deprecated: '' }) || deprecated;
  return {
    ...schemaOf(type, direction),
    ...(text && { description: text }),
    ...(deprecated && { deprecated: true }),
    ...(example !== undefined && { examples: [example] }),
    ...(zone && { 'x-timezone': zone }),
    ...(unit && { 'x-unit': unit }),
  };
}

/** Known values in responses are not an `enum`: a new value must not break a reader. */
function valuesSchema(values: readonly string[], closed: boolean): Schema {
  return closed ? { type: 'string', enum: values } : { anyOf: [{ type: 'string', enum: values }, { type: 'string' }] };
}

const SCALARS: Record<string, Schema> = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  json: { type: 'object' },
  unknown: {},
  null: { type: 'null' },
};

function schemaOf(node: TypeNode, direction: Direction): Schema {
  switch (node.kind) {
    case 'union':
      return unionSchema(node.of.map(part => schemaOf(part, direction)));
    case 'array':
      return { type: 'array', items: schemaOf(node.of, direction) };
    case 'tuple':
      return tupleSchema(node.of.map(part => schemaOf(part, direction)));
    case 'change':
      return tupleSchema([schemaOf(node.of, direction), schemaOf(node.of, direction)]);
    case 'literal':
      return { const: node.text.startsWith("'") ? node.text.slice(1, -1) : Number(node.text) };
    case 'values':
      return valuesSchema(node.values, direction === 'sent');
    case 'object':
      return objectSchema(withFieldsOf(node, () => true).fields, direction);
    case 'applied':
      return objectSchema(withFieldsOf({ bases: [node], fields: [] }, () => true).fields, direction);
    case 'name': {
      const scalar = SCALARS[node.name];
      if (scalar) return { ...scalar };
      const type = description.types.get(node.name);
      // Types of requests are written inline, since their enumerations are closed.
      if (direction === 'sent' && type) return bareSchema(type, 'sent');
      return { $ref: `#/components/schemas/${pascal(node.name)}` };
    }
  }
}

/** Mock servers and generators support `items` better than `prefixItems`. */
function tupleSchema(items: readonly Schema[]): Schema {
  const [first, ...others] = items;
  const isAlike = others.every(item => isDeepStrictEqual(item, first));
  const length = { minItems: items.length, maxItems: items.length };
  return { type: 'array', ...(isAlike ? { items: first } : { prefixItems: items }), ...length };
}

/** The schema of a union. For `string | null`, it is one schema whose `type` has both names. */
function unionSchema(parts: readonly Schema[]): Schema {
  const constants = parts.map(part => part.const);
  if (constants.every(value => value !== undefined)) return { enum: constants };
  const [first, second] = parts;
  const isNullable = parts.length === 2 && second?.type === 'null' && typeof first?.type === 'string';
  return isNullable ? { ...first, type: [first.type, 'null'] } : { anyOf: parts };
}

const ERRORS: Schema = {
  type: 'object',
  description: 'Other forms occur: `error` in place of `errors`, a text, an HTML page.',
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          status: { type: ['string', 'null'] },
          title: { type: ['string', 'null'] },
          detail: { type: ['string', 'null'] },
          code: { type: ['string', 'null'] },
          source: {
            type: ['object', 'null'],
            properties: { pointer: { type: ['string', 'null'] }, parameter: { type: ['string', 'null'] } },
          },
          meta: {},
        },
      },
    },
  },
};

const MEANINGS: Record<number, string> = {
  400: 'A parameter is wrong or missing.',
  401: 'The credential is wrong or missing.',
  403: 'The account does not have the feature.',
  404: 'There is no such record.',
  409: 'A document with the same bytes exists.',
  422: 'A value is wrong, or the record exists.',
  429: 'Too many requests.',
};

/** The responses with a given status. Each error of this status is an example. */
function errorResponse(status: number): Schema {
  const named = description.errors.filter(error => error.status === status);
  const examples = (isJson: boolean) =>
    Object.fromEntries(
      named
        .filter(({ body }) => (typeof body !== 'string') === isJson)
        .map(({ name, body }) => [name, { value: body }]),
    );
  const pages = examples(false);
  return {
    description: MEANINGS[status] ?? 'An error.',
    ...(status === 429 && { headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } } }),
    content: {
      [JSON_API]: { schema: { $ref: '#/components/schemas/Errors' }, examples: examples(true) },
      ...(Object.keys(pages).length > 0 && { 'text/html': { examples: pages } }),
    },
  };
}
