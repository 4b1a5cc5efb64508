import type { SearchResultAttributes } from '../../model/index.ts';
import { iso } from '../base/time.ts';
import { requestStatus, requestUpdatedAt } from '../entities/tracking-entities.ts';
import { named } from '../http/errors.ts';
import { ok, singlePageLinks } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import type { Backend } from '../state/backend.ts';
import type { Container, Shipment, TrackingRequest } from '../state/store.ts';
import { viewShipment } from '../state/view.ts';
import type { Carrier } from '../world/carriers.ts';

const MAX_HITS = 25;

export const searchRoutes = routesFrom({
  'GET /search'(call) {
    const query = call.query.get('query')?.trim().toUpperCase();
    if (!query) throw named('missing-query');
    const hits = search(call.backend, numbers => numbers.some(number => number?.toUpperCase().includes(query)));
    return ok({ data: hits.slice(0, MAX_HITS), links: singlePageLinks(call.url) });
  },
});

/**
 * Shipments, then containers, then tracking requests without a shipment. The newest records of each kind come first.
 */
function search(backend: Backend, matches: (numbers: (string | undefined)[]) => boolean) {
  const { shipments, containers, trackingRequests } = backend.store;
  const found = <T>(records: T[], isFound: (record: T) => boolean) => records.filter(isFound).slice(0, MAX_HITS);
  const isNamed = ({ number, refNumbers, customer }: Shipment) =>
    matches([number, ...(refNumbers ?? []), customer?.companyName]);
  const isOpen = ({ shipment, number, refNumbers }: TrackingRequest) =>
    shipment === null && matches([number, ...refNumbers]);
  return [
    ...found(shipments.newestFirst(), isNamed).map(record => {
      const { voyage, at, stoppedAt, stoppedReason } = viewShipment(backend, record);
      return hit('shipment', record, record.carrier, at, {
        port_of_lading_name: voyage.pol.name,
        port_of_discharge_name: at < voyage.knownFrom ? null : voyage.pod.name,
        containers_count: record.containers.length,
        tracking_stopped: stoppedAt !== null,
        tracking_stopped_reason: stoppedReason,
      });
    }),
    ...found(containers.newestFirst(), ({ number, refNumbers }) => matches([number, ...refNumbers])).map(record => {
      const { shipment } = record;
      return hit('cargo', record, shipment.carrier, viewShipment(backend, shipment).at, { shipment_id: shipment.id });
    }),
    ...found(trackingRequests.newestFirst(), isOpen).map(record =>
      hit('tracking_request', record, record.carrier, requestUpdatedAt(backend, record), {
        status: requestStatus(backend, record),
        failed_reason: record.failedReason,
      }),
    ),
  ];
}

/** All hits have the same keys. */
function hit(
  type: SearchResultAttributes['entity_type'],
  { id, number, refNumbers, createdAt }: Shipment | Container | TrackingRequest,
  carrier: Carrier | null,
  updatedAt: number,
  own: Partial<SearchResultAttributes>,
) {
  const attributes: SearchResultAttributes = {
    entity_type: type,
    number,
    shipment_id: null,
    scac: carrier?.scac ?? null,
    port_of_lading_name: null,
    port_of_discharge_name: null,
    containers_count: null,
    tracking_stopped: null,
    tracking_stopped_reason: null,
    status: null,
    failed_reason: null,
    ...own,
    ref_numbers: refNumbers ?? [],
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
  };
  return { id, type: 'search_result', attributes };
}
