/** Checks in Chromium that the error page of the recipe shows the list again after an outage. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { hasChromium, launch } from '../site/chromium.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { freePort } from '../support/free-port.ts';
import { whenUp } from '../support/workerd.ts';

export async function recoversAfterOutage(cwd: string): Promise<void> {
  if (!hasChromium) return;
  const { PATH, HOME } = process.env;
  const [port, servicePort] = [await freePort(), await freePort()];
  const server = spawn(join(import.meta.dirname, 'node_modules/.bin/next'), ['start', '--port', String(port)], {
    cwd,
    stdio: 'ignore',
    env: {
      PATH,
      HOME,
      NEXT_TELEMETRY_DISABLED: '1',
      TRACKING_BASE_URL: `http://127.0.0.1:${servicePort}/v2`,
      TRACKING_API_KEY: 'sandbox',
      TRACKING_WEBHOOK_SECRET: 'sample-signing-secret',
    },
  });
  const ended = once(server, 'exit');
  const service = createSandbox({ shipments: 5 });
  let browser: Browser | undefined;
  try {
    browser = await launch();
    const page = await browser.newPage();
    await whenUp(`http://localhost:${port}/shipments/MAEU1234567`, server);
    await page.goto(`http://localhost:${port}/`);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor({ timeout: 30_000 });
    const listening = await service.listen({ port: servicePort });
    await again.click();
    await page.getByRole('listitem').first().waitFor({ timeout: 30_000 }).finally(listening.close);
  } finally {
    await browser?.close();
    server.kill('SIGKILL');
    await ended;
  }
}
