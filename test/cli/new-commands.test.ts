import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresInbox } from '../../src/postgres.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';
import { sandboxed, terminal } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'cli-new-'));

const { sandbox, client, environment, ct } = sandboxed({ shipments: 25 });

afterAll(() => rmSync(folder, { recursive: true }));

async function someShipment() {
  const { data } = await client.shipments.list({ pageSize: 1 });
  const [shipment] = data;
  if (!shipment) throw new Error('The sandbox has no shipment.');
  return shipment;
}

describe('the worklist', () => {
  test.each([
    ['ready', ['ready']],
    ['last-free-day', ['last-free-day', '--within', '30']],
    ['demurrage', ['demurrage']],
    ['held', ['held']],
    ['late', ['late', '--late-by', '2']],
  ])('worklist %s prints the rows that the library returns', async (_, args) => {
    const { code, json } = await ct('worklist', ...args);
    expect(code).toBe(0);
    const within = { within: 30 };
    const options = {
      ready: { ready: true },
      'last-free-day': { lastFreeDay: within },
      demurrage: { demurrage: true },
      held: { held: true },
      late: { late: { days: 2 } },
    }[args[0] as 'ready'];
    const rows = await client.worklist(options).toArray();
    expect(
      json()
        .map(row => row.number)
        .toSorted(),
    ).toEqual(rows.map(({ number }) => number).toSorted());
    expect(json().every(row => row.reason && row.next && !('container' in row))).toBe(true);
  });

  test('the message about an unknown list suggests the list that was meant', async () => {
    expect(await ct('worklist', 'demurage')).toMatchObject({
      code: 2,
      last: expect.stringContaining('Did you mean demurrage?'),
    });
  });

  test('--estimate prints the number of requests and containers', async () => {
    const { json, out: text } = await ct('worklist', '--estimate');
    expect(JSON.parse(text)).toMatchObject({ requests: expect.any(Number), containers: expect.any(Number) });
    expect(json).toBeDefined();
  });
});

describe('records', () => {
  test('are found by their number in place of an id', async () => {
    const shipment = await someShipment();
    const { out: text } = await ct('shipments', 'get', shipment.bill_of_lading_number);
    expect(JSON.parse(text).id).toBe(shipment.id);
    const { data } = await client.containers.list({ pageSize: 1 });
    const number = data[0]?.number ?? '';
    expect(JSON.parse((await ct('containers', 'get', number)).out).number).toBe(number);
  });

  test('--fields prints only these fields, also of included records, and refuses an unknown field', async () => {
    const args = ['containers', 'list', '--limit', '2', '--include', 'shipment'];
    const { json } = await ct(...args, '--fields', 'number,shipment.bill_of_lading_number');
    expect(json().map(row => Object.keys(row))).toEqual(Array(2).fill(['number', 'shipment.bill_of_lading_number']));
    expect(await ct(...args, '--fields', 'numbr')).toMatchObject({
      code: 2,
      last: expect.stringContaining('Did you mean number?'),
    });
  });

  test('--columns prints a table in a pipe, and refuses an unknown column', async () => {
    const { out: text } = await ct(
      'containers',
      'list',
      '--limit',
      '2',
      '--columns',
      'number,last-free-day,pod_timezone',
    );
    expect(text.split('\n')[0]).toMatch(/^NUMBER +LAST FREE DAY +POD_TIMEZONE$/);
    expect((await ct('containers', 'list', '--columns', 'numbr')).last).toContain('Did you mean number?');
    expect((await ct('containers', 'list', '--columns', 'number', '--json')).last).toContain('--fields');
  });

  test('a record of --include can be a column of a table', async () => {
    const { out: text } = await ct(
      'containers',
      'list',
      '--limit',
      '2',
      '--include',
      'shipment',
      '--columns',
      'number,shipment',
    );
    const { data } = await client.containers.list({ pageSize: 2, sort: '-created_at', include: ['shipment'] });
    for (const { shipment } of data)
      expect(text).toContain((shipment as { bill_of_lading_number: string }).bill_of_lading_number);
  });

  test('--all prints one line for each record, and ends without an error if the pipe is closed', async () => {
    const { json } = await ct('containers', 'list', '--all', '--fields', 'id');
    expect(json()).toHaveLength(await count());
    const ended = await new Promise<{ code: number | null; text: string }>(done => {
      const env = { ...process.env, ...environment };
      const child = spawn(
        'bash',
        ['-c', `"${process.execPath}" "${MAIN}" containers list --all | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`],
        { env },
      );
      let text = '';
      child.stdout.on('data', chunk => (text += chunk));
      child.stderr.on('data', chunk => (text += chunk));
      child.on('close', code => done({ code, text }));
    });
    expect(ended).toEqual({ code: 0, text: '0\n' });
  });

  async function count(): Promise<number> {
    return (await client.containers.list({ pageSize: 1 })).meta.total ?? 0;
  }
});

describe('commands that write', () => {
  test('stop tracking only with --yes if there is no terminal, and resume tracking', async () => {
    const { id } = await someShipment();
    expect(await ct('shipments', 'stop', id)).toMatchObject({ code: 2, last: expect.stringContaining('--yes') });
    expect((await client.shipments.get(id)).line_tracking_stopped_at ?? null).toBeNull();
    expect((await ct('shipments', 'stop', id, '--yes')).code).toBe(0);
    expect((await client.shipments.get(id)).line_tracking_stopped_at).toBeTruthy();
    expect((await ct('shipments', 'resume', id)).code).toBe(0);
  });

  test('update references and tags, and need one of them', async () => {
    const { id } = await someShipment();
    await ct('shipments', 'update', id, '--ref', 'PO 1, PO 2', '--ref', 'PO-3', '--tag', 'a,b');
    expect(await client.shipments.get(id)).toMatchObject({ ref_numbers: ['PO 1, PO 2', 'PO-3'], tags: ['a,b'] });
    expect((await ct('shipments', 'update', id)).last).toContain('--ref or --tag');
  });

  test('create a webhook once, print it without its secret, change it and delete it', async () => {
    const url = 'https://app.example/hooks';
    const made = await ct('webhooks', 'create', '--url', url, '--event', 'container.updated');
    const { id } = JSON.parse(made.out);
    expect(made.out).not.toContain('secret');
    expect(JSON.parse((await ct('webhooks', 'create', '--url', url, '--event', 'container.updated')).out).id).toBe(id);
    const { secret } = JSON.parse((await ct('webhooks', 'get', id, '--show-secret')).out);
    expect(secret).toBeTruthy();
    terminal(80);
    expect((await ct('webhooks', 'get', id, '--show-secret')).out).toContain(secret);
    expect((await ct('webhooks', 'get', id)).out).not.toContain(secret);
    terminal(undefined);
    expect((await ct('webhooks', 'list')).out).not.toContain('secret');
    expect(JSON.parse((await ct('webhooks', 'update', id, '--active', 'off')).out).active).toBe(false);
    expect((await ct('webhooks', 'update', id, '--event', 'container.updatd')).last).toContain(
      'Did you mean container.updated?',
    );
    expect((await ct('webhooks', 'delete', id)).code).toBe(2);
    expect((await ct('webhooks', 'delete', id, '--yes')).code).toBe(0);
    expect((await ct('webhooks', 'get', id)).code).toBe(4);
  });

  test('convert the value of a custom field to its data type, and refuse an unknown field', async () => {
    const { id } = await someShipment();
    await client.customFieldDefinitions.create({
      entity_type: 'Shipment',
      api_slug: 'priority',
      display_name: 'Priority',
      data_type: 'number',
    });
    expect((await ct('custom-fields', 'set', 'shipments', id, 'priority=5')).code).toBe(0);
    expect((await ct('custom-fields', 'get', 'shipments', id)).json()).toContainEqual(
      expect.objectContaining({ api_slug: 'priority', value: 5 }),
    );
    expect((await ct('custom-fields', 'set', 'shipments', id, 'priority=high')).last).toContain(
      'priority must be a number, not high.',
    );
    expect((await ct('custom-fields', 'set', 'shipments', id, 'priorty=5')).last).toContain('Did you mean priority?');
    expect((await ct('custom-fields', 'set', 'shipments', id, 'priority=')).code).toBe(0);
    expect((await ct('custom-fields', 'get', 'shipments', id)).out).not.toContain('"priority"');
    expect((await ct('custom-fields', 'get', 'shipment', id)).last).toContain('Did you mean shipments?');
  });

  test('create and update a tracking request, and infer the carrier of a number', async () => {
    const { id } = JSON.parse(
      (await ct('tracking-requests', 'create', 'MAEU11112222', '--scac', 'MAEU', '--ref', 'PO-9')).out,
    );
    expect((await ct('tracking-requests', 'update', id, '--ref', 'PO-10')).code).toBe(0);
    expect(JSON.parse((await ct('tracking-requests', 'infer', 'MAEU11112222')).out)).toHaveProperty('shipping_line');
  });
});

describe('look-ups', () => {
  test('find carriers, ports and parties', async () => {
    expect((await ct('carriers', '--search', 'hapag')).json()).toMatchObject([{ scac: 'HLCU' }]);
    expect((await ct('carriers', 'hapag')).json()).toMatchObject([{ scac: 'HLCU' }]);
    expect(JSON.parse((await ct('ports', 'USLAX')).out)).toMatchObject({
      code: 'USLAX',
      time_zone: 'America/Los_Angeles',
    });
    expect((await ct('parties')).json().length).toBeGreaterThan(0);
    expect((await ct('terminals', 'none')).code).toBe(4);
    const [{ port_of_discharge_name: name, port_of_discharge_locode: code } = {}] = (await client.shipments.list())
      .data;
    expect((await ct('ports', `${name}`.toLowerCase())).json()).toMatchObject([{ code }]);
    expect((await ct('ports', 'get', 'USLAX')).err).toMatch(/takes no argument USLAX\. Did you mean ports USLAX\?$/m);
  });

  test('find a terminal by its code or name, and a vessel by its name, among the records of the account', async () => {
    const containers = await client.containers.list({ include: ['pod_terminal'] }).toArray();
    const terminal = containers.find(({ pod_terminal }) => pod_terminal?.firms_code)?.pod_terminal;
    for (const name of [terminal?.firms_code ?? '', terminal?.name.toLowerCase() ?? '']) {
      expect((await ct('terminals', name)).json()).toMatchObject([{ id: terminal?.id }]);
    }
    const shipments = await client.shipments.list().toArray();
    const { pod_vessel_imo: imo, pod_vessel_name: vessel } =
      shipments.find(({ pod_vessel_imo }) => pod_vessel_imo) ?? {};
    expect((await ct('vessels', vessel ?? '')).json()).toMatchObject([{ imo }]);
    const { code, err } = await ct('terminals', 'e');
    expect([code, err]).toEqual([2, expect.stringContaining(`${terminal?.id}  ${terminal?.name}`)]);
  });
});

describe('track --from', () => {
  const files = (name: string, text: string) => {
    const [from, to] = [join(folder, `${name}.csv`), join(folder, `${name}-ids.csv`)];
    writeFileSync(from, text);
    return { from, to, rows: () => readFileSync(to, 'utf8').trim().split('\n') };
  };

  test('ends with exit code 2 if the file has no numbers', async () => {
    const { from, to } = files('empty', 'number\n');
    expect(await ct('track', '--from', from, '--to', to)).toMatchObject({ code: 2, last: `${from} has no numbers.` });
    expect(existsSync(to)).toBe(false);
  });

  test('appends the outcome of each number, and does not send tracked numbers again', async () => {
    const { from, to, rows } = files(
      'numbers',
      '\ufeffSCAC,Number,Reference\r\nMAEU,MAEU33334444,PO 1\r\n,"NONSENSE",\r\nMAEU,maeu33334444,\r\n',
    );
    const before = sandbox.requests.length;
    const first = await ct('track', '--from', from, '--to', to, '--wait', '10s');
    expect(first).toMatchObject({ code: 1, last: expect.stringContaining(to) });
    expect(JSON.parse(first.out)).toEqual({ tracked: 1, failed: 1, pending: 0 });
    expect(rows()[0]).toBe('number,scac,outcome,tracking_request_id,shipment_id,code,reason');
    expect(rows().slice(1).toSorted()).toEqual([
      expect.stringMatching(/^MAEU33334444,MAEU,tracked,[\da-f-]{36},[\da-f-]{36},,$/),
      expect.stringMatching(/^NONSENSE,,failed,,,number_unclear,.*--scac and --type\./),
    ]);
    const created = () =>
      sandbox.requests.slice(before).filter(({ method, path }) => method === 'POST' && path === '/tracking_requests');
    expect(created()).toHaveLength(1);
    const [request] = (await client.trackingRequests.list({ filter: { request_number: 'MAEU33334444' } })).data;
    expect(request?.ref_numbers).toEqual(['PO 1']);
    const second = await ct('track', '--from', from, '--to', to, '--wait', '10s');
    expect(JSON.parse(second.out)).toEqual({ tracked: 1, failed: 1, pending: 0 });
    expect(created()).toHaveLength(1);
  });

  test.each(['first', 'last'])('refuses outcomes of another account, found by the %s shipment', async which => {
    const { from, to, rows } = files(`account-${which}`, 'MAEU10000001,MAEU\nMAEU10000002,MAEU\nMAEU10000003,MAEU');
    await ct('track', '--from', from, '--to', to, '--wait', '10s');
    const [head, ...whole] = rows();
    const at = which === 'first' ? 0 : 2;
    const other = '00000000-0000-4000-8000-000000000000';
    whole[at] = `${whole[at]}`.replace(/[\da-f-]{36},,$/, `${other},,`);
    writeFileSync(to, [head, ...whole, ''].join('\n'));
    const writes = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
    const before = writes();
    const last = `${to} says that MAEU1000000${at + 1} is tracked, but this account has no shipment with the id ${other}. If the file is of another account, use another file for --to. If the shipment was deleted, delete the line of MAEU1000000${at + 1}.`;
    expect(await ct('track', '--from', from, '--to', to)).toMatchObject({ code: 2, out: '', last });
    expect(writes()).toBe(before);
    expect(rows()).toEqual([head, ...whole]);
  });

  test('continues after a line that a crash has cut off', async () => {
    const { from, to, rows } = files('cut', 'MAEU55556666,MAEU\nMAEU77778888,MAEU\n');
    await ct('track', '--from', from, '--to', to);
    const whole = rows();
    writeFileSync(to, `${whole.slice(0, 2).join('\n')}\n`);
    appendFileSync(to, 'MAEU777');
    const { code } = await ct('track', '--from', from, '--to', to);
    expect(code).toBe(0);
    expect(rows()).toHaveLength(3);
    expect(rows().filter(row => row.includes('MAEU777,') || row.startsWith('MAEU777MAEU'))).toEqual([]);
  });

  test('writes a quote before a cell that a spreadsheet would compute', async () => {
    const { from, to, rows } = files('formula', '"=HYPERLINK(1)",MAEU,bill_of_lading\n');
    await ct('track', '--from', from, '--to', to, '--wait', '5s');
    expect(rows()[1]).toMatch(/^'=HYPERLINK\(1\),/);
  });

  test.each(['number\nMAEU1\n', 'number,scac\nMAEU11112222,MAEU\n'])(
    'leaves the file of --to unchanged if it begins like a file of outcomes: %j',
    async content => {
      const { from, to } = files('begun', 'MAEU11112222,MAEU');
      writeFileSync(to, content);
      for (const source of [from, to])
        expect(await ct('track', '--from', source, '--to', to)).toMatchObject({ code: 2, out: '' });
      expect(readFileSync(to, 'utf8')).toBe(content);
    },
  );

  test('leaves the file of --to unchanged if it does not have outcomes, even if --from names the same file', async () => {
    const { from } = files('own', 'MAEU11112222,MAEU\nMAEU33334444,MAEU');
    const refused = await ct('track', '--from', from, '--to', from);
    expect(refused).toMatchObject({
      code: 2,
      last: expect.stringContaining('is not a file of outcomes, so it is not changed. --to must be a new file'),
    });
    expect(readFileSync(from, 'utf8')).toBe('MAEU11112222,MAEU\nMAEU33334444,MAEU');
  });

  test('reports the line of each row that cannot be sent, and sends the other rows', async () => {
    const lines = [
      'number,scac,type',
      'MAEU20000001,MAEU,',
      'MAEU20000002,MAEU,',
      '',
      'MAEU20000002,MSCU,',
      'MAEU20000003,MAEU,bill_of_ladin',
      ',MAEU,',
      ',,',
      'MSCU1234567,MSCU,',
      'MAEU20000004,,',
      'maeu20000004,maeu,',
    ];
    const { from, to, rows } = files('rows', lines.join('\n'));
    const before = sandbox.requests.length;
    const created = () =>
      sandbox.requests.slice(before).filter(({ method, path }) => method === 'POST' && path === '/tracking_requests');
    const { code, out, err, last } = await ct('track', '--from', from, '--to', to);
    expect({ code, counts: JSON.parse(out), last }).toEqual({
      code: 1,
      counts: { tracked: 2, failed: 4, pending: 0 },
      last: `Not tracked: 4 of 6 numbers. ${to} has the reasons. The same command tries these again, unless they have failed permanently.`,
    });
    expect(created()).toHaveLength(2);
    const reasons = [
      'Line 3: MAEU differs from MSCU in line 5, for the same number. Leave one out.',
      'Line 6: the type must be bill_of_lading or booking_number or container, not bill_of_ladin. Did you mean bill_of_lading?',
      'Line 7: the number is missing.',
      'Line 9: MSCU1234567 is not a container number: its last digit would be 6, not 7.',
    ];
    for (const reason of reasons) {
      expect(err).toContain(`failed, ${reason}`);
      expect(rows().join('\n')).toContain(reason);
    }
    expect(
      rows()
        .slice(1)
        .map(row => row.split(',').slice(0, 3).join(' ')),
    ).toEqual([
      'MAEU20000001 MAEU tracked',
      'MAEU20000002 MAEU failed',
      'MAEU20000003 MAEU failed',
      ' MAEU failed',
      'MSCU1234567 MSCU failed',
      'MAEU20000004 MAEU tracked',
    ]);

    const whole = rows();
    expect((await ct('track', '--from', from, '--to', to)).code).toBe(1);
    expect(rows()).toEqual(whole);
    expect(created()).toHaveLength(2);
  });

  test.each([
    ['container,carrier\nMAEU11112222,MAEU\n', 'only: container, carrier.'],
    ['B/L No.\nMAEU11112222\n', 'only: B/L No..'],
  ])('refuses a file without a column of numbers, and names its columns: %j', async (text, named) => {
    const before = sandbox.requests.length;
    const { from, to } = files('unnamed', text);
    expect(await ct('track', '--from', from, '--to', to)).toMatchObject({
      code: 2,
      last: expect.stringContaining(`has no column "number", ${named}`),
    });
    expect(sandbox.requests.length).toBe(before);
  });

  test.each([
    ['plain', 'MAEU90001111\n'],
    ['semicolons', 'scac;number\nMAEU;MAEU90002222\n'],
    ['tabs', 'number\tscac\nMAEU90003333\tMAEU\n'],
  ])('accepts a file without names of columns, and other separators: %s', async (name, text) => {
    const { from, to, rows } = files(name, text);
    await ct('track', '--from', from, '--to', to, '--scac', 'MAEU');
    expect(rows()[1]).toMatch(/^MAEU9000\d{4},MAEU,tracked,/);
  });

  test.each(['Ref', 'Reference number', 'ref_number', 'PO'])(
    'takes the references of a column %s, and names the columns that it does not use',
    async name => {
      const { from, to, rows } = files(name, `number,scac,${name},Note\nMAEU5555${name.length},MAEU,PO-4711,x\n`);
      const first = await ct('track', '--from', from, '--to', to, '--wait', '10s');
      expect(first.err).toContain('Columns that are not used: Note.');
      const shipment = await client.shipments.get(rows()[1]?.split(',')[4] ?? '');
      expect(shipment.ref_numbers).toContain('PO-4711');
    },
  );

  test('says which reference was not stored, because the number was tracked before', async () => {
    const [{ bill_of_lading_number: number } = { bill_of_lading_number: '' }] = (await client.shipments.list()).data;
    const { from, to, rows } = files('references', `number,reference\n${number},PO-NEW\n`);
    const { code, err } = await ct('track', '--from', from, '--to', to);
    const reason = 'the reference PO-NEW was not stored, because the number was tracked before. See shipments update.';
    expect(code).toBe(0);
    expect(err).toContain(`${number}: tracked, ${reason}`);
    expect(rows()[1]).toContain(reason);
  });

  test('needs both files, and names a file that cannot be read', async () => {
    expect((await ct('track', '--from', 'x.csv')).last).toBe('--from and --to belong together.');
    expect((await ct('track')).last).toContain('NUMBER, or --from FILE --to FILE');
    const missing = await ct('track', '--from', join(folder, 'none.csv'), '--to', join(folder, 'o.csv'));
    expect(missing).toMatchObject({ code: 2, last: expect.stringContaining('there is no such file.') });
  });
});

describe.skipIf(!hasPostgres)('an inbox in PostgreSQL', () => {
  test('lists and revives its dead letters without a password as an argument', { timeout: 30_000 }, async () => {
    const postgres = await startPostgres();
    onTestFinished(() => void postgres.stop());
    const { Pool } = await import('pg');
    const pool = new Pool(postgres.connection);
    const inbox = postgresInbox({ pool, schema: 'own' });
    await inbox.migrate();
    await postgresInbox({ pool }).migrate();
    const body = new TextEncoder().encode('{}');
    await inbox.put({ id: 'n-1', event: 'container.updated', group: 'g', order: '', body, receivedAt: Date.now() });
    const [claim] = await inbox.claim({ limit: 1, leaseMs: 1000 });
    if (claim) await inbox.fail(claim, { error: 'broken', retryInMs: undefined });
    await pool.end();
    const { host, port, user, database } = postgres.connection as {
      host: string;
      port: number;
      user: string;
      database: string;
    };
    vi.stubEnv('DATABASE_URL', `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`);
    expect((await ct('inbox', 'dead', '--postgres', 'env')).out).toBe('');
    const dead = await ct('inbox', 'dead', '--postgres', 'env', '--schema', 'own');
    expect(dead).toMatchObject({ code: 0, err: '' });
    expect(dead.json()).toMatchObject([{ id: 'n-1', error: 'broken' }]);
    expect((await ct('inbox', 'retry', '--all', '--postgres', 'env', '--schema', 'own')).err).toContain(
      '1 will be handled again.',
    );
    expect((await ct('inbox', 'dead', '--postgres', 'env', '--schema', 'own')).out).toBe('');
    expect((await ct('inbox', 'dead', '--schema', 'own')).last).toBe('--schema works only with --postgres.');
    // Another address has a separate rate limit: the other tests of this file use up the requests of a minute.
    vi.stubEnv('TRACKING_BASE_URL', environment.TRACKING_BASE_URL?.replace('127.0.0.1', 'localhost'));
    const recovered = await ct(
      'webhooks',
      'recover',
      '--since',
      new Date(Date.now() - 3_600_000).toISOString(),
      '--postgres',
      'env',
    );
    expect(recovered.code).toBe(0);

    const refused = await ct('inbox', 'dead', '--postgres', 'postgres://me:hunter2@db.example/x');
    expect(refused.code).toBe(2);
    expect(refused.err).not.toContain('hunter2');
    expect((await ct('inbox', 'dead', '--postgres', 'env', '--redis')).last).toContain('exclude each other');
  });
});
