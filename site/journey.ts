import { labelledMilestones, TrackingClient } from 'container-tracking-sdk';
import { createSandbox } from 'container-tracking-sdk/sandbox';

const sandbox = createSandbox({ speed: 259_200 }); // three days a second
const client = new TrackingClient({
  baseUrl: 'https://host.example/v2',
  apiKey: 'sandbox',
  fetch: sandbox.fetch,
});

const { number, scac } = sandbox.scenario('transshipment-delay');
await client.track({ number, scac });

const changes = client.containers.watch({
  include: ['transport_events.location'],
  every: 1000,
  share: 1,
});
const seen = new Set<string>();
for await (const change of changes) {
  if (change.kind !== 'appeared' && change.kind !== 'changed') continue;
  for (const milestone of labelledMilestones(change.record)) {
    const { event, estimated, local, label, place } = milestone;
    if (estimated || seen.has(event)) continue;
    seen.add(event);
    console.log(`${local.text}  ${label}, ${place}`);
  }
  if (change.record.empty_terminated_at) break;
}
