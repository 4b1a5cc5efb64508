import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { schemaComplaints } from '../../support/service/json-schema.ts';

const document = JSON.parse(readFileSync(new URL('../../docs/service/openapi.json', import.meta.url), 'utf8'));

describe('docs/service/openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const broken = structuredClone(document);
    delete broken.info;
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  test('has a unique name and a sentence for each operation', () => {
    const operations = Object.values<Record<string, { operationId: string; summary: string }>>(document.paths).flatMap(
      path => Object.values(path),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.filter(({ summary }) => !summary.endsWith('.'))).toEqual([]);
  });

  test('requires an id in the body of a PATCH, except if a slug in the path identifies the record', () => {
    const ids = Object.entries<Record<string, { requestBody?: { content: Record<string, { schema: Body }> } }>>(
      document.paths,
    ).flatMap(([path, { patch }]) =>
      Object.values(patch?.requestBody?.content ?? {}).map(({ schema }) => [
        path.endsWith('/{api_slug}'),
        schema.properties.data.required.includes('id'),
      ]),
    );
    expect(ids).toContainEqual([true, false]);
    expect(ids).toContainEqual([false, true]);
    expect(ids.filter(([bySlug, hasId]) => bySlug === hasId)).toEqual([]);
  });

  test('accepts values that the service adds, and its closed form in tests refuses them', () => {
    const { TrackingRequestStatus: status } = document.components.schemas;
    expect(status.anyOf).toEqual([
      expect.objectContaining({ enum: expect.arrayContaining(['pending']) }),
      { type: 'string' },
    ]);
    expect(schemaComplaints('TrackingRequestStatus', 'pending')).toEqual([]);
    expect(schemaComplaints('TrackingRequestStatus', 'lost')).not.toEqual([]);
    expect(schemaComplaints('Nonsense', {})).toEqual(['Nonsense is not described']);
  });
});

interface Body {
  properties: { data: { required: string[] } };
}
