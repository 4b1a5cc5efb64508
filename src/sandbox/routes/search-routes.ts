import type { SearchResultAttributes } from '../../model/index.ts';
import { iso } from '../base/time.ts';
import { requestStatus, requestUpdatedAt } from '../entities/tracking-entities.ts';
import { named } from '../http/errors.ts';
import { ok, singlePageLinks } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import type { Backend } from '../state/backend.ts';
import { viewShipment } from '../state/view.ts';

const MAX_HITS = 25;

export const searchRoutes = routesFrom({
  'GET /search'(call) {
    const query = call.query.get('query')?.trim().toUpperCase();
    if (!query) throw named('missing-query');
    const hits = search(call.backend, numbers => numbers.some(number => number?.toUpperCase().includes(query)));
    return ok({ data: hits.slice(0, MAX_HITS), links: singlePageLinks(call.url) });
  },
});

interface Hit {
  id: string;
  type: 'search_result';
  attributes: SearchResultAttributes;
}

/** Shipments, then containers, then tracking requests without a shipment. The newest of each come first. */
function search(backend: Backend, matches: (numbers: (string | undefined)[]) => boolean): Hit[] {
  const { shipments, containers, trackingRequests } = backend.store;
  return [
    ...shipments
      .newestFirst()
      .filter(({ number, refNumbers, customer }) => matches([number, ...(refNumbers ?? []), customer?.companyName]))
      .slice(0, MAX_HITS)
      .map(record => {
        const { voyage, at, stoppedAt, stoppedReason } = viewShipment(backend, record);
        return hit(record.id, {
          entity_type: 'shipment',
          number: record.number,
          scac: record.carrier.scac,
          port_of_lading_name: voyage.pol.name,
          port_of_discharge_name: at < voyage.knownFrom ? null : voyage.pod.name,
          containers_count: record.containers.length,
          tracking_stopped: stoppedAt !== null,
          tracking_stopped_reason: stoppedReason,
          ref_numbers: record.refNumbers ?? [],
          created_at: iso(record.createdAt),
          updated_at: iso(at),
        });
      }),
    ...containers
      .newestFirst()
      .filter(({ number, refNumbers }) => matches([number, ...refNumbers]))
      .slice(0, MAX_HITS)
      .map(record =>
        hit(record.id, {
          entity_type: 'cargo',
          number: record.number,
          shipment_id: record.shipment.id,
          scac: record.shipment.carrier.scac,
          ref_numbers: record.refNumbers,
          created_at: iso(record.createdAt),
          updated_at: iso(viewShipment(backend, record.shipment).at),
        }),
      ),
    ...trackingRequests
      .newestFirst()
      .filter(({ shipment, number, refNumbers }) => shipment === null && matches([number, ...refNumbers]))
      .slice(0, MAX_HITS)
      .map(record =>
        hit(record.id, {
          entity_type: 'tracking_request',
          number: record.number,
          scac: record.carrier?.scac ?? null,
          status: requestStatus(backend, record),
          failed_reason: record.failedReason,
          ref_numbers: record.refNumbers,
          created_at: iso(record.createdAt),
          updated_at: iso(requestUpdatedAt(backend, record)),
        }),
      ),
  ];
}

type Known = 'entity_type' | 'number' | 'scac' | 'ref_numbers' | 'created_at' | 'updated_at';

/** All hits have the same keys. */
function hit(id: string, filled: Pick<SearchResultAttributes, Known> & Partial<SearchResultAttributes>): Hit {
  const { entity_type, number, scac, ...rest } = filled;
  return {
    id,
    type: 'search_result',
    attributes: {
      entity_type,
      number,
      shipment_id: null,
      scac,
      port_of_lading_name: null,
      port_of_discharge_name: null,
      containers_count: null,
      tracking_stopped: null,
      tracking_stopped_reason: null,
      status: null,
      failed_reason: null,
      ...rest,
    },
  };
}
