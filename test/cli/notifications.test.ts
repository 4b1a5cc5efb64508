import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, startServer } from '../../support/server.ts';
import { sandboxed, terminal } from './command-line.ts';

const { client, ct, sandbox } = sandboxed({ shipments: 3 });
/** The addresses of a program that accepts deliveries, and of a program that fails. */
const urls = { right: '', broken: '' };

beforeAll(async () => {
  Object.assign(urls, { right: await endpoint(200), broken: await endpoint(500) });
  for (const url of [urls.right, urls.broken]) {
    await client.webhooks.create({ url, active: true, events: ['tracking_request.succeeded'] });
  }
  await client.track({ number: 'MAEU123456789', scac: 'MAEU' });
  await sandbox.flush();
});

/** The address of a server that sends this status until the end of the tests. */
async function endpoint(status: number): Promise<string> {
  const server = await startServer({ status });
  afterAll(() => void server.close());
  return server.baseUrl;
}

describe('notifications list', () => {
  test('shows the address of each delivery, and shows only deliveries with the status that --delivery names', async () => {
    terminal(200);
    const all = (await ct('notifications', 'list')).out;
    expect(all).toContain(urls.right);
    const { out } = await ct('notifications', 'list', '--delivery', 'pending');
    expect(out).toContain(urls.broken);
    expect(out).not.toContain(urls.right);
    expect(await ct('notifications', 'list', '--delivery', 'lost')).toMatchObject({ code: 2 });
  });

  test('with --delivery reads pages of 100, also if --limit is smaller', async () => {
    const before = sandbox.requests.length;
    expect((await ct('notifications', 'list', '--delivery', 'pending', '--limit', '1')).json().length).toBe(1);
    expect(sandbox.requests.slice(before).map(({ query }) => query['page[size]'])).toEqual(['100']);
  });

  test.each([
    [80, /^ID +EVENT +CREATED( |$)/m],
    [120, /^ID +EVENT +CREATED +DELIVERY +ABOUT( |$)/m],
  ])('shows whole events with the columns that fit into %i columns', async (columns, headings) => {
    terminal(columns);
    const { out } = await ct('notifications', 'list');
    expect(out).toMatch(headings);
    expect(out).toContain('tracking_request.succeeded ');
  });

  test('does not suggest the logs of the attempts, because they cannot be included', async () => {
    const { code, last } = await ct('notifications', 'list', '--include', 'webhook_notification_logs');
    expect([code, last]).toEqual([
      2,
      '--include webhook_notification_logs: there is no webhook_notification_logs. There are: reference_object, webhook, document.',
    ]);
  });

  test('does not warn about a notification that names a document in place of another record', async () => {
    expect((await ct('notifications', 'list', '--json', '--include', 'reference_object,document')).err).toBe('');
  });
});

test('the commands recover and changes accept the same forms of a time', async () => {
  for (const since of ['1h', 'yesterday', '2026-01-01T00:00:00Z']) {
    expect(await ct('webhooks', 'recover', '--since', since)).toMatchObject({ code: 0 });
  }
  const { code, last } = await ct('webhooks', 'recover', '--since', 'soon');
  expect([code, last]).toEqual([2, expect.stringContaining('--since must be a moment in the past, such as 3d')]);
});

test('if another program responds, the message names the option and the variable that set the address', async () => {
  const server = await serve({ status: 200, body: '<html></html>', headers: { 'content-type': 'text/html' } });
  const { err } = await ct('carriers', '--base-url', server.baseUrl);
  expect(err).toContain('does not look like the service: check --base-url or TRACKING_BASE_URL');
  expect(err).not.toContain('baseUrl');
});
