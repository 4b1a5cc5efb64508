import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument, type Schema } from './generate-openapi.ts';

/**
 * The closed schemas of the OpenAPI document: an attribute that is not described is wrong, and so is an unknown value.
 * The published schemas are open, because the service may extend them.
 */
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'service', ...(closed(openApiDocument()) as Schema) });

/**
 * The differences between a value and the schema of a component: `attributes/city must NOT have unevaluated
 * properties`.
 */
export function schemaComplaints(component: string, value: unknown): string[] {
  const validate = ajv.getSchema(`service#/components/schemas/${component}`);
  if (!validate) return [`${component} is not described`];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [component + instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)])) as Schema;
  const [known, any] = (inner.anyOf as Schema[] | undefined) ?? [];
  if (known?.enum && any?.type === 'string' && !any.enum) return known;
  const isClosed = inner.type === 'object' && inner.properties && inner.additionalProperties === undefined;
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
