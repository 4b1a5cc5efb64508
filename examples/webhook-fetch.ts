/**
 * Receives notifications without a permanent process: a Worker with Hono and a queue. The same receiver is a route
 * of Next.js (`export const POST = receiver.fetch`) and a server of Bun or Deno (`Deno.serve(receiver.fetch)`).
 */
import { createReceiver, createRouter, fromQueue, parseNotification } from 'container-tracking-sdk/webhooks';
import { Hono } from 'hono';

export interface Env {
  TRACKING_WEBHOOK_SECRET: string;
  /** A binding to a queue. */
  NOTIFICATIONS: { send(body: Uint8Array, options: { contentType: 'bytes' }): Promise<unknown> };
}

const app = new Hono<{ Bindings: Env }>();

// A notification is acknowledged only after the queue has accepted it.
app.post('/webhooks/tracking', ({ req, env }) => {
  const inbox = fromQueue(({ body }) => env.NOTIFICATIONS.send(body, { contentType: 'bytes' }));
  return createReceiver({ secrets: env.TRACKING_WEBHOOK_SECRET, inbox }).fetch(req.raw);
});

// Queues of this kind do not drop duplicates: handlers must recognize duplicates by `n.id`.
const router = createRouter()
  .on('container.updated', n => console.log(n.event, n.container?.number, n.reference_object.changeset))
  .otherwise(n => console.log(n.event));

export default {
  fetch: app.fetch,
  async queue(batch: { messages: readonly { body: Uint8Array }[] }): Promise<void> {
    for (const { body } of batch.messages) await router.handle(parseNotification(body));
  },
};
