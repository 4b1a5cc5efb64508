import { shipment } from '../entities/tracking-entities.ts';
import { selectShipments, sortOf } from '../filters/select.ts';
import { shipmentsInOrder } from '../filters/shipment-lists.ts';
import { type Call, requested, stringsOr } from '../http/call.ts';
import { includeOf, list, one, type Reply } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import { notifyOfStop } from '../notifications/publish.ts';
import { rolesOf } from '../service/party-roles.ts';
import type { Backend } from '../state/backend.ts';
import type { Shipment } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';

const treeOf = (call: Call) => includeOf(call, 'shipment');
/** `tree` is read before the change: if `include` is wrong, the request must change nothing. */
const answer = (call: Call, record: Shipment, tree = treeOf(call)): Reply => one(call, entityFor(call, record), tree);

/** The roles of parties are included only on request. */
const entityFor = (call: Call, record: Shipment) =>
  shipment(call.backend, record, call.query.get('flag[parties]') === 'true' && rolesOf(call.backend, record.id));

export const shipmentRoutes = routesFrom({
  'GET /shipments'(call) {
    const tree = treeOf(call);
    const records = shipmentsInOrder(
      call.backend,
      selectShipments(call.backend, call.query),
      sortOf(call.backend, call.query),
    );
    return list(call, records, record => entityFor(call, record), { tree, meta: 'total and size' });
  },
  'GET /shipments/:id': call => answer(call, requested(call, 'shipments')),
  async 'PATCH /shipments/:id'(call) {
    const record = requested(call, 'shipments');
    const tree = treeOf(call);
    const { attributes } = await call.input();
    record.refNumbers = stringsOr(record.refNumbers, attributes, 'ref_numbers');
    record.tags = stringsOr(record.tags, attributes, 'tags');
    return answer(call, record, tree);
  },
  'PATCH /shipments/:id/stop_tracking'(call) {
    const record = requested(call, 'shipments');
    const tree = treeOf(call);
    if (viewShipment(call.backend, record).stoppedAt === null) {
      record.stoppedAt = call.backend.now;
      notifyOfStop(call.backend, record);
    }
    return answer(call, record, tree);
  },
  'PATCH /shipments/:id/resume_tracking'(call) {
    const record = requested(call, 'shipments');
    const tree = treeOf(call);
    if (record.stoppedAt !== null) resumeTracking(call.backend, record, record.stoppedAt);
    return answer(call, record, tree);
  },
});

function resumeTracking({ now, store }: Backend, record: Shipment, stoppedAt: number): void {
  record.gaps.push({ from: stoppedAt, to: now });
  record.stoppedAt = null;
  // The status of a tracking request depends on its shipment, so it changes now.
  for (const request of store.trackingRequests.newestFirst()) {
    if (request.shipment === record) request.updatedAt = now;
  }
}
