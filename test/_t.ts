import { createSandbox } from '../src/sandbox/index.ts';
const s = createSandbox({ rateLimit: false });
const get = async (p: string) => { const r = await s.fetch(new Request('http://x.test/v2' + p, { headers: { authorization: 'Token sandbox' } })); return JSON.parse(await r.text()); };
for (const phase of ['held', 'on_rail', 'available', 'at_sea', 'booked','returned'] as const) {
  s.seedShipments(1, { phase, containers: 1 });
  const l = await get('/containers?page[size]=1&include=shipment');
  const c = l.data[0];
  const a = c.attributes, sh = l.included[0].attributes;
  console.log('==', phase, a.current_status, sh.port_of_lading_locode, sh.port_of_discharge_locode, sh.destination_locode, 'eta', sh.pod_eta_at, 'ata', sh.pod_ata_at, a.pickup_lfd, JSON.stringify(a.holds_at_pod_terminal), JSON.stringify(a.fees_at_pod_terminal), a.pickup_appointment_at, sh.line_tracking_stopped_reason);
  if (phase==='held') console.log(a);
  const e = await get(`/containers/${c.id}/transport_events`);
  for (const x of e.data) console.log(x.attributes.created_at, x.attributes.event.replace('container.transport.', ''), x.attributes.timestamp, x.attributes.location_locode, x.attributes.value, x.attributes.data_source, x.attributes.voyage_number);
  const r = await get(`/containers/${c.id}/raw_events`);
  for (const x of r.data) console.log('  raw', x.attributes.index, x.attributes.event, x.attributes.timestamp, x.attributes.estimated, x.attributes.location_locode);
  if (phase !== 'returned') { s.advance({ days: 40 }); const n = await get('/containers/' + c.id + '?include=transport_events'); const e2 = n.included; console.log('after 40 d:', n.data.attributes.current_status, e2.length, n.data.attributes.empty_terminated_at); if (phase==='on_rail'||phase==='at_sea') for (const x of e2) console.log(x.attributes.created_at, x.attributes.event.replace('container.transport.', ''), x.attributes.timestamp, x.attributes.location_locode, x.attributes.value, x.attributes.data_source);  s.reset(); }
}
