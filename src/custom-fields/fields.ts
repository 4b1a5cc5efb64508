import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  nonBlankStrings,
  objectArgument,
  oneOf,
  refuseUnknownNames,
  requiredText,
} from '../internal/arguments.ts';
import type { CustomFieldDataType } from '../model/index.ts';
import type { CustomFieldDescription, CustomFieldDescriptions, CustomFieldOwner } from './description.ts';

/** One described field, with its defaults filled in. */
export interface Field {
  /** Name of the field in the description. */
  name: string;
  /** The name for messages, with the record type: `shipment.priority`. */
  title: string;
  slug: string;
  dataType: CustomFieldDataType;
  /** The options; empty if the data type does not have options. */
  options: readonly string[];
  referenceType: string | undefined;
  nullable: boolean;
}

export type FieldsByOwner = ReadonlyMap<CustomFieldOwner, readonly Field[]>;

export const OWNERS: readonly CustomFieldOwner[] = ['shipment', 'container', 'tracking_request'];

const DATA_TYPES: readonly CustomFieldDataType[] = [
  'short_text',
  'number',
  'decimal',
  'date',
  'datetime',
  'boolean',
  'enum',
  'enum_multi',
  'reference',
];

/** @throws {ConfigurationError} for a description that contradicts itself. */
export function readDescriptions(descriptions: CustomFieldDescriptions): FieldsByOwner {
  const example = "{ shipment: { buyer: 'short_text' } }";
  refuseUnknownNames(
    'The description of custom fields',
    objectArgument('The description', descriptions, example),
    OWNERS,
  );
  return new Map(
    OWNERS.map(owner => {
      const described = objectArgument(owner, descriptions[owner] ?? {}, "{ buyer: 'short_text' }");
      const fields = Object.entries(described).map(([name, given]) => readDescription(owner, name, given));
      refuseSharedSlugs(fields);
      return [owner, fields];
    }),
  );
}

function readDescription(owner: CustomFieldOwner, name: string, given: CustomFieldDescription): Field {
  const title = `${owner}.${name}`;
  const described = objectArgument(
    title,
    typeof given === 'string' ? { data_type: given } : given,
    "{ data_type: 'enum', options: ['low', 'high'] }",
  );
  const dataType = oneOf(`${title}.data_type`, described.data_type, DATA_TYPES);
  const isEnum = dataType === 'enum' || dataType === 'enum_multi';
  const more = isEnum ? ['options'] : dataType === 'reference' ? ['reference_type'] : [];
  refuseUnknownNames(title, described, ['data_type', 'api_slug', 'nullable', ...more]);
  const { api_slug: slug = name, nullable = true } = described;
  if (typeof nullable !== 'boolean') {
    throw new ConfigurationError(`${title}.nullable is ${describeValue(nullable)}; it must be true or false.`);
  }
  return {
    name,
    title,
    slug: requiredText(`${title}.api_slug`, slug),
    dataType,
    options: 'options' in described ? optionsOf(title, described.options) : isEnum ? optionsOf(title, undefined) : [],
    referenceType:
      dataType === 'reference'
        ? requiredText(`${title}.reference_type`, 'reference_type' in described ? described.reference_type : undefined)
        : undefined,
    nullable,
  };
}

function optionsOf(title: string, given: unknown): readonly string[] {
  const options = nonBlankStrings(`${title}.options`, given);
  if (options.length > 0) return options;
  throw new ConfigurationError(`${title}.options is empty; it must hold the value of each option.`);
}

function refuseSharedSlugs(fields: readonly Field[]): void {
  const titles = new Map<string, string>();
  for (const { slug, title } of fields) {
    const other = titles.get(slug);
    if (other !== undefined) throw new ConfigurationError(`${other} and ${title} have the same api_slug: ${slug}.`);
    titles.set(slug, title);
  }
}
