import { isRecord } from '../../src/jsonapi/document.ts';
import { description, type Field, type Operation } from './description.ts';
import { namesIn } from './type-expression.ts';

/** A value that is wrong for every field, except for a field of any type. */
const WRONG = [[['wrong']]];

const TAKES_ANYTHING = ['unknown', 'json', 'custom_field_value'];

/**
 * The response with a wrong value in its first field. A schema must refuse this response. `undefined` for a response
 * without fields.
 */
export function damaged(operation: Operation, text: string): string | undefined {
  const { shape, type } = operation.answer;
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isRecord(body)) return undefined;
  if (shape === 'json') return JSON.stringify({ ...body, [firstField(fieldsOf(type))]: WRONG });
  const [record] = [body.data].flat() as { attributes?: object }[];
  if (!record) return undefined;
  const field = firstField(description.records.get(type)?.attributes ?? []);
  record.attributes = { ...record.attributes, [field]: WRONG };
  return JSON.stringify(body);
}

function fieldsOf(name: string): readonly Field[] {
  const type = description.types.get(name);
  return type?.kind === 'object' ? type.fields : [];
}

function firstField(fields: readonly Field[]): string {
  return fields.find(({ type }) => !namesIn(type).some(name => TAKES_ANYTHING.includes(name)))?.name ?? '';
}
