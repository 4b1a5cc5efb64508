import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correlate, correlationKeys } from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';

const shipment = {
  type: 'shipment' as const,
  id: 's1',
  ref_numbers: ['PO-4711', null, ' '],
  bill_of_lading_number: 'MAEU123456789',
  normalized_number: '123456789',
  containers: [
    { type: 'container' as const, id: 'c1' },
    { type: 'container' as const, id: 'c2' },
  ],
};
const container = {
  type: 'container' as const,
  id: 'c1',
  number: 'MSCU1234566',
  ref_numbers: ['PO-4711', 'LINE-2'],
  shipment,
};
const request = {
  type: 'tracking_request' as const,
  id: 't1',
  request_number: 'MAEU123456789',
  ref_numbers: ['PO-4711'],
  tracked_object: { type: 'shipment' as const, id: 's1' },
};

const notificationAbout = (reference_object: object, more: object = {}) => ({
  type: 'webhook_notification',
  id: 'n1',
  event: 'container.updated',
  included: [],
  reference_object,
  ...more,
});

const values = (subject: object) =>
  correlationKeys(subject).map(({ kind, record, value }) => `${kind} ${record} ${value}`);

describe('the keys', () => {
  test('of an event are the keys of its container and its shipment, beginning with the surest key', () => {
    const event = { type: 'transport_event', id: 'e1', container, shipment: { type: 'shipment', id: 's1' } };
    expect(values(notificationAbout(event))).toEqual([
      'id container c1',
      'id shipment s1',
      'ref_number container PO-4711',
      'ref_number container LINE-2',
      'ref_number shipment PO-4711',
      'number container MSCU1234566',
      'number shipment MAEU123456789',
      'number shipment 123456789',
    ]);
  });

  test('are never taken from other containers of the shipment', () => {
    const other = { type: 'container', id: 'c2', number: 'MSCU7654321', ref_numbers: ['OTHER'] };
    const full = { ...shipment, containers: [container, other] };
    const event = { type: 'transport_event', id: 'e1', container, shipment: full };
    const keys = values(notificationAbout(event, { included: [other, full, container] }));
    expect(keys.join()).not.toMatch(/c2|7654321|OTHER/);
  });

  test('of a tracking request are its own keys and the id of its shipment', () => {
    expect(values(notificationAbout(request))).toEqual([
      'id tracking_request t1',
      'id shipment s1',
      'ref_number tracking_request PO-4711',
      'number tracking_request MAEU123456789',
    ]);
  });

  test('of a document are the keys of all its shipments and containers', () => {
    const document = { type: 'document', id: 'd1', shipments: [{ type: 'shipment', id: 's1' }], cargos: [container] };
    const { reference_object: _, ...notification } = notificationAbout({});
    expect(values({ ...notification, document }).slice(0, 2)).toEqual(['id container c1', 'id shipment s1']);
  });

  test('of a notification without included records are an empty list', () => {
    expect(values(notificationAbout({ type: 'transport_event', id: 'e1' }))).toEqual([]);
  });

  test('of custom fields include the slug of the field', () => {
    const customFields = [
      { api_slug: 'order_id', value: 'A-1' },
      { api_slug: 'lines', value: ['1', '2'] },
      { api_slug: 'count', value: 7 },
      { api_slug: 'done', value: true },
      { api_slug: 'empty', value: null },
    ];
    const keys = correlationKeys(container, { customFields }).filter(({ kind }) => kind === 'custom_field');
    expect(keys.map(({ api_slug, value, record }) => [api_slug, value, record])).toEqual([
      ['order_id', 'A-1', 'container'],
      ['lines', '1', 'container'],
      ['lines', '2', 'container'],
      ['count', '7', 'container'],
    ]);
  });

  test.each([undefined, null, 'n1', 5])('of %j are refused', subject => {
    expect(() => correlationKeys(subject as never)).toThrow(ConfigurationError);
  });
});

describe('the purchase order of a notification', () => {
  const about = notificationAbout({ type: 'transport_event', id: 'e1', container });
  const by = (orders: Record<string, string>) => correlate(about, ({ value }) => orders[value]);

  test('is found by a reference number of the user', () => {
    expect(by({ 'PO-4711': 'order-1' })).toMatchObject({
      match: 'order-1',
      key: { kind: 'ref_number' },
      candidates: [],
    });
  });

  test('is found by the surest key, even if the other keys disagree', () => {
    expect(by({ c1: 'by container', s1: 'by shipment', 'PO-4711': 'by reference' }).match).toBe('by container');
    expect(by({ s1: 'by shipment', 'PO-4711': 'by reference' }).match).toBe('by shipment');
    expect(by({ MSCU1234566: 'by number', 'LINE-2': 'by reference' }).match).toBe('by reference');
  });

  test('is missing if equally sure keys lead to several orders', () => {
    expect(by({ 'PO-4711': 'order-1', 'LINE-2': 'order-2', MSCU1234566: 'order-3' })).toEqual({
      match: undefined,
      candidates: ['order-1', 'order-2'],
    });
  });

  test('may be found by several keys', () => {
    expect(by({ 'PO-4711': 'order-1', 'LINE-2': 'order-1' }).match).toBe('order-1');
  });

  test('is not found if no key leads to it', () => {
    expect(by({})).toEqual({ match: undefined, candidates: [] });
    expect(correlate(about, () => null).match).toBeUndefined();
  });

  test('may be any value, even 0 or an empty text', () => {
    expect(correlate(about, () => 0).match).toBe(0);
    expect(correlate(about, () => '').match).toBe('');
  });
});

test('a match is the order that the lookup returns for one of the keys; candidates exist only if there is no match', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const records = fc.record({ id: ids, number: ids, ref_numbers: fc.array(ids), shipmentId: ids });
  fc.assert(
    fc.property(records, fc.dictionary(ids, fc.integer({ min: 1, max: 3 })), ({ shipmentId, ...given }, orders) => {
      const subject = { type: 'container', ...given, shipment: { type: 'shipment', id: shipmentId } };
      const { match, key, candidates } = correlate(subject, ({ value }) => orders[value]);
      if (match !== undefined) expect(orders[key?.value ?? '']).toBe(match);
      expect(match === undefined || candidates.length === 0).toBe(true);
      expect(candidates).not.toHaveLength(1);
      const isKnown = correlationKeys(subject).some(({ value }) => orders[value] !== undefined);
      expect(match !== undefined || candidates.length > 1).toBe(isKnown);
    }),
  );
});
