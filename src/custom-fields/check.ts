import { NotFoundError } from '../errors.ts';
import type { CustomFieldDefinition, CustomFieldOption } from '../model/index.ts';
import type { CustomFieldOwner } from './description.ts';
import { CustomFieldDefinitionError, type CustomFieldProblem } from './errors.ts';
import type { Field, FieldsByOwner } from './fields.ts';
import type { CustomFieldGroups } from './groups.ts';

/** The `entity_type` names of the definitions for each type of record (docs/service/custom-fields.md#entity-names). */
export const ENTITY_TYPES: Record<CustomFieldOwner, readonly string[]> = {
  shipment: ['Shipment'],
  container: ['Container', 'Cargo'],
  tracking_request: ['TrackingRequest', 'Shipment'],
};

/**
 * Options for reading all definitions. The default priority of lists is `bulk`, but here a caller waits for the result.
 */
const WHOLE = { pageSize: 100, priority: 'interactive' } as const;

/**
 * The service uses the account of the credential for every value of this id. So the check does not need a request for
 * the real id.
 */
const ANY_ACCOUNT = '00000000-0000-0000-0000-000000000000';

type Options = (definition: CustomFieldDefinition) => Promise<readonly CustomFieldOption[]>;

/** @throws {CustomFieldDefinitionError} with every described field that differs from its definition. */
export async function checkDefinitions(groups: CustomFieldGroups, fields: FieldsByOwner): Promise<void> {
  if (![...fields.values()].some(({ length }) => length > 0)) return;
  const definitions = await definitionsOf(groups);
  const optionsById = new Map<string, Promise<CustomFieldOption[]>>();
  const options: Options = ({ id }) => {
    const known = optionsById.get(id) ?? groups.customFieldOptions.list(id, WHOLE).toArray();
    optionsById.set(id, known);
    return known;
  };
  const problems = await Promise.all(
    [...fields].flatMap(([owner, described]) => described.map(field => problemOf(owner, field, definitions, options))),
  );
  const found = problems.filter(problem => problem !== undefined);
  if (found.length === 0) return;
  const sentences = found.map(({ message }) => message).join(' ');
  throw new CustomFieldDefinitionError(`The described custom fields differ from the definitions: ${sentences}`, found);
}

/**
 * Reads the definitions of the account, without templates. If the service responds 404, the list of all definitions is
 * read instead: in such a service, that list contains no templates.
 */
async function definitionsOf(groups: CustomFieldGroups): Promise<CustomFieldDefinition[]> {
  try {
    return await groups.accounts.customFieldDefinitions(ANY_ACCOUNT, WHOLE).toArray();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return groups.customFieldDefinitions.list(WHOLE).toArray();
  }
}

async function problemOf(
  owner: CustomFieldOwner,
  field: Field,
  definitions: readonly CustomFieldDefinition[],
  options: Options,
): Promise<CustomFieldProblem | undefined> {
  const { title, slug, dataType, referenceType } = field;
  const problem = (reason: CustomFieldProblem['reason'], message: string): CustomFieldProblem => ({
    field: title,
    api_slug: slug,
    reason,
    message: `${title}: ${message}`,
  });

  const named = definitions.filter(({ api_slug }) => api_slug === slug);
  const [other] = named;
  if (other === undefined) return problem('missing', `there is no definition with the api_slug ${slug}.`);
  const definition = named.find(({ entity_type }) => ENTITY_TYPES[owner].includes(entity_type));
  if (definition === undefined) {
    return problem(
      'entity_type',
      `the definition ${slug} is for ${other.entity_type}, not for ${ENTITY_TYPES[owner][0]}.`,
    );
  }
  if (definition.data_type !== dataType) {
    return problem('data_type', `the definition ${slug} has the data type ${definition.data_type}, not ${dataType}.`);
  }
  if (referenceType !== undefined && definition.reference_type !== referenceType) {
    const actual = definition.reference_type ?? 'nothing';
    return problem('reference_type', `the definition ${slug} refers to ${actual}, not to ${referenceType}.`);
  }
  if (field.options.length === 0) return undefined;

  const existing = (await options(definition)).map(({ value }) => value);
  const unknown = field.options.filter(option => !existing.includes(option));
  if (unknown.length === 0) return undefined;
  return problem(
    'options',
    `the definition ${slug} has no option ${unknown.join(', ')}; it has: ${existing.join(', ') || 'none'}.`,
  );
}
