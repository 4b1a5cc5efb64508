import assert from 'node:assert/strict';
import { createReceiver, createRouter, createWorker, fakeDelivery, signWebhook } from 'container-tracking-sdk/webhooks';

/** Sends a signed delivery through the inbox to its handler. */
export async function roundTrip(inbox) {
  const secret = 'secret';
  const body = JSON.stringify(fakeDelivery('container.updated'));
  const receiver = createReceiver({ secrets: secret, inbox });
  const headers = { 'X-SVC-Webhook-Signature': await signWebhook({ body, secret }) };
  const { status } = await receiver.fetch(new Request('http://localhost/', { method: 'POST', body, headers }));
  assert.equal(status, 202);
  let worker;
  const handled = await new Promise(resolve => {
    worker = createWorker({ inbox, router: createRouter().otherwise(resolve) }).start();
  });
  await worker.stop();
  await receiver.close();
  assert.equal(handled.id, JSON.parse(body).data.id);
}
