import { describe, expect, test } from 'vitest';
import { ATTRIBUTE_KINDS } from '../../src/model/generated/attribute-kinds.ts';
import { RELATIONSHIPS } from '../../src/model/generated/relationships.ts';
import { fitted, MISFIT } from '../../src/sync/tables/kind.ts';
import { SYNCED_TYPES } from '../../src/sync/tables/names.ts';
import { BOOKKEEPING, describeTables } from '../../src/sync/tables/table.ts';
import { sqlitePlace } from '../../support/sync-stores.ts';
import published from './columns.json' with { type: 'json' };

const tables = describeTables();
const columnsOf = (type: string) =>
  tables.find(table => table.type === type)?.columns.map(({ name, kind }) => `${name} ${kind}`) ?? [];

describe('the tables', () => {
  test('have a column for each attribute and each relationship, and each name is unique', () => {
    for (const type of SYNCED_TYPES) {
      const names = columnsOf(type).map(column => column.split(' ')[0]);
      const expected = [
        ...Object.keys(ATTRIBUTE_KINDS[type]),
        ...Object.entries(RELATIONSHIPS[type]).map(([name, count]) => (count === 'many' ? name : `${name}_id`)),
      ];
      expect(expected.filter(name => !names.includes(name))).toEqual([]);
      const all = [...names, ...BOOKKEEPING];
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    }
  });

  // A column of existing stores changes its type, or is removed, only by a step in `sync/sql/migration.ts`.
  test.each<[string, string]>([
    [
      'shipment',
      'pod_eta_at timestamp, ref_numbers json, bill_of_lading_number text, destination_id text, destination_type text, pod_terminal_id text, containers json',
    ],
    [
      'container',
      'number text, equipment_length number, weight_in_lbs number, availability_known boolean, pickup_lfd timestamp, holds_at_pod_terminal json, import_deadlines json, shipment_id text, last_free_day date, ready_for_pickup boolean',
    ],
    ['transport_event', 'event text, timestamp timestamp, location_id text, location_type text, container_id text'],
    ['tracking_request', 'is_retrying boolean, retry_count number, tracked_object_id text, tracked_object_type text'],
    ['port', 'latitude number, longitude number, code text'],
    ['document', 'file_size_bytes number, shipments json, created_at timestamp'],
    ['custom_field', 'value json, entity_id text, entity_type text, definition_id text'],
  ])('of a %s have columns of these kinds', (type, expected) => {
    expect(columnsOf(type)).toEqual(expect.arrayContaining(expected.split(', ')));
  });
});

test('columns that were published keep their names and kinds: a change needs a migration, and a line in columns.json', () => {
  const current = Object.fromEntries(
    tables.map(({ name, columns }) => [name, Object.fromEntries(columns.map(column => [column.name, column.kind]))]),
  );
  expect(current).toMatchObject(published);
});

describe('the views', () => {
  const at = Date.UTC(2026, 2, 9);
  const row = <T extends string>(type: T, id: string, fields: object) => ({
    type,
    id,
    asOf: at,
    record: Object.assign({ id, type }, fields),
  });

  test('pickups has the containers at a terminal, with their last free day at this terminal', async () => {
    const place = sqlitePlace();
    const store = place.open();
    await store.migrate();
    const held = [{ name: 'customs', status: 'hold', description: null }];
    const box = (id: string, fields: object) =>
      row('container', id, {
        number: `MSCU${id}`,
        pod_timezone: 'America/Los_Angeles',
        availability_known: true,
        available_for_pickup: true,
        pickup_lfd: '2026-03-13T07:00:00Z',
        holds_at_pod_terminal: [],
        shipment: { type: 'shipment', id: 's' },
        pod_terminal: { type: 'terminal', id: 't' },
        ...fields,
      });
    await store.write({
      rows: [
        box('1', { current_status: 'available' }),
        box('2', {
          current_status: 'not_available',
          holds_at_pod_terminal: held,
          pickup_facility: { type: 'terminal', id: 'f' },
        }),
        box('3', { current_status: 'picked_up' }),
        box('7', { current_status: 'available', pickup_facility: { type: 'rail_terminal', id: 'r' } }),
        box('4', { current_status: 'on_ship' }),
        { ...box('5', { current_status: 'available' }), asOf: at - 1 },
        { ...box('5', {}), record: null },
        { ...box('6', {}), record: null },
        row('shipment', 's', { bill_of_lading_number: 'MAEU123456789' }),
        row('terminal', 't', { name: 'Pier 400', firms_code: 'W185' }),
        row('terminal', 'f', { name: 'Rail ramp', firms_code: 'H123' }),
        row('rail_terminal', 'r', { name: 'Inland yard', firms_code: 'R777' }),
      ],
    });
    const sql = `SELECT number, terminal, firms_code, last_free_day, ready_for_pickup, bill_of_lading_number FROM $.pickups ORDER BY number`;
    const both = { last_free_day: '2026-03-13', bill_of_lading_number: 'MAEU123456789' };
    expect((await place.sql(sql)).map(found => ({ ...found }))).toEqual([
      { number: 'MSCU1', terminal: 'Pier 400', firms_code: 'W185', ready_for_pickup: 1, ...both },
      { number: 'MSCU2', terminal: 'Rail ramp', firms_code: 'H123', ready_for_pickup: 0, ...both },
      { number: 'MSCU7', terminal: 'Inland yard', firms_code: 'R777', ready_for_pickup: 1, ...both },
    ]);
    await store.close();
    await place.remove();
  });

  test('delays has the shipments that leave or arrive later than first announced, in days', async () => {
    const place = sqlitePlace();
    const store = place.open();
    await store.migrate();
    await store.write({
      rows: [
        row('shipment', 'late', { pod_original_eta_at: '2026-03-01T00:00:00Z', pod_eta_at: '2026-03-03T12:00:00Z' }),
        row('shipment', 'was late', {
          pod_original_eta_at: '2026-03-01T00:00:00Z',
          pod_ata_at: '2026-03-02T00:00:00Z',
        }),
        row('shipment', 'left late', {
          pol_original_etd_at: '2026-03-01T00:00:00Z',
          pol_atd_at: '2026-03-05T00:00:00+02:00',
        }),
        row('shipment', 'early', { pod_original_eta_at: '2026-03-01T00:00:00Z', pod_eta_at: '2026-02-27T00:00:00Z' }),
        row('shipment', 'unknown', { pod_eta_at: '2026-03-03T00:00:00Z' }),
      ],
    });
    const sql = `SELECT shipment_id AS id, departure_days_late AS departure, arrival_days_late AS arrival, has_arrived FROM $.delays ORDER BY id`;
    expect((await place.sql(sql)).map(found => ({ ...found }))).toEqual([
      { id: 'late', departure: null, arrival: 2.5, has_arrived: 0 },
      { id: 'left late', departure: 3.9, arrival: null, has_arrived: 0 },
      { id: 'was late', departure: null, arrival: 1, has_arrived: 1 },
    ]);
    await store.close();
    await place.remove();
  });
});

describe('sqliteStore()', async () => {
  const { sqliteStore } = await import('../../src/sync/sqlite/sqlite-store.ts');

  test.each([
    ['an empty path', ''],
    ['a path in no directory', '/nowhere/at/all/tracking.db'],
    ['a directory', '/'],
    ['no path', undefined],
  ])('refuses %s immediately', (_, path) => {
    expect(() => sqliteStore(path as string)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  });

  test('fails after close() with an error that reports the closed store', async () => {
    const store = sqliteStore(':memory:');
    await store.migrate();
    await store.close();
    await expect(store.checkpoint('x')).rejects.toMatchObject({
      code: 'store_closed',
      message: expect.stringContaining('closed'),
    });
  });
});

test.each([
  ['2026-03-01T10:20:30Z', '2026-03-01T10:20:30.000Z'],
  ['2026-03-01T10:20:30.5Z', '2026-03-01T10:20:30.500Z'],
  ['2026-03-01T10:20:30-05:00', '2026-03-01T15:20:30.000Z'],
  ['2026-03-01T10:20Z', '2026-03-01T10:20:00.000Z'],
  ['2026-03-01T24:00:00Z', '2026-03-02T00:00:00.000Z'],
  ['2026-03-01T10:20:60Z', MISFIT],
  ['2026-02-30T10:20:30Z', MISFIT],
])('the time %s is stored in the form of all times', (time, stored) => {
  expect(fitted('timestamp', time)).toBe(stored);
});
