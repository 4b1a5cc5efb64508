import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { textWidth } from '../../src/cli/output/text-width.ts';
import { type LocalTime, localTime } from '../../src/index.ts';
import { START } from '../../support/sandbox.ts';
import { sandboxed, terminal } from './command-line.ts';

const KEYS = ['sandbox', 'sandbox-for-filters'] as const;
const { client, ct, environment, sandbox } = sandboxed({ shipments: 40, seed: 7, apiKeys: KEYS });

// The command counts days from the present, so the present is the start of the sandbox.
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date(START) }));
afterAll(() => vi.useRealTimers());

const ALL = {
  ready: true,
  lastFreeDay: { within: 7 },
  demurrage: true,
  held: true,
  late: { days: 1 },
  silent: { days: 5 },
};
/** The lines of a table without the next steps below its rows. */
const rowsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .filter(line => !line.startsWith('  '));
const countLine = (err: string) => err.split('\n').find(line => /^\d+ containers/.test(line)) ?? '-';
const headOf = (out: string) => (out.split('\n')[0] ?? '').split(/ {2,}/);

describe('a worklist of all lists', () => {
  test('prints each container once in its table, the nearest last free day first', async () => {
    terminal(200);
    const { out } = await ct('worklist', '--within', '30');
    const [head = '', ...rows] = rowsOf(out);
    expect(headOf(out).slice(0, 4)).toEqual(['NUMBER', 'DAYS LEFT', 'LISTS', 'HOLDS']);
    const numbers = rows.map(row => row.split(' ')[0]);
    expect(new Set(numbers).size).toBe(numbers.length);
    const days = rows.map(row => row.slice(head.indexOf('DAYS LEFT')).split('  ')[0] ?? '');
    const left = days.map(text =>
      text === 'today'
        ? 0
        : text === '-'
          ? Number.POSITIVE_INFINITY
          : Number.parseInt(text, 10) * (text.endsWith('overdue') ? -1 : 1),
    );
    expect(left).toEqual(left.toSorted((one, other) => (one === other ? 0 : one - other)));
    expect(days.some(text => /^\d+ overdue$/.test(text))).toBe(true);
    expect(rows.some(row => /ready, demurrage|last-free-day, held/.test(row))).toBe(true);
    expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(200);
  });

  test('shows the ETA at 160 columns, and the sum of the demurrage below the table', async () => {
    terminal(160);
    const { out, err } = await ct('worklist');
    expect(headOf(out)).toContain('ETA');
    const sum = (await ct('worklist', 'demurrage', '--csv')).out;
    const rows = parse(sum, { columns: true }) as { demurrage: string; demurrage_currency: string }[];
    const dollars = rows.filter(row => row.demurrage_currency === 'USD');
    const total = dollars.reduce((sum, { demurrage }) => sum + Number(demurrage), 0);
    expect(total).toBeGreaterThan(0);
    expect(err).toMatch(new RegExp(`overdue.*\\. Demurrage: .*\\b${total} USD`));
  });

  test('fills the columns of a list also for containers that another list has found', async () => {
    const columns = ['number', 'eta', 'days-late', 'days-overdue', 'demurrage', 'days-silent'];
    const cellsOf = async (list: string) => {
      const { out } = await ct('worklist', list, '--csv', '--columns', columns.join());
      const rows = parse(out, { columns: true }) as Record<string, string>[];
      return new Map(rows.map(row => [row.number, row]));
    };
    const [ready, ...others] = await Promise.all(['ready', 'demurrage', 'late'].map(cellsOf));
    const common = others.flatMap(other => [...other].filter(([number]) => ready?.has(number)));
    expect(common.length).toBeGreaterThan(2);
    for (const [number, row] of common) expect(ready?.get(number)).toEqual(row);
    for (const row of ready?.values() ?? [])
      expect(row).toMatchObject({ eta: expect.stringMatching(/^\d{4}/), days_silent: expect.stringMatching(/\d/) });
  });

  test('shows the ETA, the first ETA and the place of the arrival that is late', async () => {
    const columns = ['number', 'days-late', 'eta', 'first-eta', 'arrives-at', 'inland-eta'];
    const { out } = await ct('worklist', 'late', '--csv', '--columns', columns.join());
    const rows = parse(out, { columns: true }) as Record<string, string>[];
    const known = await client.worklist({ late: { days: 1 } }).toArray();
    expect(known.some(({ at, container }) => at === 'port' && container.ind_eta_at)).toBe(true);
    for (const { number, at, arrival, since, port, destination, delay } of known) {
      expect(rows.find(row => row.number === number)).toMatchObject({
        days_late: String(delay.days),
        eta: expect.stringContaining(arrival.date),
        first_eta: expect.stringContaining(since.date),
        arrives_at: at === 'port' ? port : destination,
      });
    }
  });

  test.each(['last_free_day', 'lastFreeDay', 'LAST-FREE-DAY'])('accepts the spelling %s of a list', async list => {
    expect((await ct('worklist', list)).json()).toEqual((await ct('worklist', 'last-free-day')).json());
  });

  test.each([[[]], [['--estimate']]])("prints JSON with the service's spelling of the fields: %j", async args => {
    const { out, json } = await ct('worklist', ...args);
    expect(json().length).toBeGreaterThan(0);
    expect(out.match(/"\w*[a-z][A-Z]\w*":/g)).toBeNull();
  });

  test('accepts the names of the library also in --fields, and prints them in the same spelling', async () => {
    const { json } = await ct('worklist', 'ready', '--fields', 'shipmentNumber,deadline.daysLeft');
    expect(Object.keys(json()[0])).toEqual(['shipment_number', 'deadline.days_left']);
  });

  test('accepts names of lists that are separated by commas', async () => {
    const { json } = await ct('worklist', 'held,late');
    expect(new Set(json().map(({ list }) => list))).toEqual(new Set(['held', 'late']));
  });

  test('prints each row of each list for programs, in the order of the table', async () => {
    const { json } = await ct('worklist');
    const rows = await client.worklist(ALL).toArray();
    const nameOf = ({ list, number }: { list: string; number: string }) =>
      `${list.replace('lastFreeDay', 'last_free_day')} ${number}`;
    expect(json().map(nameOf).toSorted()).toEqual(rows.map(nameOf).toSorted());
    terminal(200);
    const { out } = await ct('worklist');
    const inTable = rowsOf(out)
      .slice(1)
      .map(row => row.split(' ')[0]);
    expect([...new Set(json().map(({ number }) => number))]).toEqual(inTable);
  });
});

describe('a worklist of one list', () => {
  test.each([
    ['ready', ['NUMBER', 'TERMINAL', 'LAST FREE DAY', 'DAYS LEFT', 'APPOINTMENT']],
    ['last-free-day', ['NUMBER', 'DAYS LEFT', 'LAST FREE DAY', 'READY', 'TERMINAL']],
    ['demurrage', ['NUMBER', 'DAYS OVERDUE', 'DEMURRAGE', 'LAST FREE DAY', 'FEES']],
    ['held', ['NUMBER', 'HOLDS', 'DAYS LEFT', 'LAST FREE DAY', 'TERMINAL']],
    ['late', ['NUMBER', 'DAYS LATE', 'ETA', 'FIRST ETA', 'WHERE']],
  ])('shows the most important columns at 80 columns: %s', async (list, columns) => {
    terminal(80);
    const { out } = await ct('worklist', list);
    expect(headOf(out).slice(0, columns.length)).toEqual(columns);
    expect(headOf(out)).not.toContain('LISTS');
    expect(Math.max(...out.split('\n').map(textWidth))).toBeLessThanOrEqual(80);
  });

  test.each([
    ['held', 'HOLDS'],
    ['last-free-day', 'READY'],
  ])('does not cut the most important column at 80 columns: %s', async (list, column) => {
    terminal(80);
    const { out } = await ct('worklist', list);
    const start = headOf(out).indexOf(column);
    const cells = rowsOf(out).map(row => row.split(/ {2,}/)[start]);
    expect(cells.length).toBeGreaterThan(3);
    expect(cells.join()).not.toContain('…');
  });

  test.each([[[]], ...['ready', 'last-free-day', 'demurrage', 'held', 'late', 'silent'].map(list => [[list]])])(
    'is a table at 60 and at 80 columns, and says which columns it leaves out: %j',
    async args => {
      for (const width of [60, 80]) {
        terminal(width);
        const { out, err } = await ct('worklist', ...args);
        if (out.startsWith('None found.')) continue;
        expect(headOf(out).length).toBeGreaterThan(2);
        expect(out).not.toContain('\n\n');
        expect(err).toMatch(/Not\sshown: /);
        expect(Math.max(...(out + err).split('\n').map(textWidth))).toBeLessThanOrEqual(width);
      }
    },
  );

  test('shows records one under the other at 40 columns, and does not cut the next step', async () => {
    terminal(40);
    const { out } = await ct('worklist', 'ready');
    const known = await client.worklist({ ready: true }).toArray();
    const records = out.trimEnd().split('\n\n');
    expect(records).toHaveLength(known.length);
    for (const { number, next } of known) {
      const record = records.find(text => text.includes(number)) ?? '';
      expect(record.replace(/\s+/g, ' ')).toContain(next);
    }
    expect(out).not.toMatch(/…| -$/m);
  });

  test('for late containers begins with the container that has the longest delay', async () => {
    const days = (await ct('worklist', 'late')).json().map(({ delay }) => delay.days);
    expect(days.length).toBeGreaterThan(2);
    expect(days).toEqual(days.toSorted((one, other) => other - one));
  });
});

test('a table with --columns never leaves out one of these columns, and does not cut a bill of lading number', async () => {
  vi.stubEnv('COLUMNS', '80');
  const { out, err } = await ct('worklist', '--columns', 'number,shipment,reason');
  const known = new Set((await client.shipments.list().toArray()).map(each => each.bill_of_lading_number));
  const numbers = Array.from(out.matchAll(/^SHIPMENT +(.*)$/gm), ([, number]) => number ?? '');
  expect(numbers.length).toBeGreaterThan(3);
  for (const number of numbers) expect(known).toContain(number);
  expect(err).not.toContain('Not shown');
});

test.each([
  [['late', '--late-by', '0'], '--late-by must be a whole number of days, at least 1, such as 3 or 3d, not 0.'],
  [['--within', '2.5'], '--within must be a whole number of days, at least 0, such as 3 or 3d, not 2.5.'],
])('%j is refused in the words of the command line', async (args, message) => {
  expect(await ct('worklist', ...args)).toMatchObject({ code: 2, last: message });
});

test.each([
  [['ready', '--within', '3'], '--within is for the list last-free-day, which is not among those that you named.'],
  [['held,ready', '--late-by', '3'], '--late-by is for the list late, which is not among those that you named.'],
  [['late', '--silent-for', '3'], '--silent-for is for the list silent, which is not among those that you named.'],
])('%j is refused, because the option has no effect', async (args, message) => {
  const before = sandbox.requests.length;
  expect(await ct('worklist', ...args)).toMatchObject({ code: 2, last: message });
  expect(sandbox.requests.length).toBe(before);
});

describe('filters', () => {
  // The commands of a process share the rate limit of a key. With a second key, these tests do not wait for it.
  beforeAll(() => {
    environment.TRACKING_API_KEY = KEYS[1];
  });

  test.each(['port', 'terminal', 'carrier', 'customer', 'reference'])('--%s selects containers', async name => {
    const all = (await ct('worklist')).json();
    const field = { port: 'port', terminal: 'terminal', carrier: 'shipping_line', customer: 'customer' }[name];
    const wanted = all.find(row => row[field ?? 'shipment_number']);
    const value: string = wanted[field ?? 'shipment_number'];
    const found = (await ct('worklist', `--${name}`, value.toUpperCase())).json();
    expect(found.length).toBeLessThan(all.length);
    expect(found).toContainEqual(wanted);
    for (const row of found) {
      const { port, destination, terminal, shipping_line, customer, shipment_number } = row;
      expect([port, destination, terminal, shipping_line, customer, shipment_number].join('|')).toContain(value);
    }
  });

  test('--hold selects containers with a hold of this name', async () => {
    const all = (await ct('worklist', 'held')).json();
    const names = all.flatMap(({ state }) => state.holds.map(({ name }: { name: string }) => name));
    const countOf = (name: string) => names.filter(each => each === name).length;
    const [hold] = names.toSorted((one, other) => countOf(one) - countOf(other));
    const found = (await ct('worklist', 'held', '--hold', hold.toUpperCase())).json();
    expect(found).toEqual(all.filter(({ state }) => state.holds.some(({ name }: { name: string }) => name === hold)));
    expect(found.length).toBeLessThan(all.length);
    const { code, out, last } = await ct('worklist', 'held', '--hold', 'misspelt');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(last).toMatch(new RegExp(`^--hold: nothing .* misspelt\\..*${hold}`));
  });

  test('accept a code and several values, and can be combined', async () => {
    const rows = (await ct('worklist', '--port', 'USLAX,uslgb')).json();
    expect(new Set(rows.map(({ port }) => port))).toEqual(new Set(['Los Angeles', 'Long Beach']));
    const [{ customer }] = rows;
    const both = (await ct('worklist', '--port', 'USLAX,uslgb', '--customer', customer)).json();
    expect(both).toEqual(rows.filter(row => row.customer === customer));
  });

  test('refuse a value that is similar to a value of some containers, and list these values', async () => {
    expect(await ct('worklist', '--port', 'Savannah,Lost Angeles')).toMatchObject({ code: 4, out: '' });
    const swapped = await ct('worklist', '--customer', 'Brich');
    expect(swapped).toMatchObject({ code: 4, last: expect.stringContaining('Did you mean "Birch and Sons"?') });
    const { code, out, last } = await ct('worklist', '--port', 'Lost Angeles');
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(last).toMatch(/^--port: nothing .* "Lost Angeles"\. Did you mean "USLAX Los Angeles"\? The lists have: /);
  });

  test('warn of a carrier without a container, and refuse a carrier that the service does not have', async () => {
    const used = new Set((await client.shipments.list().toArray()).map(({ shipping_line_scac }) => shipping_line_scac));
    const lines = await client.shippingLines.list().toArray();
    const { scac } = lines.find(line => !used.has(line.scac)) ?? {};
    const absent = await ct('worklist', '--carrier', String(scac), '--csv');
    expect(absent).toMatchObject({ code: 0, out: expect.stringMatching(/^list,id,number,.*\n$/) });
    expect(absent.err).toContain(`--carrier: nothing in these lists matches ${scac}.`);
    expect(await ct('worklist', '--carrier', 'QQQQ')).toMatchObject({ code: 4, out: '' });
  });

  test('use the values that exist, and warn of the other values', async () => {
    const { port } = (await ct('worklist')).json().find(({ port }) => port !== null);
    const { code, err, json } = await ct('worklist', '--port', `${port},Rotterdam`);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^--port: nothing .* Rotterdam\./) });
    expect(json()).toEqual((await ct('worklist', '--port', port)).json());
    expect(json().length).toBeGreaterThan(0);
  });

  test('print an empty list for a value that only containers outside the worklist have', async () => {
    const gone = (await client.containers.list({ include: ['shipment'] }).toArray()).map(each => each.number);
    const listed = new Set((await ct('worklist')).json().map(({ number }) => number));
    const absent = gone.find(number => !listed.has(number)) ?? '';
    expect(await ct('worklist', '--reference', absent)).toMatchObject({ code: 0, out: '' });
  });
});

test('--limit prints the first containers, and says that there are more', async () => {
  terminal(160);
  const whole = await ct('worklist', 'ready');
  const { out, err } = await ct('worklist', 'ready', '--limit', '2');
  const cellsOf = (text: string) => rowsOf(text).map(row => row.split(/ {2,}/));
  expect(cellsOf(out).slice(1)).toEqual(cellsOf(whole.out).slice(1, 3));
  expect(err).toContain(countLine(whole.err));
  expect(err).toContain('These are the first 2. See --limit.\n');
  terminal(undefined);
  const numbers = (await ct('worklist', '--limit', '2')).json().map(({ number }) => number);
  expect(new Set(numbers).size).toBe(2);
});

test('--columns accepts the names of CSV columns too', async () => {
  const { out } = await ct('worklist', 'ready', '--columns', 'number,port,shipment_number');
  expect(headOf(out)).toEqual(['NUMBER', 'PORT', 'SHIPMENT NUMBER']);
});

test.each([80, 120])('the next step is a line below each row of a table of %i columns', async columns => {
  const [row] = (await ct('worklist', 'ready')).json();
  terminal(columns);
  const { out, err } = await ct('worklist', 'ready');
  const lines = out.split('\n');
  const at = lines.findIndex(line => line.startsWith(row.number));
  expect(lines[at + 1]?.startsWith('  ')).toBe(true);
  expect(`${lines[at + 1]}${lines[at + 2]}`.replaceAll(/\s+/g, ' ')).toContain(
    row.next.split(' ').slice(0, 8).join(' '),
  );
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(columns);
  expect(err).not.toMatch(/Not shown:.*NEXT/);
});

test('the CSV of a worklist has the rows of its JSON, with plain numbers and times', async () => {
  const json = (await ct('worklist')).json();
  const rows: Record<string, string>[] = parse((await ct('worklist', '--csv')).out, { columns: true });
  expect(rows).toHaveLength(json.length);
  const records = new Map((await client.containers.list().toArray()).map(record => [record.id, record]));
  let byRail = 0;
  for (const [index, row] of rows.entries()) {
    const { id, list, number, deadline, appointment, arrival, delay, shipment_id, shipment_number } = json[index];
    expect(row).toMatchObject({ id, list, number, shipment_id, shipment_number: shipment_number ?? '' });
    expect(row.days_left).toBe(deadline && !deadline.has_ended ? String(deadline.days_left) : '');
    expect(row.appointment).toBe(appointment ? `${appointment.date}T${appointment.time}${appointment.offset}` : '');
    if (list === 'late') expect(row.days_late).toBe(String(delay.days));
    const { ind_ata_at, ind_eta_at, final_destination_timezone } = records.get(id) ?? {};
    const inland = localTime(ind_ata_at ?? ind_eta_at, final_destination_timezone);
    const written = (time: LocalTime) => `${time.date}T${time.time}${time.offset}`;
    if (arrival) expect(row.eta).toBe(written(arrival));
    expect(row.inland_eta).toBe(inland ? written(inland) : '');
    if (inland) byRail += 1;
    expect(row.fees).toMatch(/^[\d.]*$/);
  }
  expect(rows.some(({ days_left }) => Number(days_left) < 0)).toBe(true);
  expect(byRail).toBeGreaterThan(0);
  for (const name of Object.keys(rows[0] ?? {})) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('the JSON of a worklist has the ids with which other commands open the container and the shipment', async () => {
  const [{ id, number, shipment_id, shipment_number }] = (await ct('worklist')).json();
  expect((await ct('containers', 'get', id)).json()).toMatchObject([{ number }]);
  expect((await ct('shipments', 'get', shipment_id)).json()).toMatchObject([
    { bill_of_lading_number: shipment_number },
  ]);
});

test('a line on stderr has the number of containers, and the number of overdue containers', async () => {
  terminal(80);
  const { err } = await ct('worklist');
  expect(err).toMatch(/^\d+ containers, \d+ overdue(, \d+ with the last free day today)?\. Demurrage: \d+ USD\.$/m);
});

describe('colours', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  const RED = /\u001b\[31m\d+ overdue\u001b\[39m/;
  const asNode = () => WriteStream.prototype.hasColors();
  const screen = (columns: number | undefined, variables: Record<string, string> = {}) => {
    const unset = { CI: undefined, FORCE_COLOR: undefined, NODE_DISABLE_COLORS: undefined };
    const ours = { TERM: 'xterm-256color', NO_COLOR: '', ...unset };
    for (const [name, value] of Object.entries({ ...ours, ...variables })) vi.stubEnv(name, value);
    terminal(columns, asNode);
  };

  test('are printed on a terminal with colours, and do not move a column', async () => {
    screen(100);
    const { out } = await ct('worklist');
    expect(out).toMatch(RED);
    terminal(100);
    const plain = (await ct('worklist')).out;
    expect(stripVTControlCharacters(out)).toBe(plain);
  });

  test.each([
    ['NO_COLOR', 80, { NO_COLOR: '1' }, []],
    ['TERM=dumb', 80, { TERM: 'dumb' }, []],
    ['--no-color', 80, {}, ['--no-color']],
    ['--no-color with FORCE_COLOR', 80, { FORCE_COLOR: '3' }, ['--no-color']],
    ['a pipe', undefined, {}, ['--columns', 'number,days-left,lists']],
  ])('are not printed with %s', async (_, columns, variables, args) => {
    screen(columns, variables);
    const { out } = await ct('worklist', ...args);
    expect(out).toContain('overdue');
    expect(out).not.toContain('\u001b');
  });
});
