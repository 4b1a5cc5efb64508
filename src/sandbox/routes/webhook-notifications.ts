import type { Call } from '../http/call.ts';
import { badRequest, orNotFound } from '../http/errors.ts';
import { selfLink } from '../http/paging.ts';
import { includeOf, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { eventNamed } from '../notifications/catalogue.ts';
import { exampleNotification } from '../notifications/example.ts';
import { notification, payload } from '../notifications/payload.ts';
import { subjectOf } from '../notifications/subject.ts';
import type { Entity } from '../state/entity.ts';
import type { Notification } from '../state/store.ts';

function stored({ backend }: Call, record: Notification): Entity {
  return notification(record, subjectOf(backend, record.event, record.about).reference);
}

export const webhookNotificationRoutes: Route[] = [
  {
    method: 'GET',
    path: '/webhook_notifications',
    handle(call) {
      const tree = includeOf(call, 'webhook_notification');
      const records = call.backend.store.notifications.newestFirst();
      return list(call, records, record => stored(call, record), { tree, meta: 'pagination' });
    },
  },
  {
    method: 'GET',
    path: '/webhook_notifications/examples',
    handle(call) {
      const event = eventNamed(call.query.get('event') ?? '');
      if (event === undefined) throw badRequest('event', null);
      const body = payload(...exampleNotification(call.backend, event));
      return { status: 200, body: { ...body, links: { self: selfLink(call.url) } } };
    },
  },
  {
    method: 'GET',
    path: '/webhook_notifications/:id',
    handle(call) {
      const record = orNotFound(call.backend.store.notifications.get(call.param('id')));
      const tree = includeOf(call, 'webhook_notification', 'reference_object');
      return one(call, stored(call, record), tree);
    },
  },
];
