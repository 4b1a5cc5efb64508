import { isDeepStrictEqual } from 'node:util';
import { isIdentifier, isRecord, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import { operations } from './description.ts';

type Linked = Record<string, unknown>;

/**
 * The parts of a response that are missing in the value that the method returns. Every attribute, relationship, link
 * and meta is checked. This applies to every record, and also to the included records that can be reached.
 */
export function lostFields(operation: string, text: string, value: unknown): string[] {
  const described = operations.find(({ name }) => name === operation);
  if (!described || text === '') return [];
  const { shape } = described.answer;
  const body: unknown = JSON.parse(text);
  if (shape === 'json') return isDeepStrictEqual(value, body) ? [] : ['the value is not the body'];
  if (shape === 'nothing') return [];
  const document = body as WireDocument;
  const resources = [document.data ?? []].flat();
  const records = (
    shape === 'one' ? [value] : shape === 'list' ? (value as { data: unknown[] }).data : value
  ) as Linked[];
  if (records.length !== resources.length) return [`${resources.length - records.length} records`];
  const included = new Map(
    [...resources, ...(document.included ?? [])].map(record => [`${record.type} ${record.id}`, record]),
  );
  return resources.flatMap((resource, index) => lostBy(records[index] as Linked, resource, included, new Set()));
}

function lostBy(record: Linked, resource: WireResource, all: Map<string, WireResource>, seen: Set<object>): string[] {
  if (seen.has(record)) return [];
  seen.add(record);
  const place = resource.type;
  const { attributes = {}, relationships = {}, links, meta } = resource;
  return [
    ...Object.entries({ ...attributes, ...(links && { links }), ...(meta && { meta }) })
      .filter(([name, wire]) => !isDeepStrictEqual(record[name], wire))
      .map(([name]) => `${place}.${name}`),
    ...Object.entries(relationships).flatMap(([name, relationship]) => {
      const data = relationship?.data ?? (isIdentifier(relationship) ? relationship : relationship?.data);
      if (data === undefined) return [];
      if (data === null) return record[name] === null ? [] : [`${place}.${name}`];
      const [references, targets] = [[data].flat(), [record[name]].flat()];
      if (references.length !== targets.length) return [`${place}.${name}`];
      return references.flatMap(({ type, id }, index) => {
        const target = targets[index];
        if (!isRecord(target) || target.id !== id || target.type !== type) return [`${place}.${name}.${index}`];
        const wire = all.get(`${type} ${id}`);
        const isReference = Object.keys(target).length === 2;
        return isReference || !wire ? [] : lostBy(target, wire, all, seen);
      });
    }),
  ];
}
