import { isRecord } from '../../jsonapi/document.ts';
import type { EventName } from '../../model/index.ts';
import { isHeaderName, isHeaderValue, isLoopback } from '../base/checks.ts';
import { type Call, requested, text } from '../http/call.ts';
import { badRequest, type ErrorObject, HttpError, invalid, named, unprocessable } from '../http/errors.ts';
import { created, includeOf, list, ok, one, selfLink } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import { deliver } from '../notifications/deliveries.ts';
import { exampleNotification, exampleOf } from '../notifications/examples.ts';
import { eventCategories, eventNamed, notification, payload, subjectOf, webhook } from '../notifications/payload.ts';
import { watch } from '../notifications/publish.ts';
import { storedSubject } from '../notifications/sample.ts';
import type { Entity, Notification, Webhook } from '../state/store.ts';

/** Addresses that are reserved for documentation. They stand for the addresses of the real service. */
const SENDERS = ['192.0.2.10', '192.0.2.11', '198.51.100.7'];

export const webhookRoutes = routesFrom({
  'GET /webhooks': call => list(call, call.backend.store.webhooks.newestFirst(), webhook, { meta: 'none' }),
  async 'POST /webhooks'(call) {
    const { backend } = call;
    const { attributes } = await call.input();
    const blank: Webhook = {
      id: backend.ids.next('webhook'),
      createdAt: backend.now,
      url: '',
      active: true,
      events: [],
      secret: backend.ids.next('webhook secret').replaceAll('-', ''),
      headers: [],
      failedInRow: 0,
    };
    const record = backend.store.webhooks.add(withAttributes(blank, attributes));
    for (const shipment of backend.store.shipments.newestFirst()) watch(backend, shipment);
    return created(webhook(record));
  },
  'GET /webhooks/events': ({ backend }) => ok({ data: eventCategories(backend.features).map(category) }),
  'GET /webhooks/ips': () => ok({ webhook_notification_ips: SENDERS, last_updated: '2023-10-17T21:23:16Z' }),
  'POST /webhooks/trigger': trigger,
  'GET /webhooks/:id': call => one(call, webhook(requested(call, 'webhooks'))),
  async 'PATCH /webhooks/:id'(call) {
    const { attributes } = await call.input();
    const record = requested(call, 'webhooks');
    return one(call, webhook(Object.assign(record, withAttributes(record, attributes))));
  },
  'DELETE /webhooks/:id'(call) {
    call.backend.store.webhooks.remove(requested(call, 'webhooks').id);
    return { status: 200 };
  },
  'GET /webhook_notifications'(call) {
    const tree = includeOf(call, 'webhook_notification');
    const records = call.backend.store.notifications.newestFirst();
    return list(call, records, record => stored(call, record), { tree, meta: 'pagination' });
  },
  'GET /webhook_notifications/examples'(call) {
    const event = eventNamed(call.query.get('event') ?? '');
    if (event === undefined) throw badRequest('event', null);
    const body = payload(...exampleNotification(call.backend, event));
    return ok({ ...body, links: { self: selfLink(call.url) } });
  },
  'GET /webhook_notifications/:id'(call) {
    const record = requested(call, 'notifications');
    const tree = includeOf(call, 'webhook_notification', 'reference_object');
    return one(call, stored(call, record), tree);
  },
});

function category({ id, name, events }: ReturnType<typeof eventCategories>[number]) {
  return { id, type: 'webhook_event_category', attributes: { name, events } };
}

/** The response is 200, even if the delivery fails. */
async function trigger(call: Call) {
  const body = await call.json();
  const input = isRecord(body) ? body : {};
  const url = text(input, 'url');
  const name = text(input, 'event');
  const event = eventNamed(name);
  if (url === '') throw named('missing-trigger-url');
  if (!isAllowed(url)) throw new HttpError(422, [{ detail: 'url must be https' }]);
  if (name === '') throw new HttpError(422, [{ detail: 'event is required' }]);
  if (event === undefined) throw new HttpError(422, [{ detail: `there is no event with the name ${name}` }]);
  const type = documentTypeOf(input.sample);
  const about = storedSubject(call.backend, event, type) ?? exampleOf(call.backend, event, type);
  const sample = JSON.stringify(payload(...exampleNotification(call.backend, event, about)));
  const result = await deliver(call.backend, { url, body: sample, secret: text(input, 'secret') || undefined });
  // Without this check, any page could read the responses of services on this machine and its network.
  const seen = call.isForeign ? { ...result, response_headers: null, response_body: null } : result;
  return ok(seen);
}

function documentTypeOf(sample: unknown): string | undefined {
  const type = isRecord(sample) ? sample.document_type : undefined;
  return typeof type === 'string' && type !== '' ? type : undefined;
}

/** The texts of these errors in the real service are not published. */
function withAttributes(before: Webhook, attributes: Record<string, unknown>): Webhook {
  const { url = before.url, active = before.active, events = before.events, headers = before.headers } = attributes;
  const errors: ErrorObject[] = [];
  if (typeof url !== 'string' || !isAllowed(url))
    errors.push(invalid('attributes/url', 'Url must be a valid https URL'));
  if (typeof active !== 'boolean') errors.push(invalid('attributes/active', 'Active must be true or false'));
  const names = Array.isArray(events) ? events.map(name => eventNamed(String(name))) : [];
  // A missing list of events is accepted. The webhook then gets no notifications.
  const isEmpty = names.length === 0 && attributes.events !== undefined;
  if (isEmpty || !Array.isArray(events) || names.includes(undefined) || new Set(names).size < names.length) {
    errors.push(invalid('attributes/events', 'Events must contain known names, each of them once'));
  }
  const sent = Array.isArray(headers) ? headers.filter(isHeader) : [];
  if (!sent.every(({ name, value }) => isHeaderName(name) && isHeaderValue(value))) {
    errors.push(invalid('attributes/headers', 'Headers must have names and values that HTTP allows'));
  }
  if (errors.length > 0) throw unprocessable(...errors);
  return {
    ...before,
    url: String(url),
    active: active === true,
    failedInRow: before.active ? before.failedInRow : 0,
    events: names.filter((name): name is EventName => name !== undefined),
    headers: sent,
  };
}

function isHeader(value: unknown): value is Webhook['headers'][number] {
  return isRecord(value) && typeof value.name === 'string' && typeof value.value === 'string';
}

/** The service requires https. The sandbox also allows http on the same machine, so that receivers can be tested. */
function isAllowed(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  } catch {
    return false;
  }
}

function stored({ backend }: Call, record: Notification): Entity {
  return notification(record, subjectOf(backend, record.event, record.about).reference);
}
