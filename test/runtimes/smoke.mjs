// The same program runs on every runtime. It does the work of an application, against a sandbox whose address is an
// argument.
import { milestones, NotFoundError, parseContainerNumber, TrackingClient } from 'container-tracking-sdk';
import { createSandbox } from 'container-tracking-sdk/sandbox';
import { verifyWebhook } from 'container-tracking-sdk/webhooks';

const NUMBER = { number: 'TEST-TR-SUCCEEDED', scac: 'TEST', type: 'bill_of_lading' };
const SIZE = 100_000;

/**
 * The jobs run one after the other, because each fault of the sandbox is meant for one job. The caller of this program
 * compares the reports of the jobs.
 */
const JOBS = {
  async list(state) {
    const lines = await state.client.shippingLines.list().toArray();
    state.line = lines[0].id;
    const missing = await state.client.ports.get('XXXXX').catch(error => error);
    return { lines: lines.length, missing: missing instanceof NotFoundError && missing.code };
  },

  async include(state) {
    const { shipment, trackingRequest } = await state.client.track(NUMBER);
    const { containers } = await state.client.shipments.get(shipment.id, { include: ['containers.transport_events'] });
    state.container = containers[0].id;
    return {
      status: trackingRequest.status,
      valid: containers.every(({ number }) => parseContainerNumber(number).valid),
      events: containers.every(({ transport_events }) => transport_events.length > 0),
    };
  },

  async paginate({ client }) {
    const ids = [];
    for await (const { id } of client.shipments.list({ pageSize: 3 })) ids.push(id);
    return { records: ids.length, different: new Set(ids).size };
  },

  async upload({ client }) {
    const bytes = Uint8Array.from({ length: SIZE }, (_, index) => (index * 7919) % 251);
    let told;
    const { id } = await client.documents.upload({
      file: new Blob([bytes]),
      filename: 'invoice.pdf',
      onProgress: progress => {
        told = progress;
      },
    });
    const read = new Uint8Array(await new Response(await client.documents.download(id)).arrayBuffer());
    return { told, same: read.length === SIZE && read.every((byte, index) => byte === bytes[index]) };
  },

  async verify() {
    const delivery = {
      body: '{"data":{"id":"n1","type":"webhook_notification","attributes":{"event":"container.updated"}}}',
      // The output of openssl dgst -sha256 -hmac secret
      signature: '127ad8c4116989c44c781687176f5c0a61275a0aed34dd057584f44ce933bbea',
      secrets: 'secret',
    };
    const { event } = await verifyWebhook(delivery);
    const forged = { ...delivery, body: delivery.body.replace('n1', 'n2') };
    return { event, forged: await verifyWebhook(forged).catch(error => error.reason) };
  },

  async abort({ client, container, seen }) {
    const controller = new AbortController();
    const answer = client.containers.get(container, { signal: controller.signal });
    const headers = new Promise(resolve => {
      seen.onResponse = resolve;
    });
    const { status } = await Promise.race([headers, answer]);
    // The first half of the body arrives meanwhile; the second half never arrives.
    await new Promise(resolve => setTimeout(resolve, 50));
    controller.abort('enough');
    return { status, reason: await answer.catch(error => error) };
  },

  // The request is not for the same record as before. If Chromium has begun to store a response, it repeats the request
  // itself.
  async rateLimited({ client, line }) {
    const before = performance.now();
    const { data, attempts } = await client.shippingLines.get(line).withResponse();
    return { same: data.id === line, attempts, waited: performance.now() - before > 990 };
  },

  async sandbox({ credential }) {
    const sandbox = createSandbox({ trackingDelayMs: 10 });
    const client = new TrackingClient({ baseUrl: 'http://localhost/v2', ...credential, fetch: sandbox.fetch });
    const { shipment } = await client.track(NUMBER);
    sandbox.advance({ days: 60 });
    const { containers } = await client.shipments.get(shipment.id, { include: ['containers.transport_events'] });
    client.close();
    return { loaded: milestones(containers[0]).some(({ name, estimated }) => name === 'vessel_loaded' && !estimated) };
  },
};

/** @param credential A web page must not have a key. */
export async function smoke(baseUrl, credential = { apiKey: 'sandbox' }) {
  const seen = {};
  const client = new TrackingClient({
    baseUrl,
    ...credential,
    validation: 'strict',
    hooks: { onResponse: event => seen.onResponse?.(event) },
  });
  const state = { client, credential, seen };
  const told = {};
  for (const [name, job] of Object.entries(JOBS)) {
    told[name] = await job(state).catch(error => ({ error: String(error?.stack ?? error) }));
  }
  client.close();
  return told;
}
