import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { EVENT_NAMES } from '../../src/model/generated/event-names.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { type Call, calls } from '../../support/service/calls.ts';
import { operations } from '../../support/service/description.ts';
import { lostFields } from '../../support/service/round-trip.ts';
import { type Run, runEveryOperation } from '../../support/service/run.ts';
import { sampleAnswers } from '../../support/service/samples.ts';

/**
 * With `validation: 'strict'`, a response that drifts is refused. All other responses are compared with the returned record.
 */

let run: Run;

beforeAll(async () => {
  run = await runEveryOperation();
}, 60_000);

describe('every response of the sandbox', () => {
  test.each(operations)('($name) has no drift, and no part is lost', ({ name }) => {
    const { error, body = '', value } = run.exchanges.get(name) ?? { error: 'no call' };
    expect(error).toBeUndefined();
    // For this operation, which has no method, the value is the body itself.
    if (name !== 'containers.updateLegacy') expect(lostFields(name, body, value)).toEqual([]);
  });

  test.each(EVENT_NAMES)('(the sample notification of %s) has no drift, and no part is lost', event => {
    const { error, body = '', value } = run.notifications.get(event) ?? { error: 'no call' };
    expect(error).toBeUndefined();
    expect(lostFields('webhookNotifications.examples', body, value)).toEqual([]);
  });

  test('has no drift at any time of many voyages', async () => {
    const sandbox = createSandbox({ speed: 0, rateLimit: false });
    sandbox.seedShipments(25);
    const server = await sandbox.listen();
    let body = '';
    const client = new TrackingClient({
      baseUrl: server.baseUrl,
      apiKey: 'sandbox',
      rateLimit: false,
      validation: 'strict',
      async fetch(input, init) {
        const response = await fetch(input, init);
        body = await response.clone().text();
        return response;
      },
    });
    try {
      for (let week = 0; week < 8; week += 1) {
        const shipments = await client.shipments.list({
          pageSize: 100,
          include: ['containers', 'port_of_lading', 'port_of_discharge', 'destination', 'destination_terminal'],
        });
        expect(lostFields('shipments.list', body, shipments)).toEqual([]);
        const containers = await client.containers.list({
          pageSize: 100,
          include: ['transport_events.location', 'transport_events.terminal', 'pod_terminal', 'pickup_facility'],
        });
        expect(lostFields('containers.list', body, containers)).toEqual([]);
        sandbox.advance({ days: 7 });
      }
    } finally {
      await server.close();
    }
  });
});

describe('every sample', () => {
  const samples = sampleAnswers();

  test('is found: each file has a sample, except the files about errors, MCP and events', () => {
    expect(new Set(samples.map(({ file }) => file)).size).toBeGreaterThanOrEqual(26);
  });

  test.each(samples)(
    '($file, as a response of $operation) has no drift, and no part is lost',
    async ({ operation, body }) => {
      const server = await serve({ body });
      const text = JSON.stringify(body);
      // A sample may lack records that the call includes. This causes only a warning.
      const client = new TrackingClient({
        baseUrl: server.baseUrl,
        apiKey: 'key',
        validation: 'strict',
        logger: false,
      });
      const value = await (calls[operation] as Call)(client, run.world);
      expect(lostFields(operation, text, value)).toEqual([]);
    },
  );
});

test('a lost part is reported: an attribute, a relationship, a record, a link', () => {
  const operation = 'shipments.get';
  const related = { type: 'container', id: '2' };
  const data = {
    type: 'shipment',
    id: '1',
    attributes: { bill_of_lading_number: 'A' },
    relationships: { containers: { data: [related] }, pod_terminal: { data: null } },
    links: { self: '/v2/shipments/1' },
  };
  const included = [{ ...related, attributes: { number: 'MSCU1234565' } }];
  const text = JSON.stringify({ data, included });
  const container = { ...related, number: 'MSCU1234565' };
  const whole = { bill_of_lading_number: 'A', containers: [container], pod_terminal: null, links: data.links };
  expect(lostFields(operation, text, whole)).toEqual([]);
  expect(lostFields(operation, text, { ...whole, bill_of_lading_number: 'B' })).toEqual([
    'shipment.bill_of_lading_number',
  ]);
  expect(lostFields(operation, text, { ...whole, links: undefined })).toEqual(['shipment.links']);
  expect(lostFields(operation, text, { ...whole, pod_terminal: undefined })).toEqual(['shipment.pod_terminal']);
  expect(lostFields(operation, text, { ...whole, containers: [] })).toEqual(['shipment.containers']);
  expect(lostFields(operation, text, { ...whole, containers: [{ ...container, number: 'X' }] })).toEqual([
    'container.number',
  ]);
  expect(lostFields('shipments.list', JSON.stringify({ data: [data] }), { data: [] })).toEqual(['1 records']);
});
