import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { csvLine } from '../../src/cli/output/csv.ts';
import { textWidth } from '../../src/cli/output/text-width.ts';
import { type Container, lastFreeDay } from '../../src/index.ts';
import { hintOf } from '../../src/internal/meant-name.ts';
import { sandboxed, terminal } from './command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-output-'));

const { sandbox, client, ct } = sandboxed({ shipments: 25, seed: 7 }, { TZ: 'UTC' });

afterAll(() => rmSync(folder, { recursive: true }));

/** A container that is held at a terminal. */
async function heldContainer() {
  const rows = await client.worklist({ held: true }).toArray({ limit: 1 });
  const [row] = rows;
  if (!row) throw new Error('The sandbox has no held container.');
  return row;
}

const labelsIn = (text: string) => text.split('\n\n')[0]?.match(/^\S.*?(?= {2}|$)/gm) ?? [];

describe('one record on a terminal', () => {
  test('a container has plain labels, the names of its places, its holds and a local time', async () => {
    const { number, shipmentNumber, terminal: facility } = await heldContainer();
    terminal(80);
    const { out } = await ct('containers', 'get', number);
    expect(labelsIn(out).length).toBeLessThanOrEqual(18);
    expect(out).toMatch(new RegExp(`^Shipment +${shipmentNumber}$`, 'm'));
    expect(out).toMatch(new RegExp(`^Terminal +${facility}$`, 'm'));
    expect(out).toMatch(/^To +[A-Z][a-z].* \([A-Z]{5}\)$/m);
    expect(out).toMatch(/^Arrived +\d{4}-\d\d-\d\d \d\d:\d\d \S+$/m);
    expect(out).toMatch(/^Last free day +\d{4}-\d\d-\d\d, (\d+ days? (left|overdue)|today)$/m);
    expect(out).toMatch(/^Holds +[a-z]+/m);
    expect(out).toMatch(/^Fees +/m);
    expect(out).not.toMatch(/_at\b|null| -$/m);
    expect(out.trimEnd().split('\n').at(-1)).toBe('All fields: --json');
  });

  test('a shipment is printed with its carrier, its places and the numbers of its containers', async () => {
    const { number, shipmentNumber } = await heldContainer();
    terminal(80);
    const { out } = await ct('shipments', 'get', shipmentNumber ?? '');
    expect(labelsIn(out).length).toBeLessThanOrEqual(16);
    expect(out).toMatch(/^Carrier +.+ \([A-Z]{4}\)$/m);
    expect(out).toMatch(/^From +.+ \([A-Z]{5}\)$/m);
    expect(out).toMatch(new RegExp(`^Containers +.*${number} \\(`, 'm'));
    expect(out).toMatch(/^Holds +[a-z]+ \(on \d of \d\)$|^Holds +[a-z]+$/m);
  });

  test('track prints the shipment, and the journey of each container with the names of places', async () => {
    const { number, shipmentNumber } = await heldContainer();
    terminal(100);
    const { out } = await ct('track', shipmentNumber ?? '');
    expect(out).toMatch(/^Bill of lading +/m);
    expect(out).toMatch(new RegExp(`^${number}: .*held by `, 'm'));
    expect(out).toMatch(/^ {2}\d{4}-\d\d-\d\d \d\d:\d\d \S+ +Loaded on vessel +[A-Z][a-z]+/m);
    expect(out).not.toMatch(/^ {2}\d.* [A-Z]{5}$/m);
  });

  test.each(['ports', 'vessels'])('%s prints labels in place of the field names of the service', async command => {
    const known = await client.shipments.list().toArray();
    const imo = known.find(({ pod_ata_at, pod_vessel_imo }) => pod_ata_at && pod_vessel_imo)?.pod_vessel_imo ?? '';
    terminal(80);
    const { out } = await ct(command, command === 'ports' ? 'USLAX' : imo);
    expect(out).toMatch(/^Position +-?\d/m);
    expect(out).not.toMatch(/^\w+_\w+ /m);
  });
});

describe('JSON', () => {
  test('is one line per record in a pipe, also for get and track', async () => {
    const { number, shipmentNumber } = await heldContainer();
    for (const args of [
      ['containers', 'get', number],
      ['track', shipmentNumber ?? ''],
      ['whoami'],
      ['ports', 'USLAX'],
    ]) {
      const { out, json } = await ct(...args);
      expect(json()).toHaveLength(1);
      expect(out.trimEnd()).not.toContain('\n');
    }
  });

  test('is indented on a terminal, for one record and for a list', async () => {
    terminal(80);
    for (const args of [
      ['ports', 'USLAX'],
      ['containers', 'list', '--limit', '1'],
    ]) {
      const { out } = await ct(...args, '--json');
      expect(out).toMatch(/^\{\n {2}"/);
      expect(JSON.parse(out)).toHaveProperty('id');
    }
  });

  test('does not include the related records that only the columns of a table need', async () => {
    const { number } = await heldContainer();
    const [container] = (await ct('containers', 'get', number)).json();
    expect(Object.keys(container.pod_terminal)).toEqual(['id', 'type']);
  });
});

describe('--csv', () => {
  test('prints one header, and one row for each record, with whole texts even on a terminal', async () => {
    terminal(40);
    const { out } = await ct('containers', 'list', '--csv');
    const rows: Record<string, string>[] = parse(out, { columns: true });
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'number',
      'status',
      'ready',
      'last_free_day',
      'holds',
      'arrived',
      'id',
    ]);
    expect(out).not.toContain('…');
  });

  test('prints times in ISO 8601 with their offsets', async () => {
    const { out } = await ct('containers', 'list', '--csv', '--columns', 'arrived,eta');
    const rows: Record<string, string>[] = parse(out, { columns: true });
    const times = rows.flatMap(({ arrived, eta }) => [arrived ?? '', eta ?? '']).filter(Boolean);
    expect(times.length).toBeGreaterThan(3);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/);
  });

  test('prints the columns that --columns names, also from related records', async () => {
    const { out } = await ct(
      'containers',
      'list',
      '--limit',
      '5',
      '--csv',
      '--columns',
      'number,shipment,last-free-day',
    );
    const rows: Record<string, string>[] = parse(out, { columns: true });
    expect(rows).toHaveLength(5);
    expect(rows.every(({ shipment }) => shipment !== '')).toBe(true);
    expect(out.split('\n')[0]).toBe('number,shipment,last_free_day');
  });

  test('prints only the header if there are no records', async () => {
    const { out } = await ct('containers', 'list', '--filter', 'number=MSCU0000001', '--csv', '--columns', 'number,id');
    expect(out).toBe('number,id\n');
  });

  test.each([
    [['--csv', '--json'], '--csv is not JSON'],
    [['--csv', '--fields', 'id'], '--csv is not JSON'],
    [['--columns', 'number', '--json'], 'use --fields'],
  ])('%j is refused before a request', async (options, message) => {
    for (const command of [['containers', 'list'], ['worklist'], ['changes', '--since', '1d']]) {
      const before = sandbox.requests.length;
      expect(await ct(...command, ...options)).toMatchObject({ code: 2, last: expect.stringContaining(message) });
      expect(sandbox.requests.length).toBe(before);
    }
  });

  test('doubles quotes, replaces line breaks by blanks, and writes negative numbers but no formulas', () => {
    expect(csvLine(['a"b', 'c\r\nd', '=1+1', 'e,f', '', '-3', -3])).toBe('"a""b","c d",\'=1+1,"e,f",,\'-3,-3');
  });
});

describe('--columns and --fields', () => {
  test('the last free day of a shipment is the earliest of its containers that were not collected yet', async () => {
    const gone = /^(picked_up|delivered|empty_returned|off_dock)$/;
    const shipments = await client.shipments.list({ include: ['containers'] }).toArray();
    const rows = (await ct('shipments', 'list', '--all', '--csv', '--columns', 'id,last-free-day')).out.split('\n');
    let partly = 0;
    for (const { id, containers } of shipments) {
      const daysOf = (some: typeof containers) => some.flatMap(each => lastFreeDay(each)?.date ?? []).toSorted();
      const [open] = daysOf(containers.filter(({ current_status }) => !gone.test(current_status ?? '')));
      if (open !== daysOf(containers)[0]) partly += 1;
      expect(rows).toContain(`${id},${open ?? ''}`);
    }
    expect(partly).toBeGreaterThan(0);
  });

  test.each(['last-free-day', 'last_free_day', 'lastFreeDay', 'LAST FREE DAY'])(
    'accept the spelling %s',
    async name => {
      const list = ['containers', 'list', '--limit', '20'];
      expect((await ct(...list, '--columns', name)).out).toMatch(/^LAST FREE DAY\n/);
      const key = name === 'LAST FREE DAY' ? 'LAST_FREE_DAY' : 'last_free_day';
      const days = (await ct(...list, '--fields', name)).json().map(row => row[key]);
      expect(days).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\d$/));
      expect((await ct(...list, '--columns', 'podTimezone')).out).toMatch(/\nAmerica\//);
      expect((await ct(...list, '--fields', 'pod-timezone')).json()).toContainEqual({
        pod_timezone: expect.stringMatching(/^America/),
      });
    },
  );

  test('accept columns and fields of related records, and read these records', async () => {
    const names = 'number,terminal,eta,shipment.bill_of_lading_number';
    const rows = (await ct('containers', 'list', '--limit', '20', '--fields', names)).json();
    expect(Object.keys(rows[0])).toEqual(names.split(','));
    expect(rows.map(row => row['shipment.bill_of_lading_number'])).toContainEqual(expect.stringMatching(/^[A-Z]{4}/));
    expect(rows).toContainEqual(expect.objectContaining({ terminal: expect.stringContaining('Terminal') }));
    expect(rows).toContainEqual(expect.objectContaining({ eta: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }));
    const [{ id }] = (await ct('containers', 'list', '--limit', '1', '--fields', 'id')).json();
    expect((await ct('containers', 'get', id, '--fields', 'ready,carrier')).json()).toEqual([
      { ready: expect.any(String), carrier: expect.any(String) },
    ]);
  });

  test('accept the names of JSON fields and of table columns in a worklist', async () => {
    const { out } = await ct('worklist', 'ready', '--columns', 'number,shippingLine,deadline.date,fees');
    expect(out).toMatch(/^NUMBER +SHIPPING LINE +DEADLINE.DATE +FEES\n\w+ +\w.* +\d{4}-\d\d-\d\d/);
    const [row] = (await ct('worklist', 'ready', '--fields', 'number,shipping_line,days-left,deadline.date')).json();
    expect(row).toMatchObject({ shipping_line: expect.any(String), days_left: expect.any(Number) });
  });

  test('suggest a column for a misspelt field', async () => {
    const { code, last } = await ct('containers', 'list', '--limit', '1', '--fields', 'lastFreeDy');
    expect({ code, last }).toEqual({ code: 2, last: 'There is no field lastFreeDy. Did you mean last-free-day?' });
  });
});

describe('--columns', () => {
  test('can name a column that needs a related record, and reads this record', async () => {
    const { out } = await ct('containers', 'list', '--limit', '20', '--columns', 'number,terminal,to,eta');
    expect(out.split('\n')[0]).toMatch(/^NUMBER +TERMINAL +TO +ETA/);
    expect(out).toMatch(/Terminal/);
    expect(out).toMatch(/\([A-Z]{5}\)/);
  });

  test.each([
    ['lfd', 'last-free-day'],
    ['numbr', 'number'],
    ['days', 'days-left'],
    ['free', 'last-free-day'],
    ['nr', 'number'],
    ['Stat', 'status'],
  ])('%s suggests %s', (name, meant) => {
    expect(hintOf(name, ['number', 'status', 'days-left', 'last-free-day', 'pickup_lfd'])).toBe(
      ` Did you mean ${meant}?`,
    );
  });

  test('suggests columns that share words with an unknown name, and a rare word counts more than a frequent word', () => {
    const known = ['number', 'pod_terminal', 'pod_timezone', 'pod_arrived_at', 'ind_eta_at', 'eta', 'days-left'];
    expect(hintOf('pod_eta_at', known)).toBe(' Did you mean eta, ind_eta_at or pod_terminal?');
    expect(hintOf('pod_arived_at', known)).toBe(' Did you mean pod_arrived_at?');
    expect(hintOf('nothing_at', known)).toBe('');
  });

  test('reads a field of a related record', async () => {
    const { out } = await ct(
      'containers',
      'list',
      '--limit',
      '3',
      '--columns',
      'number,shipment.bill_of_lading_number',
    );
    expect(out).toMatch(/^NUMBER +SHIPMENT.BILL_OF_LADING_NUMBER\n\S+ +[A-Z]{4}\d+\n/);
  });

  test.each(['shipment.bill_of_ladin', 'shipmen.id'])('refuses %s', async name => {
    const { code, last } = await ct('containers', 'list', '--limit', '3', '--columns', name);
    expect({ code, last }).toEqual({ code: 2, last: expect.stringContaining(`There is no column ${name}.`) });
  });

  test('lists the columns, but not every field, if a name is not similar to any of them', async () => {
    const { last } = await ct('containers', 'list', '--columns', 'xyzzy');
    expect(last).toContain('There are: number, status, ready, last-free-day, holds');
    expect(last.length).toBeLessThan(300);
  });

  test.each([60, 80])('prints a table in a pipe with the width that COLUMNS says: %i', async columns => {
    vi.stubEnv('COLUMNS', String(columns));
    const { out } = await ct('worklist', '--columns', 'number,terminal,customer,holds,ready');
    const widest = Math.max(...out.split('\n').map(textWidth));
    expect(widest).toBeLessThanOrEqual(columns);
    expect(widest).toBeGreaterThan(columns - 20);
  });
});

test('track prints the status in words, and the last free day only until the container has left', async () => {
  const shownOf = async (isWanted: (container: Container) => boolean) => {
    const shipments = await client.shipments.list({ include: ['containers'], pageSize: 100 }).toArray();
    const [found] = shipments.flatMap(({ bill_of_lading_number, containers }) =>
      containers.filter(isWanted).map(({ number }) => ({ number, name: bill_of_lading_number ?? '' })),
    );
    const { out } = await ct('track', found?.name ?? '');
    return out.split('\n').find(line => line.startsWith(`${found?.number}:`));
  };
  terminal(100);
  expect(await shownOf(each => each.current_status === 'available' && each.pickup_lfd !== null)).toMatch(
    /^\w+: available; last free day \d/,
  );
  sandbox.advance({ days: 60 });
  expect(await shownOf(each => each.current_status === 'empty_returned' && lastFreeDay(each) !== null)).toMatch(
    /^\w+: empty returned(?!.*last free day)/,
  );
});
