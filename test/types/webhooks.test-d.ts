import { describe, expectTypeOf, test } from 'vitest';
import { TrackingClient } from '../../src/client.ts';
import type {
  Container,
  ContainerChangeset,
  DateTime,
  EventName,
  Shipment,
  TrackingRequest,
} from '../../src/model/index.ts';
import type { RecoverOptions } from '../../src/recovery/recover-options.ts';
import { createSync } from '../../src/sync/index.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  type EVENT_NAMES,
  fakeNotification,
  fromQueue,
  type Inbox,
  type MatchingEvent,
  memoryInbox,
  type Notification,
  type NotificationOf,
  type SubjectClient,
  type UnknownNotification,
  verifyWebhook,
} from '../../src/webhooks/index.ts';

declare const n: Notification;

test('the catalogue has exactly the events of the service', () => {
  expectTypeOf<(typeof EVENT_NAMES)[number]>().toEqualTypeOf<EventName>();
});

describe('a notification', () => {
  test('has a type that is narrowed by its event', () => {
    if (n.event === 'container.updated') {
      expectTypeOf(n).toExtend<NotificationOf<'container.updated'>>();
      expectTypeOf(n.reference_object.changeset).toEqualTypeOf<ContainerChangeset | undefined>();
      expectTypeOf(n.reference_object.changeset?.available_for_pickup).toEqualTypeOf<
        [before: boolean | null, after: boolean | null] | undefined
      >();
    }
    if (n.event === 'shipment.estimated.arrival') {
      expectTypeOf(n.reference_object.estimated_timestamp).toEqualTypeOf<DateTime | undefined>();
    }
    if (n.event === 'container.transport.full_in') {
      expectTypeOf(n.reference_object.type).toEqualTypeOf<'transport_event'>();
      expectTypeOf(n.reference_object.timestamp).toEqualTypeOf<DateTime | null | undefined>();
    }
    if (n.event === 'tracking_request.failed') {
      expectTypeOf(n.reference_object.status).toExtend<string | undefined>();
    }
    if (n.event === 'document.extracted') {
      expectTypeOf(n.document.name).toEqualTypeOf<string | undefined>();
      expectTypeOf(n.reference_object).toEqualTypeOf<undefined>();
    }
  });

  test('of a newer document event has the document', () => {
    if (n.event === 'document_representation.created' || n.event === 'document_representation.failed') {
      expectTypeOf(n).toEqualTypeOf<NotificationOf<typeof n.event>>();
      expectTypeOf(n.document.document_type).toEqualTypeOf<string | null | undefined>();
      expectTypeOf(n.reference_object).toEqualTypeOf<undefined>();
    }
    if (n.event === 'link.created') {
      expectTypeOf(n.document?.name).toEqualTypeOf<string | undefined>();
      // @ts-expect-error the service documents no payload of this event, so the document may be missing
      n.document.name;
    }
    const router = createRouter();
    router.on('document_representation.created', found =>
      expectTypeOf(found.document.type).toEqualTypeOf<'document'>(),
    );
    router.on('document_representation.*', found => {
      expectTypeOf(found.event).toEqualTypeOf<'document_representation.created' | 'document_representation.failed'>();
      expectTypeOf(found.document.type).toEqualTypeOf<'document'>();
    });
    router.on('link.created', found => expectTypeOf(found.document?.type).toEqualTypeOf<'document' | undefined>());
    router.on('link.*', found => expectTypeOf(found.event).toEqualTypeOf<'link.created'>());
  });

  test('of an unknown event is UnknownNotification, a member of the union', () => {
    switch (n.event) {
      case 'container.updated':
        expectTypeOf(n).not.toExtend<UnknownNotification>();
        break;
      default:
        expectTypeOf(n.event.startsWith('x')).toEqualTypeOf<boolean>();
    }
    expectTypeOf<UnknownNotification['event']>().toExtend<string>();
    expectTypeOf<UnknownNotification>().toExtend<Notification>();
  });

  test('cannot be compared with a misspelt name', () => {
    // @ts-expect-error no such event
    if (n.event === 'container.update') return;
    // @ts-expect-error not on this event
    if (n.event === 'container.created') n.reference_object.changeset;
  });

  test('can be compared with the name of a newer event if the event is a string', () => {
    // @ts-expect-error the compiler cannot distinguish it from one that is misspelt
    if (n.event === 'container.brand_new_event') return;
    const event: string = n.event;
    if (event === 'container.brand_new_event') {
      expectTypeOf(n).toEqualTypeOf<Notification>();
      expectTypeOf(n.reference_object?.type).toExtend<string | undefined>();
    }
  });

  test('links the records that may be included', () => {
    if (n.event !== 'container.updated') return;
    const { container } = n.reference_object;
    // @ts-expect-error it may be a reference
    container?.number;
    if (container && 'number' in container) expectTypeOf(container.number).toEqualTypeOf<string>();
  });

  test('has its subjects by name, and all included records in a list', () => {
    expectTypeOf(n.container).toEqualTypeOf<Container | undefined>();
    expectTypeOf(n.shipment).toEqualTypeOf<Shipment | undefined>();
    expectTypeOf(n.tracking_request).toEqualTypeOf<TrackingRequest | undefined>();
    expectTypeOf(n.included.find(record => record.type === 'terminal')?.firms_code).toEqualTypeOf<string | undefined>();
    // @ts-expect-error no such type
    n.included.find(record => record.type === 'terminals');
  });

  test('is the result of the verification', () => {
    expectTypeOf(verifyWebhook).returns.resolves.toEqualTypeOf<Notification>();
  });
});

describe('the events in the option `webhook` of sync', () => {
  const [client, store] = [new TrackingClient(), sqliteStore(':memory:')];
  const names: string[] = [];
  const url = 'https://hook.example/';

  test('are known names or any strings, but not misspelt literals', () => {
    createSync({ client, store });
    createSync({ client, store, webhook: { url, events: ['container.updated'] } });
    createSync({ client, store, webhook: { url, events: names } });
    // @ts-expect-error no such event
    createSync({ client, store, webhook: { url, events: ['container.updatd'] } });
  });
});

describe('a router', () => {
  const router = createRouter();

  test('gives a handler the types of its event name or pattern', () => {
    router.on('container.updated', n => {
      expectTypeOf(n.event).toEqualTypeOf<'container.updated'>();
      expectTypeOf(n.reference_object.changeset).toEqualTypeOf<ContainerChangeset | undefined>();
    });
    router.on('container.transport.*', n => {
      expectTypeOf(n.reference_object.type).toEqualTypeOf<'transport_event'>();
    });
    router.on('tracking_request.*', (n, { attempt }) => {
      expectTypeOf(n.event).toEqualTypeOf<MatchingEvent<'tracking_request.*'>>();
      expectTypeOf(n.reference_object.type).toEqualTypeOf<'tracking_request'>();
      expectTypeOf(attempt).toEqualTypeOf<number>();
    });
    router.on('document.*', n => expectTypeOf(n.document.type).toEqualTypeOf<'document'>());
    router.otherwise(n => expectTypeOf(n).toEqualTypeOf<Notification>());
  });

  test('refuses a name or pattern that matches no event', () => {
    // @ts-expect-error no such event
    router.on('container.update', () => {});
    // @ts-expect-error no such family
    router.on('containers.*', () => {});
    // @ts-expect-error not a family
    router.on('container*', () => {});
    // @ts-expect-error the handler for all events is otherwise()
    router.on('*', () => {});
  });

  test('accepts an unknown name as a string', () => {
    const name: string = 'invoice.created';
    router.on(name, (n, { attempt }) => {
      expectTypeOf(n).toEqualTypeOf<Notification>();
      expectTypeOf(attempt).toEqualTypeOf<number>();
    });
  });

  test('matches each family with exactly the events of the family', () => {
    expectTypeOf<'container.created'>().toExtend<MatchingEvent<'container.*'>>();
    expectTypeOf<'container.transport.full_in'>().toExtend<MatchingEvent<'container.*'>>();
    expectTypeOf<'container.created'>().not.toExtend<MatchingEvent<'container.transport.*'>>();
    expectTypeOf<MatchingEvent<'shipment.*'>>().toEqualTypeOf<'shipment.estimated.arrival'>();
    expectTypeOf<MatchingEvent<'container.pickup_lfd.*'>>().toEqualTypeOf<'container.pickup_lfd.changed'>();
  });
});

test('options accept values that may be undefined at run time', () => {
  const inbox = memoryInbox({ ephemeral: true });
  createReceiver({ secrets: process.env.SECRET, inbox });
  createReceiver({ secrets: () => process.env.SECRET, inbox });
  verifyWebhook({ body: '', signature: null, secrets: process.env.SECRET });
  // @ts-expect-error secrets is required, even if its value may be undefined at run time
  createReceiver({ inbox });
  createReceiver({ secrets: [process.env.SECRET, undefined], inbox, schema: undefined, logger: false });
  createReceiver({ secrets: async () => ['x'], inbox: { put: async () => 'stored' } });
  createWorker({ inbox, router: { handle: async () => {} }, onDead: ({ id }) => id });
  // @ts-expect-error an acknowledgement that the interface does not know
  createReceiver({ secrets: 'x', inbox: { put: async () => true } });
  // @ts-expect-error `ephemeral: true` is missing
  memoryInbox({});
  expectTypeOf(inbox).toExtend<Inbox>();
});

test('the names of events may be any strings, but literals are checked', async () => {
  const client = {} as TrackingClient;
  const url = 'https://a.example';
  const events = (await client.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
  const name: string = 'invoice.created';
  client.webhooks.create({ url, active: true, events });
  client.webhooks.create({ url, active: true, events: ['container.updated', 'link.created'] });
  client.webhooks.create({ url, active: true });
  client.webhooks.update('id', { events });
  client.webhooks.ensure({ url, events, exactEvents: true });
  client.webhooks.trigger({ url, event: name, sample: { document_type: 'commercial_invoice' } });
  client.webhooks.selfCheck({ url, secret: 'x', event: name });
  client.webhookNotifications.examples({ event: name });
  // @ts-expect-error no such event
  client.webhooks.create({ url, active: true, events: ['container.updated', 'container.update'] });
  // @ts-expect-error no such event
  client.webhooks.update('id', { events: ['container.update'] });
  // @ts-expect-error no such event
  client.webhooks.ensure({ url, events: ['container.update'] });
  // @ts-expect-error no such event
  client.webhooks.trigger({ url, event: 'container.update' });
  // @ts-expect-error no such event
  client.webhooks.selfCheck({ url, secret: 'x', event: 'container.update' });
  // @ts-expect-error no such event
  client.webhookNotifications.examples({ event: 'container.update' });
});

test('fakeNotification accepts any part of the values of its event', () => {
  expectTypeOf(fakeNotification('container.updated')).toEqualTypeOf<NotificationOf<'container.updated'>>();
  fakeNotification('container.updated', { reference_object: { changeset: { pickup_lfd: [null, 'x'] } } });
  // @ts-expect-error not a pair
  fakeNotification('container.updated', { reference_object: { changeset: { pickup_lfd: ['x'] } } });
  // @ts-expect-error no such attribute
  fakeNotification('container.updated', { container: { nubmer: 'X' } });
});

test('the client can refresh subjects', () => {
  expectTypeOf<TrackingClient>().toExtend<SubjectClient>();
});

test('a recovery with `requeue: true` needs an inbox that has two methods: has and put', () => {
  const client = {} as TrackingClient;
  const readable = { has: async (_: string) => true };
  const since = '2026-03-09T00:00:00Z';
  client.webhookNotifications.recover({ since, inbox: readable });
  client.webhookNotifications.recover({ since, inbox: memoryInbox({ ephemeral: true }), requeue: true });
  const options: RecoverOptions = { since, inbox: readable, requeue: false };
  client.webhookNotifications.recover(options);
  // @ts-expect-error the inbox has no method put
  client.webhookNotifications.recover({ since, inbox: readable, requeue: true });
  const send = async () => {};
  client.webhookNotifications.recover({ since, inbox: fromQueue(send, { has: readable.has }), requeue: true });
  // @ts-expect-error the queue has no method has
  client.webhookNotifications.recover({ since, inbox: fromQueue(send), requeue: true });
  // @ts-expect-error no inbox is given
  client.webhookNotifications.recover({ since, requeue: true });
});
