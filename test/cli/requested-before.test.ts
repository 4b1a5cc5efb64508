import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sandboxed } from './command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-requested-'));
const { sandbox, client, ct } = sandboxed({ trackingDelayMs: 1 });

afterAll(() => rmSync(folder, { recursive: true }));

/** A number that its carrier does not know yet, and the id of its request. */
async function waiting(number: string, type: 'bill_of_lading' | 'booking_number' = 'bill_of_lading') {
  const { id } = await client.trackingRequests.create({ request_number: number, request_type: type, scac: 'MAEU' });
  await expect.poll(async () => (await client.trackingRequests.get(id)).status).toBe('awaiting_manifest');
  return id;
}

async function sentBy<T>(run: () => Promise<T>) {
  const before = sandbox.requests.length;
  const result = await run();
  const sent = sandbox.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  return { result, sent, writes: sent.filter(line => !line.startsWith('GET ')) };
}

describe('track', () => {
  test('follows a request that waits for its carrier, and does not send a second request', async () => {
    const id = await waiting('MAEUMANIFEST01');
    for (const name of ['MAEUMANIFEST01', 'maeu manifest01']) {
      const { result, writes } = await sentBy(() => ct('track', name, '--wait', '50ms'));
      expect(writes).toEqual([]);
      expect(result).toMatchObject({ code: 7, out: '' });
      expect(result.err).toMatch(
        new RegExp(
          `^MAEUMANIFEST01 was requested before, on .* \\(${id}\\), and the carrier has no data yet\\. It is not requested again\\.$`,
          'm',
        ),
      );
      expect(result.last).toBe('To look again: container-tracking track MAEUMANIFEST01');
    }
  });

  test('prints the shipment of a request that was followed', async () => {
    await waiting('MAEUMANIFEST02');
    sandbox.advance({ days: 3 });
    const { result, writes } = await sentBy(() => ct('track', 'MAEUMANIFEST02'));
    expect(writes).toEqual([]);
    expect(JSON.parse(result.out)).toMatchObject({
      tracking_request: { status: 'created' },
      shipment: { bill_of_lading_number: 'MAEUMANIFEST02' },
    });
  });

  test('sends a request if the earlier request is for another carrier', async () => {
    await waiting('MAEUMANIFEST03');
    const args = ['track', 'MAEUMANIFEST03', '--scac', 'MSCU', '--type', 'bill_of_lading', '--wait', '50ms'];
    expect((await sentBy(() => ct(...args))).writes).toEqual(['POST /tracking_requests']);
  });

  test('requests a number again after a failed request, and says why that request failed', async () => {
    const args = ['track', 'MSCUNOTFOUND1', '--scac', 'MSCU', '--type', 'container'];
    expect(await ct(...args)).toMatchObject({
      code: 1,
      last: 'MSCUNOTFOUND1 (MSCU) cannot be tracked: the carrier does not know the number (not_found).',
    });
    const { result, writes } = await sentBy(() => ct(...args));
    expect(writes).toEqual(['POST /tracking_requests']);
    expect(result.err).toMatch(
      /^MSCUNOTFOUND1 was requested before, on .*, and failed: the carrier does not know the number \(not_found\)\. It is requested again\.$/m,
    );
  });
});

describe('track --from', () => {
  const files = (name: string, numbers: readonly string[]) => {
    const [from, to] = [join(folder, `${name}.csv`), join(folder, `${name}-ids.csv`)];
    writeFileSync(from, ['number,scac,type', ...numbers.map(number => `${number},MAEU,bill_of_lading`)].join('\n'));
    const rows = () =>
      readFileSync(to, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map(row => row.split(','));
    return { args: ['track', '--from', from, '--to', to, '--wait', '100ms'], rows };
  };

  test('follows the requests that are already open, and sends only the other numbers', async () => {
    const numbers = ['MAEUMANIFEST11', 'MAEUMANIFEST12', 'MAEUMANIFEST13'];
    const ids = await Promise.all(numbers.slice(0, 2).map(number => waiting(number)));
    const { args, rows } = files('first', numbers);
    const { result, writes } = await sentBy(() => ct(...args));
    expect(writes).toEqual(['POST /tracking_requests']);
    expect({ code: result.code, counts: result.json() }).toEqual({
      code: 7,
      counts: [{ tracked: 0, failed: 0, pending: 3 }],
    });
    expect(rows().map(row => row[3])).toEqual([...ids, expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(result.err).toContain('Not requested again, because an earlier request has no outcome yet: 2.\n');
    expect(rows()[0]?.slice(6).join(',')).toMatch(/the carrier has no data yet, .*; requested on \d{4}-/);
  });

  test('says which lines repeat a number, also in another spelling', async () => {
    const { args } = files('repeats', ['MAEUNOTFOUND91', 'MAEU NOTFOUND-91', 'MAEUNOTFOUND91']);
    const { err } = await ct(...args);
    expect(err).toContain(
      'Line 3 (MAEU NOTFOUND-91) repeats line 2, as MAEUNOTFOUND91: the number is tracked once.\nLine 4 (MAEUNOTFOUND91) repeats line 2: the number is tracked once.\n',
    );
  });

  test('stores the references of all lines with the same number', async () => {
    const { args, rows } = files('references', []);
    writeFileSync(String(args[2]), 'number,reference\nMAEU5550001,PO-A\nMAEU5550001,PO-B\nMAEU5550001,PO-A\n');
    const { err } = await ct(...args, '--scac', 'MAEU', '--type', 'bill_of_lading', '--wait', '10s');
    expect(err).toContain(
      'Line 3 (MAEU5550001) repeats line 2: the number is tracked once, with the references PO-A, PO-B.\n',
    );
    const { ref_numbers } = await client.shipments.get(rows()[0]?.[4] ?? '');
    expect(ref_numbers).toEqual(['PO-A', 'PO-B']);
  });

  test('writes no outcome for the numbers that an interruption leaves open, and follows their requests in the next run', async () => {
    const numbers = ['MAEUMANIFEST71', 'MAEUMANIFEST72', 'MAEUMANIFEST73'];
    const { args, rows } = files('interrupted', numbers);
    const run = sentBy(() => ct(...args, '--wait', '1m'));
    const open = () => client.trackingRequests.list({ filter: { request_number: 'MAEUMANIFEST73' } });
    await expect.poll(async () => (await open()).data.length, { timeout: 10_000 }).toBe(1);
    process.emit('SIGINT');
    const { result, writes } = await run;
    expect(writes).toHaveLength(3);
    expect({ code: result.code, rows: rows() }).toEqual({ code: 130, rows: [] });
    expect(result.err).toMatch(/^Outcomes in .*: 0 of 3\. The same command continues with the others\.$/m);
    expect(await sentBy(() => ct(...args))).toMatchObject({ writes: [], result: { code: 7 } });
  });

  test('follows the requests of the first run in a second run, and does not send a request', async () => {
    const numbers = ['MAEUMANIFEST21', 'MAEUMANIFEST22', 'MAEUMANIFEST23', 'MAEUMANIFEST24'];
    const { args, rows } = files('again', numbers);
    await ct(...args);
    const ids = rows().map(row => row[3]);
    const second = await sentBy(() => ct(...args));
    expect(second).toMatchObject({ writes: [], result: { code: 7 } });
    expect(rows().map(row => row[3])).toEqual(ids);

    sandbox.advance({ days: 3 });
    const third = await sentBy(() => ct(...args, '--wait', '10s'));
    expect({ writes: third.writes, counts: third.result.json() }).toEqual({
      writes: [],
      counts: [{ tracked: 4, failed: 0, pending: 0 }],
    });
    expect(rows().map(row => row[2])).toEqual(numbers.map(() => 'tracked'));
  });

  test('says why a request has failed since the last run, and requests its number again only in the next run', async () => {
    const numbers = ['MAEUNOTFOUND31', 'MAEUNOTFOUND32', 'MAEUNOTFOUND33'];
    const { args, rows } = files('failed', numbers);
    await ct(...args);
    sandbox.advance({ days: 8 });
    const second = await sentBy(() => ct(...args, '--wait', '10s'));
    expect(second).toMatchObject({ writes: [], result: { code: 1 } });
    expect(rows()[0]?.at(-1)).toContain('the carrier had no data within the time');
    const third = await sentBy(() => ct(...args));
    expect(third.writes).toHaveLength(3);
    expect(third.result.err).toMatch(/^MAEUNOTFOUND31 was requested before, and failed: .* It is requested again\.$/m);
  });

  test('requests a number again after a final failure only with --again', async () => {
    const { args, rows } = files('refused', ['MAEUTRACKINGFAILED1']);
    await ct(...args, '--wait', '10s');
    const before = rows();
    expect(before[0]?.at(-1)).toContain('(invalid_number)');
    const second = await sentBy(() => ct(...args, '--json'));
    expect(second).toMatchObject({ writes: [], result: { code: 1 } });
    expect(rows()).toEqual(before);
    const lines = second.result.err
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toContainEqual({
      note: 'MAEUTRACKINGFAILED1 was requested before, and failed permanently. It is not requested again: see --again.',
    });
    expect((await sentBy(() => ct(...args, '--again'))).writes).toHaveLength(1);
  });

  test('finds the open tracking requests without a separate HTTP request for each number', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `MAEUMANIFEST4${String(index).padStart(2, '0')}`);
    const { args } = files('many', numbers);
    await ct(...args);
    const { sent, writes } = await sentBy(() => ct(...args));
    expect(writes).toEqual([]);
    expect(sent.length).toBeLessThan(10);
  });
});

describe('tracking-requests create', () => {
  const args = ['tracking-requests', 'create', 'MAEUMANIFEST51', '--scac', 'MAEU'];

  test('prints the earlier request of a number, and sends a new request only with --again', async () => {
    const id = await waiting('MAEUMANIFEST51');
    const { result, writes } = await sentBy(() => ct(...args, '--ref', 'PO-1'));
    expect({ writes, code: result.code, id: result.json()[0].id }).toEqual({ writes: [], code: 0, id });
    expect(result.err).toContain('It is not requested again: see --again. Its references and tags stay as they are.');
    const again = await sentBy(() => ct(...args, '--again'));
    expect(again.writes).toEqual(['POST /tracking_requests']);
    expect(again.result.json()[0].id).not.toBe(id);
  });

  test('sends a request if the key may create requests but may not read them', async () => {
    sandbox.fail({ match: { method: 'GET' }, status: 401 });
    const { result, writes } = await sentBy(() => ct('tracking-requests', 'create', 'MAEU520000001', '--scac', 'MAEU'));
    expect({ writes, code: result.code }).toEqual({ writes: ['POST /tracking_requests'], code: 0 });
  });

  test('names the shipment of a container that is tracked by another number', async () => {
    await client.track({ number: 'MAEU510000051', scac: 'MAEU', type: 'bill_of_lading' });
    const { data } = await client.containers.list({ include: ['shipment'], pageSize: 1 });
    const [{ number = '', shipment } = { shipment: null }] = data;
    const { result, writes } = await sentBy(() =>
      ct('tracking-requests', 'create', String(number), '--type', 'container'),
    );
    expect({ writes, code: result.code, last: result.last }).toEqual({
      writes: [],
      code: 1,
      last: `${number} is tracked already: shipment ${shipment?.id}. To request it nevertheless, use --again.`,
    });
  });
});
