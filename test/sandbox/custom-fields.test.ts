import { beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { checkDocument } from '../../src/schemas/check.ts';
import { clientOn } from '../../support/client.ts';
import { attributes, call, get, stillSandbox, track } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let shipmentId: string;
let containerId: string;

beforeEach(() => {
  sandbox = stillSandbox();
  const [shipment] = sandbox.seedShipments(1, { containers: 1 });
  shipmentId = shipment?.id ?? '';
  containerId = shipment?.containers[0]?.id ?? '';
});

test('a response with values includes their definitions and the times of their changes', async () => {
  await define({ data_type: 'decimal' });
  const client = clientOn((input, init) => sandbox.fetch(new Request(input, init)));
  await client.shipments.customFields.set(shipmentId, { api_slug: 'a_field', value: 1.25 });
  const [value] = (await client.shipments.customFields.list(shipmentId, { include: ['definition'] })).data;
  expect(value?.definition?.data_type).toBe('decimal');
  expect(value?.updated_at).toBe('2026-03-09T03:00:00Z');
});

async function define(values: Record<string, unknown>) {
  const definition = { entity_type: 'Shipment', display_name: 'A field', api_slug: 'a_field', data_type: 'short_text' };
  const body = attributes('custom_field_definition', { ...definition, ...values });
  return call(sandbox, 'POST', '/custom_field_definitions', body);
}

const set = (path: string, slug: string, value: unknown) =>
  call(sandbox, 'POST', `${path}/custom_fields`, attributes('custom_field', { api_slug: slug, value }));

describe('a definition', () => {
  test('can be marked as a reference number and as sensitive, and is returned with its options', async () => {
    await define({ data_type: 'enum', reference_number: true, sensitive: true });
    const client = clientOn((input, init) => sandbox.fetch(new Request(input, init)));
    const { data } = await client.accounts.customFieldDefinitions('1', { include: ['options'] });
    expect(data).toMatchObject([{ reference_number: true, sensitive: true, discarded_at: null, options: [] }]);
  });

  test('is created, edited, filtered and removed with its values', async () => {
    const { status, body } = await define({ validation: { max_length: 9 } });
    expect(status).toBe(201);
    expect(checkDocument(body)).toEqual([]);
    await define({ api_slug: 'other', display_name: 'Other', entity_type: 'Container' });
    const slugs = async (query: string) =>
      (await get(sandbox, `/custom_field_definitions?${query}`)).body.data.map(
        (definition: { attributes: { api_slug: string } }) => definition.attributes.api_slug,
      );
    expect(await slugs('filter[entity_type]=Container')).toEqual(['other', 'customs_cleared_on']);
    expect(await slugs('filter[display_name]=a f')).toEqual(['a_field']);
    expect(await slugs('filter[data_type]=number')).toEqual([]);

    const path = `/custom_field_definitions/${body.data.id}`;
    const edit = attributes('custom_field_definition', { display_name: 'Renamed', data_type: 'number' });
    expect((await call(sandbox, 'PATCH', path, edit)).body.data.attributes).toMatchObject({
      display_name: 'Renamed',
      data_type: 'short_text',
      validation: { max_length: 9 },
    });
    await set(`/shipments/${shipmentId}`, 'a_field', 'x');
    expect((await call(sandbox, 'DELETE', path)).status).toBe(200);
    expect((await get(sandbox, '/custom_fields')).body.data).toEqual([]);
  });

  test('of the service is in the list of all definitions, and can be read and used, but not changed', async () => {
    await define({});
    const listed = async (path: string): Promise<{ id: string; attributes: { api_slug: string } }[]> =>
      (await get(sandbox, path)).body.data;
    const all = await listed('/custom_field_definitions');
    expect(all.map(({ attributes }) => attributes.api_slug)).toEqual([
      'a_field',
      'customs_cleared_on',
      'service_contract',
    ]);
    expect(await listed('/accounts/1/custom_field_definitions')).toEqual(all.slice(0, 1));
    const path = `/custom_field_definitions/${all[1]?.id}`;
    expect((await get(sandbox, path)).status).toBe(200);
    expect((await call(sandbox, 'DELETE', path)).status).toBe(404);
    const edit = attributes('custom_field_definition', { display_name: 'Mine' });
    expect((await call(sandbox, 'PATCH', path, edit)).status).toBe(404);
    const added = attributes('custom_field_option', { label: 'A', value: 'a' });
    expect((await call(sandbox, 'POST', `${path}/options`, added)).status).toBe(404);
    expect((await set(`/containers/${containerId}`, 'customs_cleared_on', '2026-03-12')).status).toBe(201);
  });

  test('of an older account is in the only list of definitions of this account, and this list does not have the templates of the service', async () => {
    await define({});
    sandbox.account().lists = 'older';
    const { body } = await get(sandbox, '/custom_field_definitions');
    expect(body.data).toMatchObject([{ attributes: { api_slug: 'a_field' } }]);
    expect((await get(sandbox, '/accounts/1/custom_field_definitions')).status).toBe(404);
  });

  test('for containers has the entity type Cargo, as in the service', async () => {
    expect((await define({ entity_type: 'Container' })).body.data.attributes.entity_type).toBe('Cargo');
  });

  test.each([
    [{ entity_type: 'Vessel' }, 'entity_type'],
    [{ data_type: 'nonsense' }, 'data_type'],
    [{ api_slug: '' }, 'api_slug'],
    [{ data_type: 'reference' }, 'reference_type'],
  ])('is refused with %o', async (values, field) => {
    const { status, body } = await define(values);
    expect(status).toBe(422);
    expect(body.errors[0].source.pointer).toBe(`/data/attributes/${field}`);
  });

  test('must have a unique slug', async () => {
    await define({});
    expect((await define({})).status).toBe(422);
  });
});

describe('values', () => {
  test.each([
    ['short_text', 'PO-1', 'PO-1', 7],
    ['number', 12.5, '12.5', 'twelve'],
    ['boolean', true, 'Yes', 'true'],
    ['date', '2026-03-09', '2026-03-09', '09.03.2026'],
    ['datetime', '2026-03-09T04:05:06Z', '2026-03-09 04:05:06', 'soon'],
  ])('of type %s are stored and shown, but a value of another type is refused', async (type, value, shown, wrong) => {
    await define({ data_type: type });
    const { status, body } = await set(`/shipments/${shipmentId}`, 'a_field', value);
    expect(status).toBe(201);
    expect(checkDocument(body)).toEqual([]);
    expect(body.data.attributes).toMatchObject({ api_slug: 'a_field', value, display_value: shown });
    expect(body.links.self).toBe(`https://service.example/v2/custom_fields/${body.data.id}`);
    expect((await set(`/shipments/${shipmentId}`, 'a_field', wrong)).status).toBe(422);
  });

  test.each([
    ['date', '2026-02-30'],
    ['date', '2025-02-29'],
    ['datetime', '2026-02-30T00:00:00Z'],
    ['datetime', 'day 1'],
    ['datetime', '2026-03-09T25:00:00Z'],
    ['number', 1e20],
    ['number', -1e12],
  ])('of type %s cannot be %s', async (data_type, value) => {
    await define({ data_type });
    const { status, body } = await set(`/shipments/${shipmentId}`, 'a_field', value);
    expect([status, body.errors[0].source.pointer]).toEqual([422, '/data/attributes/value']);
    const defined = await define({ data_type, api_slug: 'other', default_value: value });
    expect([defined.status, defined.body.errors[0].source.pointer]).toEqual([422, '/data/attributes/default_value']);
  });

  test('of an enumeration are options, and their labels are displayed', async () => {
    const { body } = await define({ data_type: 'enum_multi' });
    const options = `/custom_field_definitions/${body.data.id}/options`;
    for (const [value, label, position] of [
      ['b', 'Second', 2],
      ['a', 'First', 1],
    ]) {
      const option = attributes('custom_field_option', { value, label, position });
      expect((await call(sandbox, 'POST', options, option)).status).toBe(201);
    }
    const listed = (await get(sandbox, options)).body.data;
    expect(listed.map((option: { attributes: { value: string } }) => option.attributes.value)).toEqual(['a', 'b']);
    const field = await set(`/shipments/${shipmentId}`, 'a_field', ['a', 'b']);
    expect(field.body.data.attributes).toMatchObject({ value: ['a', 'b'], display_value: 'First, Second' });
    expect((await set(`/shipments/${shipmentId}`, 'a_field', ['c'])).status).toBe(422);

    expect((await call(sandbox, 'DELETE', `${options}/${listed[0].id}`)).status).toBe(200);
    const kept = (await get(sandbox, `/custom_fields/${field.body.data.id}`)).body.data.attributes;
    expect(kept).toMatchObject({ value: ['a', 'b'], display_value: 'a, Second' });
  });

  test('are set, changed and removed under the path of the record and the slug of the field, or by the id of the value', async () => {
    await define({ entity_type: 'Container' });
    const below = `/containers/${containerId}`;
    const first = await set(below, 'a_field', 'one');
    const second = await set(below, 'a_field', 'two');
    expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
    const bySlug = `${below}/custom_fields/a_field`;
    const change = attributes('custom_field', { value: 'three' });
    expect((await call(sandbox, 'PATCH', bySlug, change)).body.data.attributes.value).toBe('three');
    expect((await call(sandbox, 'DELETE', bySlug)).status).toBe(204);
    expect((await call(sandbox, 'DELETE', bySlug)).status).toBe(404);
    expect((await set(below, 'nonsense', 'x')).status).toBe(422);
    expect((await set(`/shipments/${shipmentId}`, 'a_field', 'x')).status).toBe(422);

    const relationships = { entity: { data: { type: 'container', id: containerId } } };
    const flat = { data: { type: 'custom_field', attributes: { api_slug: 'a_field', value: 'x' }, relationships } };
    const created = await call(sandbox, 'POST', '/custom_fields', flat);
    expect(created.body.data.relationships.entity).toEqual(relationships.entity);
    expect((await get(sandbox, `/custom_fields?filter[entity_id]=${containerId}`)).body.data).toHaveLength(1);
    expect((await call(sandbox, 'DELETE', `/custom_fields/${created.body.data.id}`)).status).toBe(200);
  });

  test('in a tracking request are set on the records when the request succeeds', async () => {
    await define({});
    await define({ api_slug: 'box', entity_type: 'Container' });
    const fields = { shipment: [{ api_slug: 'a_field', value: 'S' }], containers: [{ api_slug: 'box', value: 'C' }] };
    await track(sandbox, 'MAEU123456789', { initial_custom_fields: fields });
    expect((await get(sandbox, '/custom_fields')).body.data).toEqual([]);
    sandbox.advance({ minutes: 1 });
    const { data } = (await get(sandbox, '/custom_fields')).body;
    const [shipment] = (await get(sandbox, '/shipments?number=MAEU123456789')).body.data;
    expect(data).toHaveLength(1 + shipment.relationships.containers.data.length);

    const unknown = { shipment: [{ api_slug: 'nonsense', value: 'S' }] };
    expect((await track(sandbox, 'MAEU2', { initial_custom_fields: unknown })).status).toBe(422);
  });
});
