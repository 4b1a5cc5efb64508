// The same program on every runtime: the main job in small, against a server whose address is in the environment.
import { dynamicInclude, NotFoundError, parseContainerNumber, TrackingClient } from 'container-tracking-sdk';

export async function smoke(baseUrl) {
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', validation: 'strict' });
  const lines = await client.shippingLines.list().toArray();
  const { shipment, trackingRequest } = await client.track({
    number: 'TEST-TR-SUCCEEDED',
    scac: 'TEST',
    type: 'bill_of_lading',
  });
  const { containers } = await client.shipments.get(shipment.id, { include: ['containers.transport_events'] });
  const again = await client.shipments.get(shipment.id, { include: dynamicInclude(['containers']) });
  const missing = await client.ports.get('XXXXX').catch(error => error);
  client.close();
  return {
    lines: lines.length,
    status: trackingRequest.status,
    containers: containers.length > 0,
    valid: containers.every(container => parseContainerNumber(container.number).valid),
    again: again.containers.length === containers.length,
    missing: missing instanceof NotFoundError && missing.code,
  };
}
