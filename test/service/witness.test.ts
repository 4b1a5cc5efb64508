import { resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { documentIn, drift } from '../../support/service/drift/compare.ts';

/** The service as its reference describes it, written without a look at `description/`. */
const witness = documentIn(resolve(import.meta.dirname, 'witness.openapi.yaml'));

/** Differences in which the reference was weighed, and why they are there. */
const SETTLED: Record<string, RegExp> = {
  'the reference lists few errors: a record that does not exist is a 404': /^- (GET|POST|PATCH|DELETE) \S+ 404$/,
  'a webhook over http is refused': /^- POST \/webhooks 422$/,
  'both statuses of an upsert were seen': /^- POST \/\w+\/\{\}\/custom_fields 200$/,
  'the errors of this sample are those of another operation': /^\+ GET \/shipments\/\{\} 422$/,
  'sent as a constant, and described in the note of the operation': /^\+ GET \/containers\/\{\}\/route \?include$/,
  'the filter takes each status that a record can have':
    /^- GET \/tracking_requests \?filter\[status\] = (awaiting_manifest|tracking_stopped)$/,
  'attributes that repeat the id are not described': /^\+ \w+\.id$/,
  'null is accepted where the reference never saw it':
    /^[+-] container\.(availability_known boolean|current_status string)( or null)?$/,
  'an alias of last_document_representation that includes use': /^- document -> current_extraction$/,
  'the schema of notifications has it, and the reference no sample':
    /^- webhook_notification -> reference_object document$/,
  'in the prose of the reference only':
    /^- GET \/(\w+\/\{\}\/custom_fields \?include|containers\/summary \?(filter\[.+\]|group_by = \w+))$/,
  'named by its value and the party, in the prose of the reference': /^- POST \/\w+\/\{\}\/party_roles body role$/,
  'no source shows the value on a tracking request': /^- party_role\.roleable_type = TrackingRequest$/,
  'an alias of the filter, which no source needs': /^\+ GET \/shipments \?tracking_stopped$/,
  'in one old sample only': /^\+ shipment -> customer$/,
};

test('the witness is valid OpenAPI', async () => {
  expect(await new Validator().validate(structuredClone(witness))).toEqual({ valid: true });
});

test('the description differs from the witness where that is settled, and nowhere else', () => {
  const { missing, extra } = drift(witness);
  const lines = [...missing.map(line => `+ ${line}`), ...extra.map(line => `- ${line}`)];
  const known = Object.entries(SETTLED);
  expect(lines.filter(line => !known.some(([, pattern]) => pattern.test(line)))).toEqual([]);
  expect(known.filter(([, pattern]) => !lines.some(line => pattern.test(line))).map(([reason]) => reason)).toEqual([]);
});
