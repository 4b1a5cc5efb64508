import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { notification as notificationSchema } from '../../src/schemas/index.ts';
import {
  EVENT_NAMES,
  fakeDelivery,
  fakeNotification,
  isEventName,
  parseNotification,
  type RefreshSubjectOptions,
  refreshSubject,
  type SubjectClient,
  signWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';
import { WebhookVerificationError } from '../../src/webhooks/verify/verification-error.ts';
import deliveries from '../../support/samples/webhooks.deliveries.json' with { type: 'json' };
import matrix from '../../support/samples/webhooks.event_matrix.json' with { type: 'json' };

type Delivery = (typeof deliveries)['container.updated'];

const parse = (document: unknown) => parseNotification(JSON.stringify(document), { schema: notificationSchema });

/** Parses a changed copy of a sample. */
function changed(name: keyof typeof deliveries, change: (document: Delivery) => void) {
  const document = structuredClone(deliveries[name]) as unknown as Delivery;
  change(document);
  return parse(document);
}

describe.each(Object.entries(deliveries))('the sample of %s', (name, document) => {
  const n = parse(document);

  test('has its attributes at the top level, its subject, and the included records', () => {
    expect(n).toMatchObject({
      id: document.data.id,
      type: 'webhook_notification',
      event: name.split(' ')[0],
      delivery_status: 'pending',
      created_at: document.data.attributes.created_at,
    });
    const included = 'included' in document ? document.included : [];
    expect(n.included.map(({ type, id }) => ({ type, id }))).toEqual(included.map(({ type, id }) => ({ type, id })));
    expect(n.reference_object ?? n.document).toMatchObject(
      'document' in document.data.relationships
        ? document.data.relationships.document.data
        : (document.data.relationships as Delivery['data']['relationships']).reference_object.data,
    );
  });

  test('is plain data without cycles', () => {
    expect(structuredClone(n)).toEqual(n);
    expect(JSON.parse(JSON.stringify(n))).toEqual(n);
  });
});

describe('links', () => {
  test('connect the subject with the included records, but do not connect the included records with each other', () => {
    const n = parse(deliveries['container.updated']);
    if (n.event !== 'container.updated') throw new Error('narrowing');
    const { container, terminal, shipment, changeset } = n.reference_object;
    expect(changeset).toEqual(deliveries['container.updated'].included.at(-1)?.attributes.changeset);
    expect(container).toMatchObject({ type: 'container', number: 'SVQU2004170' });
    expect(terminal).toHaveProperty('firms_code');
    expect(shipment).toHaveProperty('bill_of_lading_number');
    expect((container as { shipment: unknown }).shipment).toEqual({ type: 'shipment', id: shipment?.id });
    expect(n.container).toBe(container);
    expect(n.shipment).toBe(shipment);
  });

  test('connect a document with its representation and its email', () => {
    const n = parse(deliveries['document.extracted']);
    if (n.event !== 'document.extracted') throw new Error('narrowing');
    expect(n.version).toBe('2026-03-10');
    expect(n.document.last_document_representation).toHaveProperty('payload');
    expect(n.document.email_submission).toHaveProperty('subject');
    expect(n.reference_object).toBeUndefined();
  });

  test('connect a tracking request with its shipment', () => {
    const n = parse(deliveries['tracking_request.succeeded']);
    if (n.event !== 'tracking_request.succeeded') throw new Error('narrowing');
    expect(n.reference_object.tracked_object).toHaveProperty('bill_of_lading_number');
    expect(n.tracking_request?.id).toBe(n.reference_object.id);
    expect(n.shipment).toBe(n.reference_object.tracked_object);
    expect(n.container?.number).toBe('SVQU2004170');
  });

  test('leave a record that is not included as a reference', () => {
    const n = changed('container.updated', document => {
      document.included = document.included.filter(({ type }) => type !== 'container');
    });
    const { id, type } = deliveries['container.updated'].included.at(-1)?.relationships?.container?.data ?? {};
    expect(n.reference_object).toMatchObject({ container: { id, type } });
    expect(n).not.toHaveProperty('container');
  });

  test('select the container that the event names, if several containers are included', () => {
    const n = changed('container.updated', document => {
      const container = document.included.find(({ type }) => type === 'container');
      if (container) document.included.unshift({ ...container, id: 'other' });
    });
    expect(n.container?.id).toBe(deliveries['container.updated'].included.find(({ type }) => type === 'container')?.id);
  });

  test('select no container if several containers are included and the event names none of them', () => {
    const n = changed('tracking_request.succeeded', document => {
      const container = document.included.find(({ type }) => type === 'container');
      if (container) document.included.unshift({ ...container, id: 'other' });
    });
    expect(n).not.toHaveProperty('container');
    expect(n.shipment).toBeDefined();
  });
});

describe('a payload that is shorter than the samples', () => {
  test.each([
    ['missing', (document: Partial<Delivery>) => delete document.included],
    ['empty', (document: Partial<Delivery>) => Object.assign(document, { included: [] })],
    ['null', (document: Partial<Delivery>) => Object.assign(document, { included: null })],
  ])('has a reference as its subject if `included` is %s', (_, change) => {
    const document = structuredClone(deliveries['container.updated']);
    change(document);
    const n = parseNotification(JSON.stringify(document));
    expect(n.included).toEqual([]);
    expect(n.reference_object).toEqual(deliveries['container.updated'].data.relationships.reference_object.data);
  });

  test('has the included event as its subject if the notification has no relationships', () => {
    const n = changed('container.updated', document => {
      delete (document.data as Partial<Delivery['data']>).relationships;
    });
    expect(n.reference_object).toMatchObject({ type: 'container_updated_event', container: { number: 'SVQU2004170' } });
    const alone = changed('tracking_request.succeeded', document => {
      delete (document.data as Partial<Delivery['data']>).relationships;
    });
    expect(alone.reference_object).toMatchObject({ type: 'tracking_request', status: 'created' });
  });

  test('has no subject if both the relationships and `included` are missing', () => {
    const n = parse({ data: { id: '1', type: 'webhook_notification', attributes: { event: 'container.updated' } } });
    expect(n).not.toHaveProperty('reference_object');
    expect(n.included).toEqual([]);
  });
});

describe('a payload cannot', () => {
  const hostile = (attributes: object, relationships: object = {}) =>
    changed('container.updated', document => {
      const event = document.included.at(-1);
      Object.assign(event?.attributes ?? {}, attributes);
      Object.assign(event?.relationships ?? {}, relationships);
    });

  test('replace the id or the type of a record', () => {
    const n = hostile({ id: 'other', type: 'other', links: 'x' });
    expect(n.reference_object).toMatchObject({ id: deliveries['container.updated'].included.at(-1)?.id });
    expect(n.reference_object?.type).toBe('container_updated_event');
    const { id, type } = deliveries['container.updated'].included.find(r => r.type === 'container') as {
      id: string;
      type: string;
    };
    const named = hostile({}, { id: { data: { id, type } }, type: { data: [{ id, type }] } });
    expect(named.reference_object).toMatchObject({ id: n.reference_object?.id, type: 'container_updated_event' });
  });

  test('add a member with a relationship that has no data', () => {
    const n = hostile({}, { elsewhere: { links: { related: '/x' } }, nothing: null });
    expect(n.reference_object).not.toHaveProperty('elsewhere');
    expect(n.reference_object).not.toHaveProperty('nothing');
  });

  test('make a cycle with an event that points to itself', () => {
    const { id, type } = deliveries['container.updated'].included.at(-1) as { id: string; type: string };
    const n = hostile({}, { previous_version: { data: { id, type } }, many: { data: [{ id, type }, null, 5] } });
    expect(() => JSON.stringify(n)).not.toThrow();
  });

  test('turn an attribute into a reference', () => {
    const { id, type } = deliveries['container.updated'].included[0] as { id: string; type: string };
    expect(hostile({ note: { id, type } }).reference_object).toMatchObject({ note: { id, type } });
    expect((hostile({ note: { id, type } }).reference_object as unknown as { note: object }).note).toEqual({
      id,
      type,
    });
  });

  test('break anything with a relationship that is named like a method of every object', () => {
    const n = hostile({}, { constructor: { data: null }, toString: { data: [] } });
    expect(n.reference_object).toMatchObject({ constructor: null, toString: [] });
  });
});

test('a notification of an unknown event also has its subject and its records', () => {
  const n = changed('container.updated', document => {
    document.data.attributes.event = 'container.repainted';
  });
  expect(isEventName(n.event)).toBe(false);
  expect(n.reference_object).toMatchObject({ changeset: expect.anything(), container: { number: 'SVQU2004170' } });
  expect(n.container?.number).toBe('SVQU2004170');
});

test('parseNotification accepts bytes and text, and refuses an object', () => {
  const text = JSON.stringify(deliveries['container.updated']);
  expect(parseNotification(Buffer.from(text))).toEqual(parseNotification(text));
  const parsed = deliveries['container.updated'] as unknown as string;
  expect(() => parseNotification(parsed)).toThrow(WebhookVerificationError);
  expect(() => parseNotification('{}')).toThrow(expect.objectContaining({ reason: 'bad_payload' }));
});

describe('the catalogue of events', () => {
  test('has the events of the reference', () => {
    expect([...EVENT_NAMES].sort()).toEqual(matrix.map(({ event }) => event).sort());
    expect(isEventName('container.updated')).toBe(true);
    expect(isEventName('constructor')).toBe(false);
  });

  test.each(matrix.map(({ event, reference_object, included }) => [event, reference_object, included] as const))(
    'the fake of %s has the records that the service sends',
    (event, subject, included) => {
      if (!isEventName(event)) throw new Error('unknown');
      const delivery = fakeDelivery(event);
      expect(delivery.included?.map(({ type }) => type)).toEqual(included ?? undefined);
      const n = parseNotification(JSON.stringify(delivery), { schema: notificationSchema });
      expect(n.event).toBe(event);
      expect((n.reference_object ?? n.document)?.type).toBe(subject);
      expect(n.included).toHaveLength(included?.length ?? 0);
      for (const type of ['container', 'shipment', 'tracking_request'] as const) {
        expect(n[type]?.type).toBe(included?.includes(type) ? type : undefined);
      }
    },
  );
});

describe('fakeNotification', () => {
  test('refuses a misspelt name, and accepts a name that this version does not know', () => {
    for (const name of ['contaner', 'created_ad', 'refrence_object'])
      expect(() => fakeNotification('container.updated', { [name]: {} } as object)).toThrow('did you mean');
    expect(fakeNotification('container.updated', { priority: 'high' } as object)).toMatchObject({ priority: 'high' });
  });

  test('suggests the event whose name is most similar to a misspelt name', () => {
    const misspelt = 'container.udpated' as 'container.updated';
    expect(() => fakeNotification(misspelt)).toThrow(
      /^This version has no event container\.udpated; did you mean container\.updated\? There are: tracking_request/,
    );
  });

  test('accepts any part of a notification, and changes every copy of a record', () => {
    const n = fakeNotification('container.updated', {
      id: '1',
      container: { number: 'MSCU1234565' },
      reference_object: { changeset: { pickup_lfd: [null, '2026-03-12T04:00:00Z'] } },
    });
    expect(n.id).toBe('1');
    expect(n.container?.number).toBe('MSCU1234565');
    expect(n.reference_object.container).toHaveProperty('number', 'MSCU1234565');
    expect(n.included.find(({ type }) => type === 'container')).toHaveProperty('number', 'MSCU1234565');
    expect(n.reference_object.changeset).toEqual({
      available_for_pickup: [false, true],
      pickup_lfd: [null, '2026-03-12T04:00:00Z'],
    });
  });

  test('changes the id of a record, also in all references to the record', () => {
    const n = fakeNotification('container.updated', { container: { id: 'c1' } });
    expect(n.reference_object.container).toMatchObject({ id: 'c1', number: n.container?.number });
    expect(n.shipment).toMatchObject({ containers: [{ type: 'container', id: 'c1' }] });
  });

  test.each(EVENT_NAMES)('adds a container to %s, which refreshSubject() then reads', async event => {
    if (event.startsWith('document') || event.startsWith('tracking') || event === 'link.created') return;
    const n = fakeNotification(event, { container: { id: 'c1', number: 'MSCU1234565' } } as object);
    expect(n.container).toMatchObject({ type: 'container', id: 'c1', number: 'MSCU1234565' });
    const get = async (id: string) => ({ id }) as never;
    const group = { get };
    const client = { containers: group, shipments: group, trackingRequests: group, webhookNotifications: group };
    expect(await refreshSubject(n, client)).toEqual({ id: 'c1' });
  });

  test('uses a reference, null and the included records unchanged', () => {
    const n = fakeNotification('container.transport.vessel_arrived', {
      reference_object: { vessel: { id: 'v1', type: 'vessel' }, terminal: null } as object,
      webhook: { id: 'w1', type: 'webhook' },
    });
    expect(n.webhook).toEqual({ id: 'w1', type: 'webhook' });
    expect(n.reference_object).toMatchObject({ vessel: { id: 'v1' }, terminal: null });
    const included = [{ type: 'port', id: 'p1', code: 'USCHS' }] as never[];
    expect(fakeNotification('container.created', { included }).included).toEqual(included);
  });

  test('returns a new notification each time, about the same records', () => {
    const [one, other] = [fakeNotification('container.created'), fakeNotification('container.created')];
    expect(one.id).not.toBe(other.id);
    expect({ ...one, id: '' }).toEqual({ ...other, id: '' });
  });

  test('refuses an unknown event', () => {
    expect(() => fakeNotification('container.update' as 'container.updated')).toThrow(ConfigurationError);
    expect(() => fakeNotification('constructor' as 'container.updated')).toThrow(ConfigurationError);
  });
});

test('a fake delivery takes the values of a notification, and can be signed', async () => {
  const over = { id: '1', container: { id: 'c1', number: 'MSCU1234565' } };
  const body = JSON.stringify(fakeDelivery('container.updated', over));
  const secret = 's3cret';
  const signature = await signWebhook({ body, secret });
  const n = await verifyWebhook({ body, signature, secrets: secret });
  expect(n).toEqual(fakeNotification('container.updated', over));
  expect(n.container).toMatchObject({ id: 'c1', number: 'MSCU1234565' });
});

describe('refreshSubject', () => {
  test('says that the client is missing if the arguments are swapped', async () => {
    const n = fakeNotification('container.updated');
    // @ts-expect-error The notification comes first.
    await expect(refreshSubject(client().client, n)).rejects.toThrow(
      'client.containers is missing. new TrackingClient() makes one.',
    );
  });

  function client(found: object = {}) {
    const calls: string[] = [];
    const get =
      (name: string) =>
      async (id: string, { signal, ...options }: RefreshSubjectOptions): Promise<never> => {
        calls.push(`${name} ${id}${Object.keys(options).length > 0 ? ` ${JSON.stringify(options)}` : ''}`);
        return (name === 'notification' ? found : { id }) as never;
      };
    const structural: SubjectClient = {
      containers: { get: get('container') },
      shipments: { get: get('shipment') },
      trackingRequests: { get: get('tracking_request') },
      webhookNotifications: { get: get('notification') },
    };
    return { calls, client: structural, get };
  }

  test.each([
    ['container.updated', 'container', ' {"include":["shipment"]}'],
    ['container.transport.vessel_arrived', 'container', ' {"include":["shipment"]}'],
    ['shipment.estimated.arrival', 'shipment', ''],
    ['tracking_request.succeeded', 'tracking_request', ''],
    ['tracking_request.failed', 'tracking_request', ''],
  ] as const)('of %s reads the %s once', async (event, type, options) => {
    const { calls, client: structural } = client();
    const n = fakeNotification(event);
    const id = n[type]?.id;
    expect(await refreshSubject(n, structural)).toEqual({ id });
    expect(calls).toEqual([`${type} ${id}${options}`]);
  });

  test('reads a container that the event names but does not include', async () => {
    const { calls, client: structural } = client();
    const n = fakeNotification('container.transport.available');
    Object.assign(n.reference_object, { container: { type: 'container', id: 'c1' } });
    await refreshSubject(n, structural);
    expect(calls).toEqual(['container c1 {"include":["shipment"]}']);
  });

  test('reads the notification from the API if the event names no record', async () => {
    const found = {
      reference_object: { type: 'transport_event', id: 'e', container: { type: 'container', id: 'c1' } },
    };
    const { calls, client: structural } = client(found);
    const n = fakeNotification('container.pickup_appointment.changed');
    await refreshSubject(n, structural);
    expect(calls).toEqual([`notification ${n.id}`, 'container c1 {"include":["shipment"]}']);
  });

  test('passes its signal to each request', async () => {
    const { signal } = new AbortController();
    const passed: unknown[] = [];
    const reads = (found: object) => ({
      async get(_id: string, options: RefreshSubjectOptions): Promise<never> {
        passed.push(options.signal);
        return found as never;
      },
    });
    const container = { type: 'container', id: 'c1' };
    const whole: SubjectClient = {
      containers: reads(container),
      shipments: reads({}),
      trackingRequests: reads({}),
      documents: reads({}),
      webhookNotifications: reads({ reference_object: { type: 'transport_event', id: 'e', container } }),
    };
    const events = [
      'container.pickup_appointment.changed',
      'shipment.estimated.arrival',
      'tracking_request.succeeded',
      'document.extracted',
    ] as const;
    for (const event of events) await refreshSubject(fakeNotification(event), whole, { signal });
    expect(passed).toEqual([signal, signal, signal, signal, signal]);
  });

  test('reads the document of an event if the client can read documents', async () => {
    const { calls, client: structural, get } = client();
    const n = fakeNotification('document.extracted');
    const documents = { get: get('document') };
    expect(await refreshSubject(n, { ...structural, documents })).toEqual({ id: n.document.id });
    expect(calls).toEqual([`document ${n.document.id} {"include":["last_document_representation"]}`]);
  });

  test('returns undefined if there is no record that can be read again', async () => {
    const { calls, client: structural } = client();
    expect(await refreshSubject(fakeNotification('document.extracted'), structural)).toBeUndefined();
    expect(calls).toEqual([]);
    expect(await refreshSubject(fakeNotification('container.transport.delivered'), structural)).toBeUndefined();
  });
});
