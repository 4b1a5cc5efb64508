import { expectTypeOf, test } from 'vitest';
import type {
  CalendarDate,
  Container,
  CustomField,
  NotIncluded,
  Ref,
  Shipment,
  TrackingClient,
} from '../../src/index.ts';

declare const client: TrackingClient;
declare const shipment: Shipment;
declare const container: Container;
declare const reference: NotIncluded<'shipment'>;
declare const customFields: CustomField[];

const fields = client.customFields.typed({
  shipment: {
    buyer: 'short_text',
    margin: { data_type: 'number', nullable: false },
    due: 'date',
    closing: 'datetime',
    insured: 'boolean',
    priority: { data_type: 'enum', options: ['low', 'high'] },
    lanes: { data_type: 'enum_multi', options: ['air', 'sea'], api_slug: 'lane_codes' },
    agent: { data_type: 'reference', reference_type: 'party' },
  },
  container: { weighed: { data_type: 'boolean', nullable: false } },
});

test('each value has the TypeScript type for its data type, and options are literal types', async () => {
  expectTypeOf(await fields.read(shipment)).toEqualTypeOf<{
    buyer: string | null;
    margin: number;
    due: CalendarDate | null;
    closing: Date | null;
    insured: boolean | null;
    priority: 'low' | 'high' | null;
    lanes: ('air' | 'sea')[] | null;
    agent: Ref<'party'> | null;
  }>();
  expectTypeOf(await fields.read(container)).toEqualTypeOf<{ weighed: boolean }>();
  expectTypeOf(await fields.parse('container', customFields)).toEqualTypeOf<{ weighed: boolean }>();
  expectTypeOf(await fields.readAll('container')).toEqualTypeOf<Map<string, { weighed: boolean }>>();
});

test('a record may be given as a reference with type and id', () => {
  fields.read(reference);
  fields.read({ type: 'container', id: '1' });
});

test('a record of a type that was not described is refused', () => {
  // @ts-expect-error: no fields of tracking requests were described.
  fields.read({ type: 'tracking_request', id: '1' });
  // @ts-expect-error: ports have no custom fields.
  fields.read({ type: 'port', id: '1' });
  // @ts-expect-error: the id is not enough.
  fields.read('1');
});

test('a change accepts only described fields, and only values of the right type', () => {
  fields.write(shipment, { priority: 'high', lanes: ['air'], closing: new Date(), due: '2026-03-12', buyer: null });
  fields.write(shipment, { closing: '2026-03-12T09:30:00Z', agent: { type: 'party', id: '1' }, buyer: undefined });
  // @ts-expect-error: the field does not exist.
  fields.write(shipment, { buyr: 'Kim' });
  // @ts-expect-error: a field of containers.
  fields.write(shipment, { weighed: true });
  // @ts-expect-error: the option does not exist.
  fields.write(shipment, { priority: 'urgent' });
  // @ts-expect-error: a list is due.
  fields.write(shipment, { lanes: 'air' });
  // @ts-expect-error: a number is due.
  fields.write(shipment, { margin: '1' });
  // @ts-expect-error: it cannot be cleared.
  fields.write(shipment, { margin: null });
  // @ts-expect-error: a Date is a moment and not a day.
  fields.write(shipment, { due: new Date() });
  // @ts-expect-error: a reference to another type.
  fields.write(shipment, { agent: { type: 'shipment', id: '1' } });
});

test('a write returns values of the same types as a read', async () => {
  const written = await fields.write(shipment, { closing: new Date() });
  expectTypeOf(written.closing).toEqualTypeOf<Date | null | undefined>();
  const known = await fields.read(shipment);
  fields.write(shipment, { ...known, priority: 'low' }, { known, timeout: 1000 });
});

test('an invalid description does not compile', () => {
  // @ts-expect-error: the data type does not exist.
  client.customFields.typed({ shipment: { buyer: 'text' } });
  // @ts-expect-error: an enum needs its options.
  client.customFields.typed({ shipment: { priority: { data_type: 'enum' } } });
  // @ts-expect-error: a reference needs its type.
  client.customFields.typed({ shipment: { agent: { data_type: 'reference' } } });
  // @ts-expect-error: vessels have no custom fields.
  client.customFields.typed({ vessel: { buyer: 'short_text' } });
});

test('initial values can be used to create a tracking request', async () => {
  const initial_custom_fields = await fields.initial({
    shipment: { buyer: 'Kim' },
    containers: { weighed: true },
    containersByNumber: { MSCU1234566: { weighed: false } },
  });
  client.trackingRequests.create({
    request_type: 'bill_of_lading',
    request_number: 'MAEU1',
    scac: 'MAEU',
    initial_custom_fields,
  });
  // @ts-expect-error: a field of containers.
  fields.initial({ shipment: { weighed: true } });
});
