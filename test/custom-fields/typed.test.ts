import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  ConfigurationError,
  CustomFieldDefinitionError,
  CustomFields,
  CustomFieldValueError,
  CustomFieldWriteError,
  createTransport,
  NotFoundError,
  TrackingClient,
  ValidationError,
} from '../../src/index.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { rejection } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const DESCRIPTION = {
  shipment: {
    buyer: 'short_text',
    margin: 'number',
    due: 'date',
    closing: 'datetime',
    insured: 'boolean',
    priority: { data_type: 'enum', options: ['low', 'high'] },
    lanes: { data_type: 'enum_multi', options: ['air', 'sea'], api_slug: 'lane_codes' },
    agent: { data_type: 'reference', reference_type: 'party' },
  },
  container: { weighed: 'boolean' },
  tracking_request: { buyer: 'short_text' },
} as const;

const FULL = {
  buyer: 'Kim',
  margin: 12.5,
  due: '2026-03-12',
  closing: new Date(Date.UTC(2026, 2, 12, 9, 30)),
  insured: true,
  priority: 'high',
  lanes: ['sea', 'air'],
  agent: { type: 'party', id: '7' },
} as const;

const EMPTY = Object.fromEntries(Object.keys(DESCRIPTION.shipment).map(name => [name, null]));

let sandbox: Sandbox;
let client: TrackingClient;

async function connect(options: SandboxOptions = {}): Promise<void> {
  sandbox = stillSandbox(options);
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
    logger: false,
    retry: { minDelay: 0 },
  });
}

async function define(): Promise<void> {
  const make = async (
    entity_type: 'Shipment' | 'Container',
    api_slug: string,
    data_type: 'short_text' | 'number' | 'date' | 'datetime' | 'boolean' | 'enum' | 'enum_multi' | 'reference',
    options: string[] = [],
  ) => {
    const reference_type = data_type === 'reference' ? 'party' : null;
    const attributes = { entity_type, api_slug, display_name: api_slug, data_type, reference_type };
    const { id } = await client.customFieldDefinitions.create(attributes);
    for (const value of options) await client.customFieldOptions.create(id, { label: value.toUpperCase(), value });
  };
  await make('Shipment', 'buyer', 'short_text');
  await make('Shipment', 'margin', 'number');
  await make('Shipment', 'due', 'date');
  await make('Shipment', 'closing', 'datetime');
  await make('Shipment', 'insured', 'boolean');
  await make('Shipment', 'priority', 'enum', ['low', 'high', 'urgent']);
  await make('Shipment', 'lane_codes', 'enum_multi', ['air', 'sea']);
  await make('Shipment', 'agent', 'reference');
  await make('Container', 'weighed', 'boolean');
}

async function track() {
  const { id } = await client.trackingRequests.create({
    request_type: 'bill_of_lading',
    request_number: 'MAEU123456789',
    scac: 'MAEU',
  });
  sandbox.advance({ hours: 1 });
  const request = await client.trackingRequests.get(id, { include: ['tracked_object.containers'] });
  const shipment = request.tracked_object;
  const [container] = shipment?.containers ?? [];
  if (!shipment || !container) throw new Error('The sandbox found no shipment with containers.');
  return { request, shipment, container };
}

/** The requests of a call. */
async function requestsOf(call: () => Promise<unknown>): Promise<string[]> {
  const before = sandbox.requests.length;
  await call();
  return sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, ':id')}`);
}

beforeEach(() => connect());

describe('against definitions that fit', () => {
  beforeEach(define);

  test('values of every data type are read as they were written', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    expect(await fields.read(shipment)).toEqual(EMPTY);
    expect(await fields.write(shipment, FULL)).toEqual(FULL);
    expect(await fields.read(shipment)).toEqual(FULL);
  });

  test('null clears a value, even a missing value, and an omitted field is not changed', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.write(shipment, { buyer: 'Kim', priority: 'low' });
    expect(await fields.write(shipment, { priority: null, due: null, closing: undefined })).toEqual({
      priority: null,
      due: null,
    });
    expect(await fields.read(shipment)).toEqual({ ...EMPTY, buyer: 'Kim' });
  });

  test('containers and tracking requests have fields too, and one slug on two records has two values', async () => {
    const { request, shipment, container } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.write(container, { weighed: false });
    await fields.write(request, { buyer: 'of the request' });
    expect(await fields.read(container)).toEqual({ weighed: false });
    expect(await fields.read(request)).toEqual({ buyer: 'of the request' });
    expect((await fields.read(shipment)).buyer).toBeNull();
  });

  test('the values of all records of a type are returned in a map with the ids of the records as keys', async () => {
    const { shipment, container } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.write(container, { weighed: true });
    await fields.write(shipment, { buyer: 'Kim', priority: 'low' });
    expect(await fields.readAll('container')).toEqual(new Map([[container.id, { weighed: true }]]));
    expect(await fields.readAll('shipment')).toEqual(
      new Map([[shipment.id, { ...EMPTY, buyer: 'Kim', priority: 'low' }]]),
    );
  });

  test('values that were read before are converted without a request', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.write(shipment, { lanes: ['sea'] });
    const stored = await client.shipments.customFields.list(shipment.id).toArray();
    expect(
      await requestsOf(async () => expect((await fields.parse('shipment', stored)).lanes).toEqual(['sea'])),
    ).toEqual([]);
  });

  test('initial values reach the shipment and its containers', async () => {
    const fields = client.customFields.typed(DESCRIPTION);
    const number = 'MAEU123456789';
    const initial_custom_fields = await fields.initial({
      shipment: { buyer: 'Kim', closing: FULL.closing, due: null },
      containers: { weighed: true },
    });
    const { id } = await client.trackingRequests.create({
      request_type: 'bill_of_lading',
      request_number: number,
      scac: 'MAEU',
      initial_custom_fields,
    });
    sandbox.advance({ hours: 1 });
    const { tracked_object } = await client.trackingRequests.get(id, { include: ['tracked_object.containers'] });
    if (!tracked_object) throw new Error('The sandbox found no shipment.');
    expect(await fields.read(tracked_object)).toEqual({ ...EMPTY, buyer: 'Kim', closing: FULL.closing });
    for (const container of tracked_object.containers) {
      expect(await fields.read(container)).toEqual({ weighed: true });
    }
  });

  test('definitions are read once for all calls, and a call sends one request for each field that changes', async () => {
    const { shipment, container } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    const check = [
      'GET /accounts/:id/custom_field_definitions',
      'GET /custom_field_definitions/:id/options',
      'GET /custom_field_definitions/:id/options',
    ];
    const first = await requestsOf(() => Promise.all([fields.read(shipment), fields.read(container), fields.check()]));
    expect(first.toSorted()).toEqual(
      ['GET /containers/:id/custom_fields', ...check, 'GET /shipments/:id/custom_fields'].toSorted(),
    );
    expect(await requestsOf(() => fields.read(shipment))).toEqual(['GET /shipments/:id/custom_fields']);
    expect(await requestsOf(() => fields.write(shipment, { buyer: 'Kim' }))).toEqual([
      'POST /shipments/:id/custom_fields',
    ]);
    expect(await requestsOf(() => fields.write(shipment, { buyer: null }))).toEqual([
      'DELETE /shipments/:id/custom_fields/buyer',
    ]);
    expect(await requestsOf(() => fields.write(shipment, {}))).toEqual([]);
  });

  test('fields that already have the value are not sent', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.write(shipment, FULL);
    const known = await fields.read(shipment);
    const changed = { ...known, priority: 'low' as const };
    expect(await requestsOf(() => fields.write(shipment, changed, { known }))).toEqual([
      'POST /shipments/:id/custom_fields',
    ]);
    expect(await requestsOf(() => fields.write(shipment, known, { known }))).toEqual([]);
  });

  test('a wrong value is refused before a request', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    const wrong = { buyer: 'Kim', priority: 'medium' } as never;
    const sent = await requestsOf(async () => {
      expect(await rejection(fields.write(shipment, wrong))).toBeInstanceOf(ConfigurationError);
    });
    expect(sent).toEqual([]);
  });

  test('a change by the caller after the call has no effect', async () => {
    const { shipment } = await track();
    const lanes: ('air' | 'sea')[] = ['sea'];
    const values = { buyer: 'Kim', lanes };
    const fields = client.customFields.typed(DESCRIPTION);
    const written = fields.write(shipment, values);
    values.buyer = 'Lee';
    lanes.push('air');
    expect(await written).toEqual({ buyer: 'Kim', lanes: ['sea'] });
  });

  test('an undescribed option causes an error', async () => {
    const { shipment } = await track();
    await client.shipments.customFields.set(shipment.id, { api_slug: 'priority', value: 'urgent' });
    const fields = client.customFields.typed(DESCRIPTION);
    expect(await rejection(fields.read(shipment))).toMatchObject({
      name: 'CustomFieldValueError',
      field: 'shipment.priority',
      value: 'urgent',
    });
  });

  test('a record that does not exist causes an error, and is not read as a record without values', async () => {
    const fields = client.customFields.typed(DESCRIPTION);
    const nowhere = { type: 'shipment', id: '00000000-0000-4000-8000-000000000000' } as const;
    expect(await rejection(fields.read(nowhere))).toBeInstanceOf(NotFoundError);
    expect(await rejection(fields.write(nowhere, { buyer: null }))).toMatchObject({
      name: 'CustomFieldWriteError',
      written: [],
      failed: [{ field: 'buyer', outcome: 'refused', error: { name: 'NotFoundError' } }],
    });
  });

  test('the error of a write lists the fields that have their new values', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    await fields.check();
    const [priority] = await client.customFieldDefinitions.list({ filter: { display_name: 'priority' } }).toArray();
    await client.customFieldDefinitions.delete(priority?.id ?? '');
    const error = await rejection(fields.write(shipment, { buyer: 'Kim', priority: 'high', due: null }));
    expect(error).toBeInstanceOf(CustomFieldWriteError);
    expect(error).toMatchObject({ written: ['buyer', 'due'], failed: [{ field: 'priority', outcome: 'refused' }] });
    expect((error as Error).cause).toBeInstanceOf(ValidationError);
    expect((error as Error).message).toContain('1 of 3 custom fields');
    expect((error as Error).message).toContain('written: buyer, due');
  });

  test('an abort ends a call with the reason of the signal, and a deadline covers the whole call', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed(DESCRIPTION);
    const reason = new Error('enough');
    expect(await rejection(fields.read(shipment, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await rejection(fields.write(shipment, FULL, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await rejection(fields.check({ deadline: -1 }))).toBeInstanceOf(ConfigurationError);
    expect(await fields.read(shipment)).toEqual(EMPTY);
  });
});

describe('with different definitions', () => {
  test('one error names every field that differs, each with its difference', async () => {
    await define();
    const fields = client.customFields.typed({
      shipment: {
        buyer: 'number',
        colour: 'short_text',
        priority: { data_type: 'enum', options: ['low', 'top'] },
        agent: { data_type: 'reference', reference_type: 'vessel' },
        weighed: 'boolean',
        margin: 'number',
      },
    });
    const error = await rejection(fields.check());
    expect(error).toBeInstanceOf(CustomFieldDefinitionError);
    expect((error as CustomFieldDefinitionError).problems.map(({ field, reason }) => [field, reason])).toEqual([
      ['shipment.buyer', 'data_type'],
      ['shipment.colour', 'missing'],
      ['shipment.priority', 'options'],
      ['shipment.agent', 'reference_type'],
      ['shipment.weighed', 'entity_type'],
    ]);
    expect((error as Error).message).toBe(
      [
        'The described custom fields differ from the definitions:',
        'shipment.buyer: the definition buyer has the data type short_text, not number.',
        'shipment.colour: there is no definition with the api_slug colour.',
        'shipment.priority: the definition priority has no option top; it has: low, high, urgent.',
        'shipment.agent: the definition agent refers to party, not to vessel.',
        'shipment.weighed: the definition weighed is for Cargo, not for Shipment.',
      ].join(' '),
    );
  });

  test('a write sends nothing, and the next call checks again', async () => {
    const { shipment } = await track();
    const fields = client.customFields.typed({ shipment: { buyer: 'short_text' } });
    const sent = await requestsOf(async () => {
      expect(await rejection(fields.write(shipment, { buyer: 'Kim' }))).toBeInstanceOf(CustomFieldDefinitionError);
    });
    expect(sent).toEqual(['GET /accounts/:id/custom_field_definitions']);
    await define();
    expect(await fields.write(shipment, { buyer: 'Kim' })).toEqual({ buyer: 'Kim' });
  });
});

describe('a definition that is only a template of the service', () => {
  const described = { shipment: { service_contract: 'short_text' } } as const;

  test('is missing for an account that has not created it', async () => {
    const listed = await client.customFieldDefinitions.list().toArray();
    expect(listed.map(({ api_slug }) => api_slug)).toContain('service_contract');
    const error = await rejection(client.customFields.typed(described).check());
    expect(error).toMatchObject({
      name: 'CustomFieldDefinitionError',
      problems: [{ field: 'shipment.service_contract', reason: 'missing' }],
    });
  });

  test('does not replace the definition of the account with the same slug', async () => {
    await client.customFieldDefinitions.create({
      entity_type: 'Shipment',
      api_slug: 'service_contract',
      display_name: 'Contract',
      data_type: 'number',
    });
    const { shipment } = await track();
    const fields = client.customFields.typed({ shipment: { service_contract: 'number' } });
    expect(await fields.write(shipment, { service_contract: 7 })).toEqual({ service_contract: 7 });
    expect(await rejection(client.customFields.typed(described).check())).toMatchObject({
      problems: [{ reason: 'data_type' }],
    });
  });
});

describe('a service without a separate list of definitions for each account', () => {
  beforeEach(() => connect({ lists: 'older' }));

  test('receives one request for the missing list, and then its single list of definitions is checked', async () => {
    await define();
    const { shipment } = await track();
    const fields = client.customFields.typed({ shipment: { buyer: 'short_text' } });
    expect(await requestsOf(() => Promise.all([fields.check(), fields.check()]))).toEqual([
      'GET /accounts/:id/custom_field_definitions',
      'GET /custom_field_definitions',
    ]);
    expect(await requestsOf(() => fields.read(shipment))).toEqual(['GET /shipments/:id/custom_fields']);
  });

  test('still names each field that differs', async () => {
    await define();
    const fields = client.customFields.typed({ shipment: { margin: 'date', service_contract: 'short_text' } });
    expect(await rejection(fields.check())).toMatchObject({
      problems: [{ reason: 'data_type' }, { reason: 'missing' }],
    });
  });
});

test('the single list of definitions is requested only if the request for the list of the account ends with a 404', async () => {
  await connect({ faults: [{ route: 'GET /accounts/:id/custom_field_definitions', status: 500 }] });
  await define();
  const fields = client.withOptions({ retry: false }).customFields.typed({ shipment: { buyer: 'short_text' } });
  const sent = await requestsOf(async () => {
    expect(await rejection(fields.check())).toMatchObject({ status: 500 });
  });
  expect(sent).toEqual(['GET /accounts/:id/custom_field_definitions']);
});

test('without a check, definitions are not read, but a wrong value is still refused', async () => {
  const { shipment } = await track();
  await define();
  await client.shipments.customFields.set(shipment.id, { api_slug: 'margin', value: 5 });
  const fields = client.customFields.typed({ shipment: { margin: 'boolean', colour: 'date' } }, { check: false });
  const sent = await requestsOf(async () => {
    expect(await rejection(fields.read(shipment))).toBeInstanceOf(CustomFieldValueError);
    expect(await rejection(fields.write(shipment, { colour: '2026-03-12' }))).toBeInstanceOf(CustomFieldWriteError);
  });
  expect(sent).toEqual(['GET /shipments/:id/custom_fields', 'POST /shipments/:id/custom_fields']);
  expect(await rejection(fields.check())).toBeInstanceOf(CustomFieldDefinitionError);
});

test('an undescribed type of records is refused without a request', async () => {
  const fields = client.customFields.typed({ shipment: { buyer: 'short_text' } });
  const sent = await requestsOf(async () => {
    for (const type of ['container', 'vessel']) {
      expect(await rejection(fields.read({ type, id: '1' } as never))).toBeInstanceOf(ConfigurationError);
    }
  });
  expect(sent).toEqual([]);
});

describe('if the service fails', () => {
  test('a value whose response was lost is sent again, because a repetition is harmless', async () => {
    await define();
    const { shipment } = await track();
    const path = `/v2/shipments/${shipment.id}/custom_fields`;
    let lost = 0;
    const lossy = client.withOptions({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method !== 'POST' || !String(input).endsWith(path) || lost > 0) return response;
        lost += 1;
        await response.text();
        throw new TypeError('fetch failed');
      },
    });
    expect(await lossy.customFields.typed(DESCRIPTION).write(shipment, { buyer: 'Kim' })).toEqual({ buyer: 'Kim' });
    expect(lost).toBe(1);
  });

  test('the error for a write without a response says that the write may have happened', async () => {
    await define();
    const { shipment } = await track();
    const silent = client.withOptions({
      retry: false,
      fetch: async (input, init) => {
        if (init?.method === 'POST') throw new TypeError('fetch failed');
        return fetch(input, init);
      },
    });
    const error = await rejection(silent.customFields.typed(DESCRIPTION).write(shipment, { buyer: 'Kim', due: null }));
    expect(error).toMatchObject({ written: ['due'], failed: [{ field: 'buyer', outcome: 'unknown' }] });
    expect((error as Error).message).toContain('not known whether it was written');
  });
});

test('CustomFields without the other groups rejects with a ConfigurationError', async () => {
  const fields = new CustomFields(createTransport({ baseUrl: 'https://host.example/v2', apiKey: 'k' }));
  expect(await rejection(fields.typed({ shipment: { buyer: 'short_text' } }).check())).toBeInstanceOf(
    ConfigurationError,
  );
});
