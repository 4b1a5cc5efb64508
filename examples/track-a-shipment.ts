/**
 * Tracks one number and prints its shipment: the route, the milestones of its containers, and their pickup.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node track-a-shipment.ts --number MAEU123456789 --scac MAEU
 */
import { parseArgs } from 'node:util';
import {
  type Container,
  containerState,
  type LabelledMilestone,
  labelledMilestones,
  lastFreeDay,
  localTime,
  TrackingClient,
  TrackingError,
  type TransportEvent,
} from 'container-tracking-sdk';

const { values } = parseArgs({ options: { number: { type: 'string' }, scac: { type: 'string' } } });
if (!values.number?.trim()) {
  console.error('Pass the number to track, for example: --number MAEU123456789 --scac MAEU');
  process.exit(2);
}

try {
  await main(values.number, values.scac);
} catch (error) {
  if (!TrackingError.is(error)) throw error;
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}

async function main(number: string, scac: string | undefined): Promise<void> {
  // The address and the key come from the environment.
  const client = new TrackingClient();

  console.log(`Tracking ${number} …`);
  const { shipment } = await client.track({
    number,
    scac,
    include: [
      'port_of_lading',
      'port_of_discharge',
      'containers.transport_events.location',
      'containers.transport_events.terminal',
      'containers.transport_events.vessel',
    ],
    onProgress: ({ trackingRequest, elapsedMs }) =>
      console.log(`  ${(elapsedMs / 1000).toFixed(0).padStart(3)} s  ${trackingRequest.status}`),
  });

  const { containers, port_of_lading, port_of_discharge, ...details } = shipment;
  console.log(`\n${details.shipping_line_name} ${details.bill_of_lading_number}`);
  console.log(`  from ${port_of_lading?.name ?? 'a port not known yet'}`);
  console.log(
    `  to ${port_of_discharge?.name ?? 'a port not known yet'}, aboard ${details.pod_vessel_name ?? 'a vessel not known yet'}`,
  );
  const eta = localTime(details.pod_ata_at ?? details.pod_eta_at, details.pod_timezone);
  if (eta) console.log(`  ${details.pod_ata_at ? 'arrived' : 'expected'} ${eta.text}`);

  for (const container of containers) {
    printTimeline(container, labelledMilestones(container));
    printPickup(container);
  }
}

type Event = TransportEvent<readonly ['location', 'terminal', 'vessel']>;

function printTimeline(container: Container, timeline: LabelledMilestone<Event>[]): void {
  const { equipment_length, equipment_type, current_status } = container;
  console.log(
    `\n${container.number}  ${[equipment_length && `${equipment_length} ft`, equipment_type, current_status].filter(Boolean).join(', ')}`,
  );
  for (const { label, estimated, local, place, facility, locode, source } of timeline) {
    const where = [place ?? locode, facility ?? source?.vessel?.name].filter(Boolean).join(', ');
    console.log(`  ${estimated ? '~' : '✓'} ${local.text.padEnd(22)} ${label.padEnd(38)} ${where}`);
  }
}

function printPickup(container: Container): void {
  const holds = (container.holds_at_pod_terminal ?? []).map(({ name, status }) => `${name} (${status})`);
  console.log(`  holds          ${holds.join(', ') || 'none'}`);
  const lfd = lastFreeDay(container);
  console.log(`  last free day  ${lfd ? `${lfd.date}, ${describeDays(lfd.daysLeft)}` : 'not known yet'}`);
  const { pickup, reasons } = containerState(container);
  console.log(`  pickup         ${[pickup, ...reasons.map(reason => reason.replaceAll('_', ' '))].join(', ')}`);
}

function describeDays(daysLeft: number): string {
  if (daysLeft === 0) return 'today';
  const days = Math.abs(daysLeft) === 1 ? 'day' : 'days';
  return daysLeft > 0 ? `${daysLeft} ${days} left` : `${-daysLeft} ${days} ago`;
}
