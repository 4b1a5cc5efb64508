import { ConfigurationError } from '../errors.ts';
import { objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import { isIdentifier, type ResourceIdentifier } from './document.ts';

export interface RequestDocument {
  data: {
    type: string;
    id?: string;
    attributes: Record<string, unknown>;
    relationships?: Record<string, { data: ResourceIdentifier | null }>;
  };
}

/**
 * The request body for flat attributes: `{ data: { type, id?, attributes, relationships? } }`.
 *
 * `relationships` lists the keys that are relationships and not attributes. The shape of a value does not show the difference:
 * the value of a custom field may be a `{ type, id }` too.
 *
 * @param options.only the names that an attribute may have. @default any name
 * @throws {ConfigurationError} if the attributes are not an object, if a name is not in `only`, or if a relationship is
 *   not `{ type, id }`.
 */
export function requestDocument(
  type: string,
  attributes: object,
  options: { id?: string; relationships?: readonly string[]; only?: readonly string[] } = {},
): RequestDocument {
  const given: Record<string, unknown> = { ...objectArgument(`The ${type}`, attributes, "{ name: 'value' }") };
  if (options.only) refuseUnknownNames(`The ${type}`, given, options.only);
  const data: RequestDocument['data'] = { type, attributes: given };
  if (options.id !== undefined) data.id = options.id;
  for (const name of options.relationships ?? []) {
    const target = given[name];
    delete given[name];
    if (target === undefined) continue;
    if (target !== null && !isIdentifier(target)) {
      throw new ConfigurationError(`${name} must be { type, id }: the type and the id of an existing record.`);
    }
    data.relationships ??= {};
    data.relationships[name] = { data: target && { type: target.type, id: target.id } };
  }
  return { data };
}
