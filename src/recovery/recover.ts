import { NotFoundError } from '../errors.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import type { Checkpoint } from '../pagination/checkpoint.ts';
import { Containers } from '../resources/containers.ts';
import { Documents } from '../resources/documents.ts';
import { Shipments } from '../resources/shipments.ts';
import { TrackingRequests } from '../resources/tracking-requests.ts';
import { WebhookNotifications } from '../resources/webhook-notifications.ts';
import { Webhooks } from '../resources/webhooks.ts';
import type { Transport } from '../transport/transport.ts';
import { type RecoveryCheckpoint, startOf } from './checkpoint.ts';
import { findMissed, keyOf } from './missed.ts';
import type { Recovered, RecoverOptions } from './options.ts';

/** Checks the webhooks, finds what was missed, then reads each of its subjects once: by the sweep, else one by one. */
export async function* recover(
  transport: Transport,
  { priority = 'bulk', ...given }: RecoverOptions,
): AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
  const options = { ...given, priority };
  const start = startOf(options);
  const inactive = await checkWebhooks(transport, options);
  const { subjects, until, accounted } = await findMissed(new WebhookNotifications(transport), start, options);
  let sweep = (options.sweep ?? (start.sweep !== false || inactive > 0)) && (start.sweep || true);

  if (sweep !== false) {
    for await (const { found, checkpoint } of stillTracked(transport, sweep, options)) {
      for (const record of found) {
        if (isWhole(record)) yield give(record, record);
        else subjects.set(keyOf(record), subjects.get(keyOf(record)) ?? { ...record, notifications: [] });
      }
      sweep = checkpoint;
    }
    sweep = false;
  }
  const read = reader(transport, options);
  for (const subject of subjects.values()) yield give(subject, await read(subject));
  return checkpoint();

  function give({ type, id }: ResourceIdentifier, record: Recovered['record']): Recovered {
    const key = keyOf({ type, id });
    const { notifications } = subjects.get(key) ?? { notifications: [] };
    subjects.delete(key);
    return { source: 'recovery', subject: { type, id }, record, notifications, checkpoint: checkpoint() };
  }

  function checkpoint(): RecoveryCheckpoint {
    return { until, accounted, pending: [...subjects.values()], sweep };
  }
}

/** How many webhooks were found inactive. */
async function checkWebhooks(transport: Transport, options: RecoverOptions): Promise<number> {
  const { signal, priority, url, repair = false, onInactive } = options;
  const webhooks = new Webhooks(transport);
  const checked = await webhooks.list({ signal, priority, pageSize: 100 }).toArray();
  const inactive = checked.filter(webhook => !webhook.active && (url === undefined || webhook.url === url));
  for (const webhook of inactive) {
    const outcome = repair ? 'It is switched on again.' : 'Pass `repair: true` to switch it on again.';
    transport.observer.log('warn', `Webhook ${webhook.id} is inactive: the service sends it nothing. ${outcome}`);
    onInactive?.(webhook);
    if (repair) await webhooks.update(webhook.id, { active: true }, { signal, priority });
  }
  return inactive.length;
}

/** Every shipment that is still updated and its containers, page by page. */
async function* stillTracked(transport: Transport, after: true | Checkpoint, { signal, priority }: RecoverOptions) {
  const list = new Shipments(transport).list({
    signal,
    priority,
    filter: { tracking_stopped: false },
    include: ['containers'],
    pageSize: 100,
    from: after === true ? undefined : after,
  });
  for await (const { data, checkpoint } of list.pages()) {
    yield { found: data.flatMap(shipment => [shipment, ...shipment.containers]), checkpoint };
  }
}

/** The service may name a container without sending it along. */
function isWhole(record: object): boolean {
  return 'created_at' in record;
}

/** Reads a subject as it is now. */
function reader(transport: Transport, { signal, priority }: RecoverOptions) {
  const options = { signal, priority };
  const [containers, shipments] = [new Containers(transport), new Shipments(transport)];
  const [trackingRequests, documents] = [new TrackingRequests(transport), new Documents(transport)];

  async function read({ type, id }: ResourceIdentifier): Promise<Recovered['record']> {
    switch (type) {
      case 'container':
        return containers.get(id, options);
      case 'shipment':
        return shipments.get(id, { ...options, include: ['containers'] });
      case 'tracking_request':
        return trackingRequests.get(id, options);
      case 'document':
        return documents.get(id, options);
      default:
        return null;
    }
  }
  return async (subject: ResourceIdentifier) => {
    try {
      return await read(subject);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  };
}
