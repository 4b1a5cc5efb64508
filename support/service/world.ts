import { createHash } from 'node:crypto';
import type { TrackingClient } from '../../src/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';

/** One record of each kind, created with the client. With these records every operation can be called. */
export type World = Awaited<ReturnType<typeof createWorld>>;

export const FILE = new TextEncoder().encode('image');
/** The bytes of another file: the service refuses the same bytes a second time. */
const INVOICE = new TextEncoder().encode('another image');
const CHECKSUM = createHash('md5').update(FILE).digest('base64');
export const BLOB = { filename: 'a.png', content_type: 'image/png', byte_size: FILE.length, checksum: CHECKSUM };
export const BILL = { request_type: 'bill_of_lading', scac: 'MAEU' } as const;
export const DEFINITION = { entity_type: 'Shipment', display_name: 'A field', data_type: 'short_text' } as const;

const PHASES = ['booked', 'at_origin', 'at_sea', 'held', 'available', 'on_rail', 'picked_up', 'returned'] as const;

export async function createWorld(sandbox: Sandbox, client: TrackingClient, hook: string) {
  for (const phase of PHASES)
    sandbox.seedShipments(1, { phase, containers: 2, refNumbers: ['PO 1'], tags: ['urgent'] });
  const [shipment] = sandbox.seedShipments(1, { phase: 'at_sea', containers: 1 });
  const [container] = shipment?.containers ?? [];
  const party = await client.parties.create({ company_name: 'Harbor and Pine' });
  const customer = { type: 'party', id: party.id } as const;
  const carrier = (await client.parties.create({ company_name: 'Quayside Drayage' })).id;
  const tracking = await client.trackingRequests.create({ ...BILL, request_number: 'MAEUATSEA1234', customer });
  for (const word of ['NOTFOUND', 'MANIFEST', 'FLAKY', 'UNREACHABLE', 'INVALID', 'CANCELLED']) {
    await client.trackingRequests.create({ ...BILL, request_number: `MAEU${word}1` });
  }
  const role = { role: 'pickup_dray_carrier', party: customer } as const;
  const roles = {
    shipments: (await client.shipments.partyRoles.create(shipment?.id ?? '', role)).id,
    containers: (await client.containers.partyRoles.create(container?.id ?? '', role)).id,
    trackingRequests: (await client.trackingRequests.partyRoles.create(tracking.id, role)).id,
  };
  const events = ['tracking_request.succeeded', 'tracking_request.failed', 'document.extracted'] as const;
  const webhook = await client.webhooks.create({ url: hook, active: true, events });

  const definitions = {
    shipment: await client.customFieldDefinitions.create({ ...DEFINITION, api_slug: 'buyer' }),
    container: await client.customFieldDefinitions.create({ ...DEFINITION, entity_type: 'Container', api_slug: 'lot' }),
    colour: await client.customFieldDefinitions.create({ ...DEFINITION, api_slug: 'colour', data_type: 'enum' }),
  };
  const option = await client.customFieldOptions.create(definitions.colour.id, { label: 'Red', value: 'red' });
  const entity = { type: 'shipment', id: shipment?.id ?? '' } as const;
  const field = await client.customFields.create({ api_slug: 'colour', value: 'red', entity });

  const document = await client.documents.upload({ file: INVOICE, name: 'invoice.png', contentType: 'image/png' });
  const email = sandbox.receiveEmail({ attachments: [{ filename: 'packing.pdf' }] });
  sandbox.advance({ minutes: 30 });
  await sandbox.flush();

  // A slot is valid for some minutes.
  const slot = await client.directUploads.create(BLOB);
  const [notification] = (await client.webhookNotifications.list()).data;
  const [line] = (await client.shippingLines.list()).data;
  const { features } = await client.containers.mapGeojson(container?.id ?? '');
  const ports = features.flatMap(({ properties }) => ('location_id' in properties ? [properties.location_id] : []));
  const { pod_terminal, transport_events } = await client.containers.get(container?.id ?? '', {
    include: ['pod_terminal', 'transport_events.vessel'],
  });
  const vessel = transport_events.map(event => event.vessel).find(found => found !== null && found !== undefined);
  return {
    shipment: entity.id,
    container: container?.id ?? '',
    party: party.id,
    carrier,
    roles,
    tracking: tracking.id,
    webhook: webhook.id,
    hook,
    definition: definitions.shipment.id,
    enumeration: definitions.colour.id,
    option: option.id,
    field: field.id,
    slot,
    document: document.id,
    email: email.id,
    notification: notification?.id ?? '',
    line: line?.id ?? '',
    ports,
    terminal: pod_terminal?.id ?? '',
    vessel: { id: vessel?.id ?? '', imo: vessel?.imo ?? '' },
  };
}
