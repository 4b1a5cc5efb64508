import type { CustomFieldValue } from '../../model/index.ts';
import type { Backend } from '../state/backend.ts';
import type { CustomFieldDefinition } from '../state/store.ts';
import type { ContainerFacts } from './facts.ts';
import { booleanOf, dayTest, type Given, malformed, scalarOf, type Test } from './filter-values.ts';

type ValueTest = (values: readonly CustomFieldValue[]) => boolean;

/** The values of custom fields, of the container or of its shipment. Unknown slugs are ignored. */
export function customFields(given: Given, { backend }: { backend: Backend }): Test<ContainerFacts> | null {
  if (given.scalar !== undefined || given.array.length > 0) malformed(given, 'takes an object, by slug');
  const tests = [...given.members].flatMap(([slug, wanted]) => fieldTest(backend, slug, wanted) ?? []);
  return tests.length === 0 ? null : facts => tests.every(test => test(facts));
}

function fieldTest(backend: Backend, slug: string, given: Given): Test<ContainerFacts> | null {
  const definitions = backend.store.customFieldDefinitions
    .newestFirst()
    .filter(definition => definition.slug === slug && definition.entityType !== 'TrackingRequest');
  const [definition] = definitions;
  const test = definition && valueTest(definition, given, backend);
  if (!test) return null;
  const values = new Map<string, CustomFieldValue[]>();
  for (const { definition: its, entity, value } of backend.store.customFields.newestFirst()) {
    if (value !== null && definitions.includes(its)) values.set(entity.id, [...(values.get(entity.id) ?? []), value]);
  }
  return ({ container, shipment }) => test([...(values.get(container.id) ?? []), ...(values.get(shipment.id) ?? [])]);
}

/** @returns `null` for a type of data that cannot be filtered by. */
function valueTest({ dataType }: CustomFieldDefinition, given: Given, backend: Backend): ValueTest | null {
  const wanted = scalarOf(given);
  if (dataType === 'reference') return null;
  if (wanted === '@exists') return values => values.length > 0;
  if (wanted === '@not_exists') return values => values.length === 0;
  switch (dataType) {
    case 'short_text':
    case 'enum':
    case 'enum_multi':
      return contains(wanted.split(','));
    case 'boolean': {
      const value = booleanOf(given);
      return values => values.includes(value);
    }
    case 'number':
    case 'decimal': {
      const number = /^-?\d+(?:\.\d+)?$/.test(wanted) ? Number(wanted) : malformed(given, 'must be a number');
      return values => values.includes(number);
    }
    case 'date':
    case 'datetime': {
      const isDay = dayTest(given, wanted, backend);
      return values => values.some(value => isDay(utc(String(value))));
    }
  }
}

/** Any of the texts, in upper and lower case as they are. */
function contains(texts: string[]): ValueTest {
  return values => {
    if (texts.includes(values.length > 0 ? '@exists' : '@not_exists')) return true;
    return values.flat().some(value => texts.some(text => String(value).includes(text)));
  };
}

/** A time with another zone, in that of the filter. */
function utc(value: string): string {
  return value.length > 10 ? new Date(value).toISOString() : value;
}
