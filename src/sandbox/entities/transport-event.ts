import { iso, isoOrNull } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity, Rendered } from '../state/store.ts';
import type { PlannedEvent } from '../world/plan.ts';
import { facilityAt, location, vessel } from './place-entities.ts';

/** The records that lead back to the event, see `tracked.ts`. */
interface Links {
  shipment: Entity<'shipment'>;
  container: Entity<'container'>;
  sourceEvent: Entity<'raw_event'> | null;
}

/** @param trackedSince When the tracking of the container began. */
export function renderTransportEvent(
  backend: Backend,
  planned: PlannedEvent,
  trackedSince: number,
  links: Links,
): Rendered<'transport_event'> {
  return {
    attributes: {
      event: planned.event,
      // The service learned of earlier events when the tracking began.
      created_at: iso(Math.max(planned.reportedAt, trackedSince)),
      voyage_number: planned.leg?.voyageNumber ?? null,
      timestamp: iso(planned.at),
      data_source: planned.source,
      invalidated_at: null,
      location_locode: planned.place.code,
      timezone: planned.place.timeZone,
      value: isoOrNull(planned.value),
      value_timestamp: isoOrNull(planned.value),
    },
    relationships: {
      shipment: links.shipment,
      container: links.container,
      vessel: planned.leg ? vessel(backend, planned.leg) : null,
      source_event: links.sourceEvent,
      previous_version: null,
      location: location(planned.place),
      terminal: planned.terminal ? facilityAt(planned.place, planned.terminal) : null,
    },
  };
}
