import { isRecord } from '../../jsonapi/document.ts';
import type { EventName } from '../../model/index.ts';
import { isHeaderName, isHeaderValue } from '../base/header.ts';
import { isLoopback } from '../base/loopback.ts';
import { webhook } from '../entities/webhook.ts';
import { text } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { type ErrorObject, HttpError, invalid, named, orNotFound, unprocessable } from '../http/errors.ts';
import { created, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { eventCategories, eventNamed } from '../notifications/catalogue.ts';
import { exampleNotification } from '../notifications/example.ts';
import { payload } from '../notifications/payload.ts';
import { deliver } from '../notifications/send.ts';
import { watch } from '../notifications/watch.ts';
import type { Webhook } from '../state/store.ts';

const requestedWebhook = (call: Call) => orNotFound(call.backend.store.webhooks.get(call.param('id')));

/** Addresses that are reserved for documentation, in place of those of the real service. */
const SENDERS = ['192.0.2.10', '192.0.2.11', '198.51.100.7'];

export const webhookRoutes: Route[] = [
  {
    method: 'GET',
    path: '/webhooks',
    handle: call => list(call, call.backend.store.webhooks.newestFirst(), webhook, { meta: 'none' }),
  },
  {
    method: 'POST',
    path: '/webhooks',
    async handle(call) {
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
  },
  {
    method: 'GET',
    path: '/webhooks/events',
    handle: ({ backend }) => ({ status: 200, body: { data: eventCategories(backend.features).map(category) } }),
  },
  {
    method: 'GET',
    path: '/webhooks/ips',
    handle: () => ({
      status: 200,
      body: { webhook_notification_ips: SENDERS, last_updated: '2023-10-17T21:23:16Z' },
    }),
  },
  { method: 'POST', path: '/webhooks/trigger', handle: trigger },
  { method: 'GET', path: '/webhooks/:id', handle: call => one(call, webhook(requestedWebhook(call))) },
  {
    method: 'PATCH',
    path: '/webhooks/:id',
    async handle(call) {
      const { attributes } = await call.input();
      return one(
        call,
        webhook(Object.assign(requestedWebhook(call), withAttributes(requestedWebhook(call), attributes))),
      );
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:id',
    handle(call) {
      call.backend.store.webhooks.remove(requestedWebhook(call).id);
      return { status: 200 };
    },
  },
];

function category({ id, name, events }: ReturnType<typeof eventCategories>[number]) {
  return { id, type: 'webhook_event_category', attributes: { name, events } };
}

/** The answer is 200, even if the delivery fails. */
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
  const sample = JSON.stringify(payload(...exampleNotification(call.backend, event, documentTypeOf(input.sample))));
  const result = await deliver(call.backend, { url, body: sample, secret: text(input, 'secret') || undefined });
  // Otherwise any page could read through the sandbox what it may not read itself: services of this machine and its network.
  const seen = call.isForeign ? { ...result, response_headers: null, response_body: null } : result;
  return { status: 200, body: seen };
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
  // A missing list is accepted. The webhook then gets no notifications.
  const isEmpty = names.length === 0 && attributes.events !== undefined;
  if (isEmpty || !Array.isArray(events) || names.includes(undefined) || new Set(names).size < names.length) {
    errors.push(invalid('attributes/events', 'Events must hold known names, each of them once'));
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
