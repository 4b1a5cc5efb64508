import { describe, expectTypeOf, test } from 'vitest';
import {
  type APIPromise,
  type ClientOptions,
  type Container,
  type ContainerInclude,
  type ContainerListOptions,
  type ContainerUpdate,
  type CustomFieldDefinitionCreate,
  type CustomFieldDefinitionListOptions,
  type CustomFieldDefinitionUpdate,
  type CustomFieldListOptions,
  type CustomFieldOptionCreate,
  type CustomFieldOptionUpdate,
  dynamicInclude,
  type FuturePositionsOptions,
  type List,
  type ListOptions,
  type Page,
  type PositionSpan,
  type RateLimitOptions,
  type RawRequest,
  type RequestOptions,
  type RetryOptions,
  type Shipment,
  type ShipmentInclude,
  type ShipmentListOptions,
  type ShipmentUpdate,
  type ShippingLineListOptions,
  type TrackItem,
  type TrackingClient,
  type TrackingRequestCreate,
  type TrackingRequestListOptions,
  type TrackManyOptions,
  type TrackOptions,
  type VesselGetOptions,
  type WaitOptions,
  type WebhookCreate,
  type WebhookTrigger,
  type WebhookUpdate,
} from '../../src/index.ts';

declare const client: TrackingClient;
declare const flag: boolean;

describe('an include path', () => {
  test('is known to the compiler, at each level', () => {
    client.shipments.get('1', { include: ['containers'] });
    // @ts-expect-error the relationship is called containers
    client.shipments.get('1', { include: ['container'] });

    client.shipments.get('1', { include: ['containers.pod_terminal'] });
    // @ts-expect-error a container has no terminal
    client.shipments.get('1', { include: ['containers.terminal'] });

    client.shipments.get('1', { include: ['containers.transport_events.location'] });
    // @ts-expect-error a transport event has no port
    client.shipments.get('1', { include: ['containers.transport_events.port'] });

    client.shipments.get('1', { include: ['containers.pod_terminal', 'port_of_lading'] });
    // @ts-expect-error one wrong path among right ones
    client.shipments.get('1', { include: ['containers.pod_terminal', 'port_of_loading'] });
  });

  test('has at most three segments', () => {
    client.shipments.get('1', { include: ['containers.shipment.containers'] });
    // @ts-expect-error four segments
    client.shipments.get('1', { include: ['containers.shipment.containers.shipment'] });
  });

  test('begins with a path of the endpoint', () => {
    client.containers.list({ include: ['transport_events'] });
    // @ts-expect-error no endpoint of the service includes raw events
    client.containers.list({ include: ['raw_events'] });

    client.trackingRequests.list({ include: ['tracked_object.containers'] });
    // @ts-expect-error the relationship is called tracked_object
    client.trackingRequests.list({ include: ['shipment'] });

    client.containers.transportEvents('1', { include: ['vessel'] });
    // @ts-expect-error another record of the same container
    client.containers.transportEvents('1', { include: ['pod_terminal'] });

    client.webhookNotifications.get('1', { include: ['reference_object.shipment'] });
    // @ts-expect-error the notification has no shipment itself
    client.webhookNotifications.get('1', { include: ['shipment'] });
  });

  test('must be an item of an array', () => {
    client.shipments.list({ include: ['containers', 'destination'] });
    // @ts-expect-error the text that the service accepts is not an array
    client.shipments.list({ include: 'containers,destination' });
  });

  test('is not an arbitrary string, except through dynamicInclude', () => {
    const paths: string[] = ['containers'];
    client.shipments.get('1', { include: dynamicInclude(paths) });
    // @ts-expect-error the compiler does not know these strings
    client.shipments.get('1', { include: paths });
  });

  test('is accepted only if the endpoint has includes', () => {
    client.parties.list({ pageSize: 5 });
    // @ts-expect-error a party has no relationships
    client.parties.list({ include: ['customer'] });
  });
});

describe('an option', () => {
  test('may be a filter of the endpoint', () => {
    client.containers.list({ filter: { number: 'MSCU1234565' } });
    // @ts-expect-error the service ignores it
    client.containers.list({ filter: { container_number: 'MSCU1234565' } });

    client.shipments.list({ include: ['containers'], filter: { tracking_stopped: true } });
    // @ts-expect-error a wrong filter together with an include
    client.shipments.list({ include: ['containers'], filter: { stopped: true } });

    client.shipments.list({ filter: { tracking_stopped: true } });
    // @ts-expect-error a boolean is due
    client.shipments.list({ filter: { tracking_stopped: 'yes' } });

    client.trackingRequests.list({ filter: { created_at: { start: new Date() } } });
    // @ts-expect-error a span has a start and an end
    client.trackingRequests.list({ filter: { created_at: { from: new Date() } } });

    client.customFieldDefinitions.list({ filter: { data_type: 'enum' } });
    // @ts-expect-error not a data type
    client.customFieldDefinitions.list({ filter: { data_type: 'text' } });
  });

  test('does not compile if it is misspelt', () => {
    client.shipments.get('1', { timeout: 5 });
    // @ts-expect-error the option is called timeout
    client.shipments.get('1', { timeOut: 5 });

    client.shipments.get('1', { include: ['containers'], signal: new AbortController().signal });
    // @ts-expect-error the option is called signal
    client.shipments.get('1', { include: ['containers'], abortSignal: new AbortController().signal });

    client.shipments.list({ include: ['containers'], pageSize: 5 });
    // @ts-expect-error the option is called include
    client.shipments.list({ includes: ['containers'], pageSize: 5 });

    client.shipments.list({ pageSize: 5 });
    // @ts-expect-error a get has no pages
    client.shipments.get('1', { pageSize: 5 });
  });

  test('that an endpoint needs is required', () => {
    client.webhookNotifications.examples({ event: 'container.updated' });
    // @ts-expect-error the service refuses the call without an event
    client.webhookNotifications.examples();

    client.vessels.futurePositions('1', { port_id: 'p2', previous_port_id: 'p1' });
    // @ts-expect-error the port that the vessel left
    client.vessels.futurePositions('1', { port_id: 'p2' });
  });

  test('may request positions with or without a time span', () => {
    client.vessels.get('1', { show_positions: { from_timestamp: new Date() } });
    client.vessels.get('1', { show_positions: { to_timestamp: '2026-03-09T00:00:00Z' } });
    client.vessels.get('1', { show_positions: true });
    client.vessels.get('1', { show_positions: {} });
    // @ts-expect-error the bound is called from_timestamp
    client.vessels.get('1', { show_positions: { from: new Date() } });
  });
});

describe('a request body', () => {
  test('accepts only known values for the fields with known values', () => {
    client.trackingRequests.create({ request_type: 'booking_number', request_number: 'X', scac: 'MAEU' });
    // @ts-expect-error the name that inferNumber uses
    client.trackingRequests.create({ request_type: 'booking', request_number: 'X', scac: 'MAEU' });

    client.webhooks.create({ url: 'https://a.example', active: true, events: ['container.updated'] });
    client.webhooks.create({ url: 'https://a.example', active: true });
    // @ts-expect-error a webhook is found by its address and its events
    client.webhooks.ensure({ url: 'https://a.example' });
    // @ts-expect-error no such event
    client.webhooks.create({ url: 'https://a.example', active: true, events: ['container.changed'] });

    client.webhooks.trigger({ url: 'https://a.example', event: 'container.updated' });
    // @ts-expect-error a pattern is not an event
    client.webhooks.trigger({ url: 'https://a.example', event: 'container.*' });

    const definition = { api_slug: 'buyer', display_name: 'Buyer', data_type: 'short_text' } as const;
    client.customFieldDefinitions.create({ ...definition, entity_type: 'Container' });
    // @ts-expect-error Cargo is the name in responses: a request needs Container
    client.customFieldDefinitions.create({ ...definition, entity_type: 'Cargo' });

    const value = { api_slug: 'buyer', value: 'Kim' };
    client.customFields.create({ ...value, entity: { type: 'shipment', id: '1' } });
    // @ts-expect-error only shipments and containers
    client.customFields.create({ ...value, entity: { type: 'party', id: '1' } });

    client.track({ number: 'X', type: 'container' });
    // @ts-expect-error a shipment is tracked by one of its numbers
    client.track({ number: 'X', type: 'shipment' });

    // Items in variables have wider types: `type` is a string, and is checked at run time.
    const numbers: string[] = [];
    const items = numbers.map(number => ({ number, scac: 'MAEU', type: 'bill_of_lading' }));
    client.trackMany(items);
    client.trackMany(new Set(items));
    client.trackMany(items.map(item => ({ ...item, orderId: 1 })));
    client.trackMany(items, { concurrency: 5 });
    client.trackMany(numbers.map(number => ({ number, type: 'container' })));
    client.trackMany([{ number: 'X' }, { number: 'X', type: 'container' }, { number: 'X', type: 'bill_of_lading' }]);
    client.trackMany([] as TrackItem[]);
    client.trackMany([] as readonly TrackItem[]);
    client.trackMany(
      (async function* () {
        yield { number: 'X', type: 'container' as string };
      })(),
    );
    // @ts-expect-error a literal that is not a type is a mistake
    client.trackMany([{ number: 'X', type: 'shipment' }]);
    // @ts-expect-error a wrong item among right items
    client.trackMany([
      { number: 'X', type: 'container' },
      { number: 'X', type: 'shipment' as const },
    ]);
    // @ts-expect-error a number is a text
    client.trackMany([{ number: 5, type: 'container' }]);
    // @ts-expect-error a type is a text
    client.trackMany(numbers.map(number => ({ number, type: 5 })));
    // @ts-expect-error an item has a number
    client.trackMany(numbers.map(() => ({ type: 'container' })));
  });

  test('may name the carrier, or let the service find the carrier', () => {
    client.trackingRequests.create({ request_type: 'container', request_number: 'X', auto_detect_vocc_scac: true });
    // @ts-expect-error neither a carrier nor the detection of a carrier
    client.trackingRequests.create({ request_type: 'container', request_number: 'X' });
  });

  test('has only attributes that can be changed', () => {
    client.shipments.update('1', { tags: ['urgent'] });
    // @ts-expect-error only the carrier can change this attribute
    client.shipments.update('1', { pod_eta_at: '2026-03-09T00:00:00Z' });

    client.trackingRequests.update('1', { ref_number: 'PO 1' });
    // @ts-expect-error the attribute is called ref_number
    client.trackingRequests.update('1', { ref_numbers: ['PO 1'] });

    client.customFieldDefinitions.update('1', { display_name: 'Buyer' });
    // @ts-expect-error fixed after creation
    client.customFieldDefinitions.update('1', { api_slug: 'buyer' });
  });
});

describe('a field of another record', () => {
  test('exists if the record is included', async () => {
    const included = await client.shipments.get('1', { include: ['containers', 'pod_terminal'] });
    expectTypeOf(included.containers[0]?.number).toEqualTypeOf<string | undefined>();
    expectTypeOf(included.pod_terminal?.nickname).not.toBeAny();

    const plain = await client.shipments.get('1');
    expectTypeOf(plain.containers[0]?.id).toEqualTypeOf<string | undefined>();
    // @ts-expect-error only a reference
    plain.containers[0]?.number;
    // @ts-expect-error only a reference
    plain.pod_terminal?.nickname;
    // @ts-expect-error not included below the containers
    included.containers[0]?.shipment?.bill_of_lading_number;
  });

  test('exists in a list, by page and by item', async () => {
    const list = client.containers.list({ include: ['shipment'] });
    for await (const box of list) box.shipment?.bill_of_lading_number;
    (await list).data[0]?.shipment?.bill_of_lading_number;
    (await list.toArray())[0]?.shipment?.bill_of_lading_number;
    (await (await list).nextPage())?.data[0]?.shipment?.bill_of_lading_number;

    const plain = client.containers.list({ pageSize: 5 });
    for await (const box of plain) {
      // @ts-expect-error only a reference
      box.shipment?.bill_of_lading_number;
    }
    // @ts-expect-error only a reference
    (await plain).data[0]?.shipment?.bill_of_lading_number;
  });

  test('may be missing if the include may be either a list with the path of the record or an empty list', async () => {
    const sure = await client.containers.get('1', { include: ['shipment'] });
    sure.shipment?.bill_of_lading_number;
    const box = await client.containers.get('1', { include: flag ? ['shipment'] : [] });
    if (box.shipment && 'bill_of_lading_number' in box.shipment) box.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;
  });

  test('may be missing if the include may be either a list with the path of the record or undefined', async () => {
    const box = await client.containers.get('1', { include: flag ? ['shipment'] : undefined });
    if (box.shipment && 'bill_of_lading_number' in box.shipment) box.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;

    for await (const each of client.containers.list({ include: flag ? ['shipment'] : undefined })) {
      if (each.shipment && 'bill_of_lading_number' in each.shipment) each.shipment.bill_of_lading_number;
      // @ts-expect-error perhaps a reference
      each.shipment?.bill_of_lading_number;
    }
  });

  test('may be missing if only one of two includes has the path of the record', async () => {
    const both = await client.containers.get('1', { include: flag ? ['shipment', 'pod_terminal'] : ['shipment'] });
    both.shipment?.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    both.pod_terminal?.nickname;

    const either = await client.containers.get('1', { include: [flag ? 'shipment' : 'pod_terminal'] });
    if (either.shipment && 'bill_of_lading_number' in either.shipment) either.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    either.shipment?.bill_of_lading_number;
  });

  test('may be missing if the include is optional in the type of the options', async () => {
    const sure: RequestOptions & { include: ['shipment'] } = { include: ['shipment'] };
    (await client.containers.get('1', sure)).shipment?.bill_of_lading_number;

    const options: RequestOptions & { include?: ['shipment'] } = {};
    const box = await client.containers.get('1', options);
    if (box.shipment && 'bill_of_lading_number' in box.shipment) box.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;

    const wider: ContainerListOptions & { include?: ['shipment'] | undefined } = {};
    for await (const each of client.containers.list(wider)) {
      if (each.shipment && 'bill_of_lading_number' in each.shipment) each.shipment.bill_of_lading_number;
      // @ts-expect-error perhaps a reference
      each.shipment?.bill_of_lading_number;
    }
  });

  test('may be missing if the options may be undefined', async () => {
    const options = flag ? ({ include: ['shipment'] } as const) : undefined;
    const box = await client.containers.get('1', options);
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;

    const spread = await client.containers.get('1', { ...(flag && { include: ['shipment'] as const }) });
    // @ts-expect-error perhaps a reference
    spread.shipment?.bill_of_lading_number;
  });

  test('may be missing if the paths are known only at run time', async () => {
    const paths: ContainerInclude[] = [];
    const box = await client.containers.get('1', { include: paths });
    if (box.shipment && 'bill_of_lading_number' in box.shipment) box.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;

    const shipmentPaths: readonly ShipmentInclude[] = [];
    const shipment = await client.shipments.get('1', { include: shipmentPaths });
    // @ts-expect-error perhaps a reference
    shipment.containers[0]?.number;
  });

  test('may be missing if the paths are strings that went through dynamicInclude', async () => {
    const box = await client.containers.get('1', { include: dynamicInclude(['shipment']) });
    if (box.shipment && 'bill_of_lading_number' in box.shipment) box.shipment.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    box.shipment?.bill_of_lading_number;
  });

  test('may be missing if the service chooses the include', async () => {
    const asked = await client.trackingRequests.get('1', { include: ['tracked_object'] });
    asked.tracked_object?.bill_of_lading_number;

    const unasked = await client.trackingRequests.get('1');
    if (unasked.tracked_object && 'tags' in unasked.tracked_object) unasked.tracked_object.bill_of_lading_number;
    // @ts-expect-error perhaps a reference
    unasked.tracked_object?.bill_of_lading_number;

    const others = await client.trackingRequests.get('1', { include: ['customer'] });
    // @ts-expect-error a reference, since something else was included
    if (others.tracked_object && 'tags' in others.tracked_object) others.tracked_object.bill_of_lading_number;
    others.customer?.company_name;

    const [event] = await client.containers.rawEvents('1');
    if (event?.location && 'name' in event.location) event.location.name;
    // @ts-expect-error perhaps a reference
    event?.location?.name;
  });
});

describe('a call', () => {
  test('is a promise of its value', () => {
    const call = client.shipments.get('1', { include: ['containers'] });
    expectTypeOf(call).toExtend<Promise<Shipment<['containers']>>>();
    expectTypeOf(call).toExtend<APIPromise<Shipment<readonly ['containers']>>>();
    const promise: Promise<{ id: string }> = client.parties.get('1');
    // @ts-expect-error the call does not include this record
    const wrong: Promise<Shipment<['pod_terminal']>> = call;
    expectTypeOf(Promise.all([promise, wrong])).not.toBeAny();
    expectTypeOf(client.webhooks.delete('1')).resolves.toEqualTypeOf<void>();
  });

  test('returns the value with the response', async () => {
    const { data, response, attempts, queuedMs } = await client.containers.get('1').withResponse();
    expectTypeOf(data.number).toEqualTypeOf<string>();
    expectTypeOf(response).toEqualTypeOf<Response>();
    expectTypeOf({ attempts, queuedMs }).toEqualTypeOf<{ attempts: number; queuedMs: number }>();
  });

  test('of a list returns a page, and iterates over its items', async () => {
    const list = client.containers.list();
    expectTypeOf(list).toExtend<List<Container>>();
    expectTypeOf(list).toExtend<PromiseLike<Page<Container>>>();
    expectTypeOf(await list).toExtend<Page<Container>>();
    expectTypeOf(await (async () => list)()).toExtend<Page<Container>>();
    expectTypeOf((await list).hasNextPage()).toEqualTypeOf<boolean>();
    expectTypeOf((await list).checkpoint).toExtend<ListOptions['from']>();
    for await (const page of list.pages())
      for (const box of page.data) expectTypeOf(box.number).toEqualTypeOf<string>();
    for await (const box of await list) expectTypeOf(box.number).toEqualTypeOf<string>();
  });

  test('for many items distinguishes results from errors', async () => {
    for await (const result of client.trackMany([{ number: 'X' }])) {
      if (result.ok) expectTypeOf(result.shipment.id).toEqualTypeOf<string>();
      else expectTypeOf(result.error).toEqualTypeOf<unknown>();
      // @ts-expect-error the tracking may have failed
      result.shipment;
    }
  });
});

describe('every optional property of an input', () => {
  type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
  /** The optional properties that refuse `undefined`, also in nested objects. */
  type Stubborn<T> = T extends unknown
    ? {
        [K in OptionalKey<T>]: { [P in K]: undefined } extends Pick<T, K> ? never : K;
      }[OptionalKey<T>]
    : never;

  test('may be undefined', () => {
    expectTypeOf<Stubborn<ClientOptions>>().toBeNever();
    expectTypeOf<Stubborn<RequestOptions>>().toBeNever();
    expectTypeOf<Stubborn<ListOptions>>().toBeNever();
    expectTypeOf<Stubborn<RateLimitOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<RateLimitOptions['limits']>>>().toBeNever();
    expectTypeOf<Stubborn<RetryOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<ClientOptions['hooks']>>>().toBeNever();
    expectTypeOf<Stubborn<RawRequest>>().toBeNever();

    expectTypeOf<Stubborn<ShipmentListOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<ShipmentListOptions['filter']>>>().toBeNever();
    expectTypeOf<Stubborn<ContainerListOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<ContainerListOptions['filter']>>>().toBeNever();
    expectTypeOf<Stubborn<TrackingRequestListOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<TrackingRequestListOptions['filter']>>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<NonNullable<TrackingRequestListOptions['filter']>['created_at']>>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldListOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<CustomFieldListOptions['filter']>>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldDefinitionListOptions>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<CustomFieldDefinitionListOptions['filter']>>>().toBeNever();
    expectTypeOf<Stubborn<ShippingLineListOptions>>().toBeNever();
    expectTypeOf<Stubborn<VesselGetOptions>>().toBeNever();
    expectTypeOf<Stubborn<PositionSpan>>().toBeNever();
    expectTypeOf<Stubborn<FuturePositionsOptions>>().toBeNever();

    expectTypeOf<Stubborn<TrackItem>>().toBeNever();
    expectTypeOf<Stubborn<TrackOptions>>().toBeNever();
    expectTypeOf<Stubborn<TrackManyOptions>>().toBeNever();
    expectTypeOf<Stubborn<WaitOptions>>().toBeNever();

    expectTypeOf<Stubborn<TrackingRequestCreate>>().toBeNever();
    expectTypeOf<Stubborn<NonNullable<TrackingRequestCreate['initial_custom_fields']>>>().toBeNever();
    expectTypeOf<Stubborn<ShipmentUpdate>>().toBeNever();
    expectTypeOf<Stubborn<ContainerUpdate>>().toBeNever();
    expectTypeOf<Stubborn<WebhookCreate>>().toBeNever();
    expectTypeOf<Stubborn<WebhookUpdate>>().toBeNever();
    expectTypeOf<Stubborn<WebhookTrigger>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldDefinitionCreate>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldDefinitionUpdate>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldOptionCreate>>().toBeNever();
    expectTypeOf<Stubborn<CustomFieldOptionUpdate>>().toBeNever();
  });

  test('is distinguished from a property that refuses undefined', () => {
    expectTypeOf<Stubborn<{ a?: string; b?: string | undefined; c: string }>>().toEqualTypeOf<'a'>();
  });

  test('may be undefined together with an include', () => {
    client.shipments.list({ include: ['containers'], filter: undefined, number: undefined, pageSize: undefined });
    client.shipments.get('1', { include: undefined, signal: undefined });
    // @ts-expect-error null is not accepted instead of undefined
    client.shipments.get('1', { signal: null });
  });
});
