import { resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { allowedDrift, documentIn, drift } from '../../support/service/drift/compare.ts';

/** The service as its reference describes it. The file was written without reading `description/`. */
const witness = documentIn(resolve(import.meta.dirname, 'witness.openapi.yaml'));

test('the file witness.openapi.yaml is valid OpenAPI', async () => {
  expect(await new Validator().validate(structuredClone(witness))).toEqual({ valid: true });
});

test('the description has only the allowed differences from the witness', () => {
  expect(drift(witness)).toEqual({ missing: [], extra: [] });
});

test('each allowed difference exists', () => {
  const { missing, extra } = drift(witness, []);
  const lines = [...missing.map(line => `+ ${line}`), ...extra.map(line => `- ${line}`)];
  expect(allowedDrift().filter(pattern => !lines.some(line => pattern.test(line)))).toEqual([]);
});
