import { isRecord } from '../../src/jsonapi/document.ts';
import { answerOf, description, type Fields, fieldName, type operations } from './description.ts';

/** A value that no field has, unless it takes anything. */
const WRONG = [[['wrong']]];

const TAKES_ANYTHING = /unknown|json|custom_field_value/;

/** The same answer with a wrong value in its first field: what a schema has to refuse. `undefined` for an answer without fields. */
export function damaged(operation: (typeof operations)[number], text: string): string | undefined {
  const { shape, type } = answerOf(operation);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isRecord(body)) return undefined;
  if (shape === 'json') return JSON.stringify({ ...body, [firstField(description.types[type] as Fields)]: WRONG });
  const [record] = [body.data].flat() as { attributes?: object }[];
  if (!record) return undefined;
  const field = firstField(description.records[type]?.attributes ?? {});
  record.attributes = { ...record.attributes, [field]: WRONG };
  return JSON.stringify(body);
}

function firstField(fields: Fields): string {
  const [key = ''] = Object.entries(fields).find(([, type]) => !TAKES_ANYTHING.test(type)) ?? [];
  return fieldName(key).name;
}
