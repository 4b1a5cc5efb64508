import { HOUR, iso, isoOrNull, lastPoll } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity, Rendered } from '../state/entity.ts';
import type { Shipment } from '../state/store.ts';
import { currentEstimate, viewContainer, viewShipment } from '../state/view.ts';
import { lastSailing } from '../world/plan.ts';
import { user } from './account.ts';
import { location, port, terminal } from './places.ts';

/** How often the service asks the shipping line for updates. */
export const LINE_POLL_INTERVAL = 2 * HOUR;

/** @param containers The entities of its containers, which lead back to the shipment: see `tracked.ts`. */
export function renderShipment(
  backend: Backend,
  record: Shipment,
  containers: Entity<'container'>[],
  roles?: Entity<'party_role'>[],
): Rendered<'shipment'> {
  const view = viewShipment(backend, record);
  const { voyage, at } = view;
  const { pol, pod, podTerminal, inland } = voyage;
  const { vessel, voyageNumber } = lastSailing(voyage, at);
  const isRouted = at >= voyage.knownFrom;

  const boxes = record.containers.map(box => viewContainer(backend, box));
  const first = (event: Parameters<(typeof boxes)[number]['last']>[0]) =>
    boxes.map(box => box.last(event)).find(found => found !== undefined);
  const departed = first('container.transport.vessel_departed');
  const arrived = first('container.transport.vessel_arrived');
  const arrivedInland = first('container.transport.arrived_at_inland_destination');

  const isInland = isRouted && inland !== null;
  const polledAt = lastPoll(record.createdAt, LINE_POLL_INTERVAL, at);
  return {
    attributes: {
      created_at: iso(record.createdAt),
      ref_numbers: record.refNumbers,
      tags: record.tags,
      bill_of_lading_number: record.number,
      normalized_number: normalized(record),
      shipping_line_scac: record.carrier.scac,
      shipping_line_name: record.carrier.name,
      shipping_line_short_name: record.carrier.shortName,
      customer_name: record.customer?.companyName ?? null,
      port_of_lading_locode: pol.code,
      port_of_lading_name: pol.name,
      port_of_discharge_locode: isRouted ? pod.code : null,
      port_of_discharge_name: isRouted ? pod.name : null,
      pod_vessel_name: isRouted ? vessel.name : null,
      pod_vessel_imo: isRouted ? vessel.imo : null,
      pod_voyage_number: isRouted ? voyageNumber : null,
      destination_locode: isInland ? inland.destination.code : null,
      destination_name: isInland ? inland.destination.name : null,
      destination_timezone: isInland ? inland.destination.timeZone : null,
      destination_ata_at: isoOrNull(arrivedInland?.at),
      destination_eta_at: isInland && !arrivedInland ? isoOrNull(currentEstimate(voyage.destinationEta, at)) : null,
      pol_etd_at: departed ? null : isoOrNull(currentEstimate(voyage.etd, at)),
      pol_atd_at: isoOrNull(departed?.at),
      pol_timezone: pol.timeZone,
      // The service drops the estimate when the vessel has arrived.
      pod_eta_at: arrived ? null : isoOrNull(currentEstimate(voyage.eta, at)),
      pod_original_eta_at: isoOrNull(voyage.eta[0]?.value),
      pol_original_etd_at: isoOrNull(voyage.etd[0]?.value),
      destination_original_eta_at: isInland ? isoOrNull(voyage.destinationEta[0]?.value) : null,
      pod_ata_at: isoOrNull(arrived?.at),
      pod_timezone: isRouted ? pod.timeZone : null,
      line_tracking_last_attempted_at: isoOrNull(polledAt),
      line_tracking_last_succeeded_at: isoOrNull(polledAt),
      line_tracking_stopped_at: isoOrNull(view.stoppedAt),
      line_tracking_stopped_reason: view.stoppedReason,
    },
    links: { self: `/v2/shipments/${record.id}` },
    relationships: {
      port_of_lading: port(pol),
      port_of_discharge: isRouted ? port(pod) : null,
      pod_terminal: departed ? terminal(podTerminal) : null,
      destination: isInland ? location(inland.destination) : null,
      destination_terminal: isInland ? terminal(inland.terminal) : null,
      line_tracking_stopped_by_user: view.stoppedReason === 'cancelled_by_user' ? user(backend) : null,
      containers,
      ...(roles && { party_roles: roles }),
    },
  };
}

/** The number that the carrier is asked for: for most carriers without the prefix. */
function normalized({ number, carrier }: Shipment): string {
  const prefix = [carrier.scac, carrier.bolPrefix].find(code => number.startsWith(code) && number.length > code.length);
  return prefix === undefined || carrier.scac === 'HLCU' ? number : number.slice(prefix.length);
}
