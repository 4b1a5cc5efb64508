import { execFileSync } from 'node:child_process';
import { get as httpGet } from 'node:http';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { createSandbox, get, type Sandbox, stillSandbox } from '../../support/sandbox.ts';

const HTML = { filename: 'seite ü.html', contentType: 'text/html', content: '<script>document.title = "ran"</script>' };

async function stored(sandbox: Sandbox, baseUrl: string, attachment = HTML): Promise<string> {
  const [id] = sandbox.receiveEmail({ attachments: [attachment] }).documentIds;
  const headers = { authorization: 'Token sandbox' };
  return (await (await sandbox.fetch(`${baseUrl}/documents/${id}/download_url`, { headers })).json()).download_url;
}

async function listening() {
  const sandbox = createSandbox();
  const { baseUrl, close } = await sandbox.listen();
  onTestFinished(close);
  return { sandbox, baseUrl };
}

test('a stored file is sent only with its own content type, and as a download that a browser does not display', async () => {
  const { sandbox, baseUrl } = await listening();
  const address = await stored(sandbox, baseUrl);
  const raw = await new Promise<string[]>((resolve, reject) => {
    httpGet(address, response => resolve(response.resume().rawHeaders)).on('error', reject);
  });
  const pairs = Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index]?.toLowerCase(),
    raw[2 * index + 1],
  ]);
  const valuesOf = (name: string) => pairs.filter(([given]) => given === name).map(([, value]) => value);
  expect(valuesOf('content-type')).toEqual(['text/html']);
  expect(valuesOf('x-content-type-options')).toEqual(['nosniff']);
  expect(valuesOf('content-security-policy')).toEqual(['sandbox']);
  expect(valuesOf('content-disposition')).toEqual([
    `attachment; filename="seite ?.html"; filename*=UTF-8''seite%20%C3%BC.html`,
  ]);
});

test('an upload slot has the same Content-Disposition header as in the service', async () => {
  const sandbox = stillSandbox();
  const blob = { filename: 'a.html', content_type: 'text/html', byte_size: 1, checksum: 'AAAAAAAAAAAAAAAAAAAAAA==' };
  const response = await sandbox.fetch('https://host.example/v2/rails/active_storage/direct_uploads', {
    method: 'POST',
    headers: { authorization: 'Token sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ blob }),
  });
  expect((await response.json()).direct_upload.headers).toMatchObject({
    'Content-Disposition': expect.stringContaining('inline; filename="a.html"'),
  });
});

test('a header of a fault replaces the same header of the response, even if one is in upper case and the other is in lower case', async () => {
  const sandbox = stillSandbox();
  sandbox.fail({ headers: { 'Content-Type': 'text/plain', 'X-Request-ID': 'mine' } });
  const { headers } = await get(sandbox, '/shipments');
  expect([headers.get('content-type'), headers.get('x-request-id')]).toEqual(['text/plain', 'mine']);
});

test.skipIf(!hasProgram('chromium'))(
  'in Chromium no script of a stored file runs, in a tab or in a frame',
  async () => {
    const { sandbox, baseUrl } = await listening();
    const address = await stored(sandbox, baseUrl);
    const image = await stored(sandbox, baseUrl, {
      filename: 'image.svg',
      contentType: 'image/svg+xml',
      content: '<svg xmlns="http://www.w3.org/2000/svg"><script>parent.postMessage("ran", "*")</script></svg>',
    });
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    // Without a UTF-8 locale, Chromium cannot save a file whose name is not ASCII.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' } as Record<string, string>;
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run'];
    const browser = await chromium.launch({ executablePath, args, env });
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    const download = tab.waitForEvent('download');
    await tab.goto(address).catch(() => {});
    expect((await download).suggestedFilename()).toBe('seite ü.html');
    expect(await tab.title()).toBe('');

    // A page without its own policy, on the origin of the sandbox.
    await tab.goto(`${baseUrl}/unknown`);
    const said = await tab.evaluate(
      async urls => {
        const heard: unknown[] = [];
        window.addEventListener('message', ({ data }) => heard.push(data));
        for (const url of urls) {
          const frame = document.body.appendChild(document.createElement('iframe'));
          frame.src = url;
          await new Promise(resolve => setTimeout(resolve, 200));
          heard.push(frame.contentDocument?.title ?? '');
        }
        return heard.filter(Boolean);
      },
      [address, image],
    );
    expect(said).toEqual([]);
  },
);
