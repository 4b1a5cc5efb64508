import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../support/sandbox.ts';
import { sandboxed } from './command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-writes-'));
const ID = '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11';

const { sandbox, client, ct } = sandboxed({ shipments: 5 });

afterAll(() => rmSync(folder, { recursive: true }));

/** The requests of a command, without the requests that only read. */
async function writesOf<T>(run: () => Promise<T>): Promise<{ result: T; writes: string[] }> {
  const before = sandbox.requests.length;
  const result = await run();
  const sent = sandbox.requests.slice(before).filter(({ method }) => method !== 'GET');
  return { result, writes: sent.map(({ method, path }) => `${method} ${path}`) };
}

async function someContainer() {
  const [container] = (await client.containers.list({ pageSize: 1, include: ['shipment'] })).data;
  if (!container?.shipment) throw new Error('The sandbox has no container.');
  return { number: container.number, shipment: container.shipment };
}

describe('webhooks create', () => {
  const url = 'https://app.example/writes';
  const create = (...args: string[]) => ct('webhooks', 'create', '--url', url, ...args);

  test('says that the webhook was created, that nothing was changed, or what was changed', async () => {
    const made = await create('--event', 'container.updated');
    expect(made).toMatchObject({ code: 0, err: 'Created.\n' });
    const { id } = JSON.parse(made.out);

    const same = await writesOf(() => create('--event', 'container.updated'));
    expect(same).toMatchObject({ writes: [], result: { code: 0, err: 'Already there: nothing was changed.\n' } });
    expect(JSON.parse(same.result.out).id).toBe(id);

    for (const args of [[], ['--event', 'container.created']]) {
      const { result, writes } = await writesOf(() => create(...args));
      expect({ writes, ...result }).toMatchObject({ writes: [], code: 1, out: '' });
      expect(result.err).toContain(`webhook ${id} already (active, with 1 of `);
      expect(result.err).toContain(`container-tracking webhooks update ${id}`);
    }
    expect((await client.webhooks.get(id)).events).toEqual(['container.updated']);

    const changed = await create('--event', 'container.created', '--change');
    expect(changed).toMatchObject({
      code: 0,
      err: expect.stringContaining('Changed: also sends container.created.\n'),
    });
    expect((await client.webhooks.get(id)).events.toSorted()).toEqual(['container.created', 'container.updated']);
  });

  test('activates an inactive webhook only with --change', async () => {
    const [webhook] = (await client.webhooks.list()).data.filter(each => each.url === url);
    const id = webhook?.id ?? '';
    await client.webhooks.update(id, { active: false });
    expect(await create('--event', 'container.updated')).toMatchObject({
      code: 1,
      err: expect.stringContaining('(inactive, '),
    });
    expect((await client.webhooks.get(id)).active).toBe(false);
    expect((await create('--event', 'container.updated', '--change')).err).toContain('Changed: active again.\n');
    expect((await client.webhooks.get(id)).active).toBe(true);
  });

  test.each([
    'http://localhost:3000/x',
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.1.2.3/x',
    'https://172.20.0.1/x',
    'https://192.168.1.5/x',
    'https://[fd00::1]/x',
    'https://intranet/x',
    'https://printer.local/x',
  ])('refuses %s, which only a sandbox may reach, before a request', async address => {
    for (const name of ['create', 'listen']) {
      const args = ['webhooks', name, '--url', address];
      expect(await ct(...args, '--base-url', 'https://host.example/v2')).toMatchObject({
        code: 2,
        last: expect.stringMatching(/^The service cannot reach .* container-tracking webhooks listen --url /),
      });
    }
  });

  test('registers an address of this machine at a sandbox, which can reach this address', async () => {
    expect((await ct('webhooks', 'create', '--url', 'http://localhost:3000/x')).code).toBe(0);
  });
});

describe('track', () => {
  test('prints the shipment of a container or bill of lading that is already tracked, and does not request it again', async () => {
    const { number, shipment } = await someContainer();
    const parts = [number?.slice(0, 4), number?.slice(4, 10), number?.slice(10)];
    for (const name of [
      number ?? '',
      (number ?? '').toLowerCase(),
      parts.join('-'),
      parts.join(' '),
      shipment.bill_of_lading_number,
    ]) {
      const { result, writes } = await writesOf(() => ct('track', name));
      expect({ writes, ...result }).toMatchObject({ writes: [], code: 0, err: `${name} is tracked already.\n` });
      expect(JSON.parse(result.out).shipment.id).toBe(shipment.id);
    }
    const { out } = await ct('track', shipment.bill_of_lading_number);
    expect(JSON.parse(out).tracking_request).toMatchObject({ request_number: shipment.bill_of_lading_number });
    expect(JSON.parse((await ct('track', number ?? '')).out).tracking_request).toBeNull();
  });

  test('requests a number in the spelling of the carriers, even if it is typed in small letters or with blanks', async () => {
    const { result, writes } = await writesOf(() =>
      ct('track', ' maeu 700 000 111 ', '--scac', 'MAEU', '--type', 'bill_of_lading'),
    );
    expect(result.code).toBe(0);
    expect(writes).toHaveLength(1);
    expect(JSON.parse(result.out).tracking_request.request_number).toBe('MAEU700000111');
  });

  test('names the option --from if the number is the name of a file', async () => {
    expect((await ct('track', 'package.json')).last).toBe(
      'package.json is a file. To track its numbers, use --from package.json --to FILE.',
    );
  });

  test('names the right check digit of a container number, and does not send a request', async () => {
    const before = sandbox.requests.length;
    for (const args of [[], ['--type', 'container']]) {
      expect(await ct('track', 'MSCU1234567', ...args)).toMatchObject({
        code: 2,
        last: expect.stringMatching(/^MSCU1234567 is not a container number: its last digit would be 6, not 7\./),
      });
    }
    expect(sandbox.requests.length).toBe(before);
    expect((await ct('containers', 'get', 'MSCU1234567')).last).toContain('its last digit would be 6, not 7.');
  });

  test('accepts with --type a bill of lading that looks like a container number', async () => {
    expect((await ct('track', 'MAEU1234567', '--type', 'bill_of_lading', '--scac', 'MAEU')).code).toBe(0);
  });

  test('--from keeps the text and the order of the numbers, and does not request tracked numbers', async () => {
    const { number, shipment } = await someContainer();
    const text = `${number?.slice(0, 4).toLowerCase()} ${number?.slice(4)}`;
    const [from, to] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
    const lines = ['MSCU1234567', 'maeu77001122', text, shipment.bill_of_lading_number, 'MAEU77001133'];
    writeFileSync(from, ['No,B/L or Container', ...lines.map((line, index) => `${index},${line}`)].join('\n'));
    const run = () =>
      ct('track', '--from', from, '--to', to, '--number-column', 'b/l or container', '--scac', 'MAEU', '--json');
    const { result, writes } = await writesOf(run);
    expect(writes.filter(write => write === 'POST /tracking_requests')).toHaveLength(2);
    expect(result.json()).toEqual([{ tracked: 4, failed: 1, pending: 0 }]);
    expect(JSON.parse(result.last)).toMatchObject({ code: 'failed', message: expect.stringContaining(to) });
    const rows = () =>
      readFileSync(to, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map(row => row.split(','));
    expect(rows().map(row => row[0])).toEqual(lines);
    expect(rows().map(row => row[2])).toEqual(['failed', 'tracked', 'tracked', 'tracked', 'tracked']);
    expect(rows()[0]?.slice(5).join(',')).toMatch(/^check_digit,"Line 2: MSCU1234567 is not a container number: /);
    expect(rows()[2]?.[4]).toBe(shipment.id);

    const again = await writesOf(run);
    expect(again.writes).toEqual([]);
    expect(again.result.json()).toEqual([{ tracked: 4, failed: 1, pending: 0 }]);
    expect(rows().map(row => row[0])).toEqual(lines);
  });

  test('--number-column suggests a column if the named column is missing', async () => {
    const from = join(folder, 'columns.csv');
    writeFileSync(from, 'Bill,Ours\nMAEU1,2\n');
    const { code, last } = await ct('track', '--from', from, '--to', join(folder, 'o.csv'), '--number-column', 'bil');
    expect(code).toBe(2);
    expect(last).toContain('has no column bil. Did you mean bill?');
  });
});

test('a wrong name in --fields is only a warning after a change, and the other fields are printed', async () => {
  const { shipment } = await someContainer();
  const bill = String(shipment.bill_of_lading_number);
  const { result, writes } = await writesOf(() =>
    ct('shipments', 'update', bill, '--ref', 'PO-77', '--fields', 'id,nope', '--fields', 'ref_numbers'),
  );
  expect(writes).toHaveLength(1);
  expect(result).toMatchObject({ code: 0, err: expect.stringContaining('There is no field nope.') });
  expect(JSON.parse(result.out)).toEqual({ id: shipment.id, ref_numbers: ['PO-77'] });
});

describe('an error in terms of the command line', () => {
  test.each([
    [['ports', 'Atlantis'], 4, 'There is no port Atlantis. A port is found by its UN/LOCODE'],
    [['shipments', 'get', ID], 4, `There is no shipment with the id ${ID}.`],
    [['webhooks', 'delete', ID, '--yes'], 4, `There is no webhook with the id ${ID}.`],
    [
      ['track', 'NONSENSE'],
      1,
      'It is not clear how to track NONSENSE: the service finds no carrier for it. Use --scac',
    ],
    [
      ['tracking-requests', 'infer', 'X'],
      1,
      'The service refuses the number: This reference number is not valid. (POST ',
    ],
    [
      ['tracking-requests', 'create', 'X1', '--scac', 'ZZZZ'],
      1,
      "The service refuses this: Scac 'ZZZZ' is not recognized",
    ],
    [['documents', 'get', ID], 4, `There is no document with the id ${ID}. (GET /documents/${ID}: 404)`],
    [['tracking-requests', 'create', 'MSCU1234567', '--type', 'container'], 2, 'its last digit would be 6, not 7.'],
    [['vessels', 'Ever Given'], 4, 'There is no vessel Ever Given. A vessel is found by its IMO number'],
    [['documents', 'list', '--filter', 'document_types=bill_of_ladin'], 2, 'Did you mean bill_of_lading?'],
    [['containers', 'list', '--filter', 'current_status=availabl'], 2, 'did you mean available? Known values: new, '],
    [
      ['custom-fields', 'list', '--filter', 'entity_type=shipment'],
      2,
      '--filter entity_type is "shipment"; did you mean Shipment?',
    ],
  ])('%j', async (args, code, message) => {
    const { err, ...ended } = await ct(...args);
    expect(ended.code).toBe(code);
    expect(err.split('\n')[0]).toContain(message);
    expect(err).not.toMatch(/unknownValue|customFieldDefinitions/);
  });

  test('leaves out the text of a response that only repeats the status', async () => {
    sandbox.fail({ status: 404, body: { errors: [{ title: '404' }] } });
    expect((await ct('whoami')).err.split('\n')[0]).toBe('The service does not find this. (GET /me: 404)');
    sandbox.fail({ status: 404, body: { errors: [{ title: '404' }] } });
    const { last } = await ct('whoami', '--json');
    expect(JSON.parse(last)).toMatchObject({
      code: 'not_found',
      retryable: false,
      status: 404,
      request: 'GET /me',
      request_id: expect.any(String),
    });
  });

  test('says why a custom field is refused', async () => {
    const { number } = await someContainer();
    const set = (value: string) =>
      ct('custom-fields', 'set', 'containers', number ?? '', `customs_cleared_on=${value}`);
    expect((await set('foo')).last).toBe('customs_cleared_on must be a day such as 2026-10-01, not foo.');
    expect((await set('')).err).toBe('customs_cleared_on has no value.\n');
    sandbox.fail({
      match: { method: 'POST' },
      status: 422,
      body: { errors: [{ title: 'Unprocessable Entity', detail: 'Value is not valid' }] },
    });
    expect(await set('2026-10-01')).toMatchObject({
      code: 1,
      last: 'The service refuses customs_cleared_on="2026-10-01": Value is not valid.',
    });
  });

  test('has durations in the form that the options accept', async () => {
    const slow = createSandbox({ trackingDelayMs: 3_600_000, rateLimit: false });
    const its = await slow.listen();
    const { code, err } = await ct(
      'track',
      'MAEU111111111',
      '--scac',
      'MAEU',
      '--wait',
      '200ms',
      '--base-url',
      its.baseUrl,
    );
    await its.close();
    expect({ code, err }).toEqual({
      code: 7,
      err: expect.stringMatching(
        /^MAEU111111111 has no outcome after 200ms: it is still pending\.\nTo look again: container-tracking track MAEU111111111\n$/m,
      ),
    });
  });

  test.each(['[]', '{}', '"x"', '{"at":"2026-03-09","records":[1]}', '{'])(
    'says that the file was not written by `changes`; the file stays as it was: %s',
    async text => {
      const path = join(folder, 'other.json');
      writeFileSync(path, text);
      expect(await ct('changes', path)).toMatchObject({ code: 1, last: expect.stringContaining(path) });
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('does not occur if the order for --sort begins with a minus, and -h still prints the help', async () => {
    const descending = await ct('containers', 'list', '--sort', '-created_at', '--fields', 'id');
    expect(descending).toMatchObject({
      code: 0,
      out: (await ct('containers', 'list', '--sort=-created_at', '--fields', 'id')).out,
    });
    expect((await ct('containers', 'list', '-h')).out).toContain('Options:');
    expect((await ct('containers', 'list', '--sort', '--all')).code).toBe(2);
  });
});
