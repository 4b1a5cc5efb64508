/**
 * Writes the pictures of the sandbox's page in `docs/images/`, light and dark. Needs Chromium.
 *
 * node scripts/sandbox-page-images.ts
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { TrackingClient } from '../src/index.ts';
import { EVENT_NAMES } from '../src/model/generated/event-names.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { writePicture } from './picture.ts';

const sandbox = createSandbox({
  shipments: 20,
  speed: 0,
  // One event is never acknowledged, so that the page shows a delivery that is tried again.
  fetch: async request => {
    const body = await request.text();
    return new Response(null, { status: body.includes('"container.transport.rail_arrived"') ? 503 : 200 });
  },
});
const server = await sandbox.listen();
const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false });

await client.webhooks.create({
  url: 'https://app.example/hooks/tracking',
  active: true,
  events: EVENT_NAMES.filter(name => name !== 'container.updated'),
});
for (const name of ['rail-with-customs-hold', 'feeder'] as const) {
  const { number, scac, requestType } = sandbox.scenario(name);
  await client.trackingRequests.create({ request_number: number, request_type: requestType, scac });
}
sandbox.advance({ hours: 30 });
await sandbox.flush();
sandbox.fail({ route: 'GET /shipments/:id', probability: 0.05, status: 503 });
const [shipment] = await client.shipments.list({ include: ['containers'] }).toArray();
if (shipment !== undefined) {
  const [container] = shipment.containers;
  for (let count = 0; count < 8 && container; count += 1) await client.containers.refresh(container.id);
  for (let count = 0; count < 12; count += 1) {
    await client.shipments.get(shipment.id, { include: ['containers'] });
    await client.containers.list({ pageSize: 50, include: ['shipment'] }).toArray();
    await client.containers.get('unknown').catch(() => undefined);
    await client.trackingRequests.list({ pageSize: 10, pageNumber: 1 });
  }
}

const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const [colorScheme, name] of [
    ['light', 'sandbox-page.png'],
    ['dark', 'sandbox-page-dark.png'],
  ] as const) {
    const page = await browser.newPage({
      viewport: { width: 1320, height: 1240 },
      colorScheme,
      reducedMotion: 'reduce',
    });
    await page.goto(server.pageUrl);
    await page.locator('#shipments h3 button', { hasText: 'CULV433608952' }).click();
    await page.locator('.detail .future').first().waitFor();
    await page.locator('h1').click();
    await writePicture(page, name);
  }
} finally {
  await browser.close();
  await server.close();
}
