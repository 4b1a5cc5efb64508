import { describe, expectTypeOf, test } from 'vitest';
import type {
  Change,
  ChangedField,
  Container,
  ContainerStatus,
  DateTime,
  Feed,
  FeedCheckpoint,
  FieldOf,
  NotIncluded,
  Shipment,
  TerminalHold,
  TrackingClient,
  TrackingRequestStatus,
} from '../../src/index.ts';
import type { Router, Worker } from '../../src/webhooks/index.ts';

declare const client: TrackingClient;
declare const router: Router;
declare const worker: Worker;
declare const change: Change<Container>;

describe('a change', () => {
  test('has the value type of its field after the name of the field is compared', () => {
    if (change.kind !== 'changed') return;
    if (change.field === 'current_status') {
      expectTypeOf(change.before).toEqualTypeOf<ContainerStatus | null | undefined>();
      expectTypeOf(change.after).toEqualTypeOf<ContainerStatus | null | undefined>();
    }
    if (change.field === 'holds_at_pod_terminal') expectTypeOf(change.after).toEqualTypeOf<TerminalHold[] | null>();
    if (change.field === 'pod_terminal') {
      expectTypeOf(change.after).toEqualTypeOf<NotIncluded<'terminal'> | null | undefined>();
    }
    expectTypeOf(change.record).toEqualTypeOf<Container>();
    // @ts-expect-error the field is called pickup_lfd
    if (change.field === 'last_free_day') return;
    // @ts-expect-error a field that is not compared may have any type
    change.after?.length;
  });

  test('has one of four kinds', () => {
    switch (change.kind) {
      case 'appeared':
        expectTypeOf(change.record).toEqualTypeOf<Container>();
        expectTypeOf(change.initial).toBeBoolean();
        // @ts-expect-error only a change has a field
        change.field;
        break;
      case 'gone':
        expectTypeOf(change.reason).toEqualTypeOf<'not_found' | 'filtered'>();
        expectTypeOf(change.before.number).toEqualTypeOf<string | undefined>();
        // @ts-expect-error the record is not there any more
        change.record;
        break;
      case 'unread':
        expectTypeOf(change.ids).toEqualTypeOf<string[] | null>();
        break;
      default:
        expectTypeOf(change.kind).toEqualTypeOf<'changed'>();
    }
    expectTypeOf(change.at).toEqualTypeOf<DateTime>();
    expectTypeOf(change.checkpoint).toEqualTypeOf<FeedCheckpoint>();
  });

  test('is never about `id`, `type`, `links` or `meta`, which every record has', () => {
    expectTypeOf<Extract<FieldOf<Container>, 'id' | 'type' | 'links' | 'meta'>>().toEqualTypeOf<never>();
    expectTypeOf<ChangedField<Container, 'number'>['after']>().toEqualTypeOf<string>();
    // @ts-expect-error `id` is not a field of a change
    type _ = ChangedField<Container, 'id'>;
  });
});

describe('watch()', () => {
  test('returns the included records, both in items and in changes', async () => {
    const feed = client.containers.watch({
      include: ['shipment'],
      where: c => c.shipment?.bill_of_lading_number !== '',
    });
    expectTypeOf(feed).toEqualTypeOf<Feed<Container<['shipment']>>>();
    for await (const item of feed) {
      if (item.kind === 'changed' && item.field === 'shipment') {
        expectTypeOf(item.after).toEqualTypeOf<Shipment | null>();
      }
    }
    // @ts-expect-error no endpoint of the service includes raw events
    client.containers.watch({ include: ['raw_events'] });
    client.containers.watch({
      // @ts-expect-error not included
      where: c => c.shipment?.bill_of_lading_number !== '',
    });
  });

  test('returns only changes of the fields that are named in its options', async () => {
    for await (const item of client.shipments.watch({ fields: ['pod_eta_at', 'shipping_line_scac'], every: 60_000 })) {
      if (item.kind !== 'changed') continue;
      expectTypeOf(item.field).toEqualTypeOf<'pod_eta_at' | 'shipping_line_scac'>();
      expectTypeOf(item.after).toEqualTypeOf<string | null | undefined>();
      expectTypeOf(item.record).toEqualTypeOf<Shipment>();
    }
    // @ts-expect-error a field of containers
    client.shipments.watch({ fields: ['pickup_lfd'] });
  });

  test('refuses unknown options', () => {
    client.trackingRequests.watch({ every: 5, share: 0.5, ids: ['1'], from: [], signal: undefined, inbox: undefined });
    // @ts-expect-error the option is called `every`
    client.trackingRequests.watch({ interval: 5 });
  });

  test('of tracking requests uses the default include of the service', async () => {
    for await (const item of client.trackingRequests.watch()) {
      if (item.kind === 'changed' && item.field === 'status') {
        expectTypeOf(item.after).toEqualTypeOf<TrackingRequestStatus>();
      }
      // @ts-expect-error perhaps a reference
      if (item.kind === 'appeared') item.record.tracked_object?.bill_of_lading_number;
    }
  });

  test('returns a feed whose handler a router accepts', () => {
    const feed = client.containers.watch();
    expectTypeOf(router.on('container.*', feed.handler)).toEqualTypeOf<Router>();
    router.otherwise(feed.handler);
    expectTypeOf(worker.stop).toBeFunction();
    expectTypeOf(feed.checkpoint).toEqualTypeOf<FeedCheckpoint | undefined>();
  });
});
