import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sinceOf } from '../../src/cli/since.ts';
import { KIND_GROUPS } from '../../src/domain/timeline-changes.ts';
import { START } from '../../support/sandbox.ts';
import { sandboxed, terminal } from './command-line.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/;
const folder = mkdtempSync(join(tmpdir(), 'cli-changes-'));
const settings = join(folder, 'settings');

const { client, sandbox, ct } = sandboxed(
  { shipments: 25, seed: 7, now: new Date(Date.now() - 12 * DAY_MS) },
  { TZ: 'UTC', XDG_CONFIG_HOME: settings },
);

afterAll(() => rmSync(folder, { recursive: true }));

const stateOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('changes', () => {
  const path = join(folder, 'state.json');

  beforeAll(() => {
    sandbox.advance({ days: 1 });
  });

  test('stores the records of the first run, and compares with them until a run with --done', async () => {
    expect(await ct('changes', path)).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('The next run prints what has changed since '),
    });
    if (process.platform !== 'win32') expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    terminal(80);
    expect(await ct('changes', path)).toMatchObject({
      out: '',
      err: expect.stringMatching(/^Nothing has changed since /),
    });
    terminal(undefined);
    sandbox.advance({ days: 3 });
    const first = (await ct('changes', path)).json();
    expect(first.length).toBeGreaterThan(3);
    expect(first).toContainEqual(expect.objectContaining({ kind: expect.any(String), id: expect.any(String) }));
    const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
    const done = (await ct('changes', path, '--done')).json();
    expect(done.map(keyOf)).toEqual(first.map(keyOf));
    expect((await ct('changes', path)).out).toBe('');
  });

  test('prints each change with the old value, the new value and the time', async () => {
    // The stored records are changed, because the time of the day decides which estimates the sandbox moves.
    const state = stateOf(path);
    for (const record of state.records) {
      if (record.pod_eta_at && !record.pod_ata_at) record.pod_eta_at = '2026-01-05T10:00:00Z';
      if (record.import_deadlines) Object.assign(record, { import_deadlines: null, pickup_lfd: null });
    }
    writeFileSync(path, JSON.stringify(state));
    sandbox.advance({ days: 3 });
    terminal(100);
    const { out, err } = await ct('changes', path);
    expect(out).toMatch(/^\w* +arrival moved: \d{4}-\d\d-\d\d → \d{4}-\d\d-\d\d$/m);
    expect(out).toMatch(/^\w* +first known: last free day \(\w+\): \d{4}-\d\d-\d\d$/m);
    const table = (await ct('changes', path, '--columns', 'number,what,from,to,when')).out;
    expect(table).toMatch(/^NUMBER +WHAT +FROM +TO +WHEN/);
    expect(table).toMatch(/^\w+ +arrival moved +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d \d\d:\d\d \S+/m);
    expect(table).toMatch(/^\w+ +first known: last free day \(\w+\) +- /m);
    expect(err).toMatch(/^\d+ changes since \d{4}.*\nThe next run has them too, unless you use --done\.$/m);
  });

  test('prints only the changes of containers that a filter selects, and of their shipments', async () => {
    const all = (await ct('changes', path)).json();
    const containers = await client.containers.list({ include: ['shipment'] }).toArray();
    const port = containers.find(({ id }) => all.some(change => change.id === id))?.shipment?.port_of_discharge_name;
    const isThere = (id: string) =>
      containers.some(
        ({ id: own, shipment }) => [own, shipment?.id].includes(id) && shipment?.port_of_discharge_name === port,
      );
    const some = (await ct('changes', path, '--port', String(port))).json();
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    for (const { id } of some) expect(isThere(id)).toBe(true);
    expect(await ct('changes', path, '--port', String(port), '--done')).toMatchObject({
      code: 2,
      last: expect.stringContaining('--done needs a run that prints all changes'),
    });
  });

  test('prints the old value and the new value also at 60 columns', async () => {
    terminal(60);
    const { out } = await ct('changes', path);
    expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(60);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/ arrival moved: \d{4}-\d\d-\d\d → \d{4}-\d\d-\d\d/);
  });

  test('prints JSON with the words of each change and the spelling of the service', async () => {
    const changes = (await ct('changes', path)).json();
    const moved = changes.find(({ kind }) => kind === 'estimate_moved');
    expect(moved).toMatchObject({ what: expect.stringMatching(/ moved$/), days_late: expect.anything() });
    expect(JSON.stringify(changes)).not.toMatch(/"\w*[a-z][A-Z]\w*":/);
  });

  test('prints CSV with the names of the JSON fields, and times with their offset', async () => {
    const rows: Record<string, string>[] = parse((await ct('changes', path, '--csv')).out, { columns: true });
    expect(Object.keys(rows[0] ?? {})).toEqual(['kind', 'number', 'what', 'from', 'to', 'at', 'type', 'id']);
    const moved = rows.filter(({ kind }) => kind === 'estimate_moved');
    expect(moved.length).toBeGreaterThan(0);
    for (const { from, to, at } of moved) {
      for (const time of [from, to, at]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/);
    }
  });

  test('prints new records and records that are gone', async () => {
    const state = stateOf(path);
    const [first] = state.records.splice(0, 1);
    state.records.push({ ...first, id: 'removed-since', bill_of_lading_number: 'GONE' });
    writeFileSync(path, JSON.stringify(state));
    const { json } = await ct('changes', path);
    expect(json()).toContainEqual(expect.objectContaining({ kind: 'new', id: first.id }));
    expect(json()).toContainEqual(expect.objectContaining({ kind: 'gone', number: 'GONE' }));
  });

  test('refuses a file with the records of another account, and does not change this file', async () => {
    const other = join(folder, 'other-account.json');
    const state = { at: START, records: [{ id: 'of-another-account', type: 'shipment' }] };
    writeFileSync(other, JSON.stringify(state));
    const last = `${other} has records of another account: this account does not have 1 of 1. The file stays as it is: name another file. If the records were really deleted, delete the file.`;
    expect(await ct('changes', other, '--done')).toMatchObject({ code: 2, out: '', last });
    expect(stateOf(other)).toEqual(state);
  });

  test('names a file that does not contain a state, and does not change this file', async () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');
    expect(await ct('changes', broken)).toMatchObject({ code: 1, last: expect.stringContaining(broken) });
    expect(readFileSync(broken, 'utf8')).toBe('{');
  });

  test('stores one file for each key in the folder of the settings if no file is named', async () => {
    const { err } = await ct('changes');
    const files = () => readdirSync(join(settings, 'container-tracking'));
    expect(files()).toEqual([expect.stringMatching(/^changes-[\da-f]{12}\.json$/)]);
    expect(err).toContain(files()[0]);
    expect((await ct('changes')).out).toBe('');
    vi.stubEnv('TRACKING_API_KEY', 'another');
    await ct('changes', '--retries', '0');
    vi.stubEnv('TRACKING_API_KEY', 'sandbox');
    expect(files()).toHaveLength(1);
  });
});

describe('changes --since', () => {
  test('prints the changes that the service has recorded, the latest first, and does not need a file', async () => {
    const { json } = await ct('changes', '--since', '8d');
    expect(json().length).toBeGreaterThan(3);
    const times = json().map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    for (const { kind, type, number, what, from, to, at } of json()) {
      expect(KIND_GROUPS).toContain(kind);
      expect({ type, number, what }).toEqual({
        type: 'container',
        number: expect.any(String),
        what: expect.any(String),
      });
      const form = kind === 'new_containers' ? /^[a-z_]+$/ : kind === 'last_free_days' ? DAY : TIME;
      for (const value of [from, to]) if (value !== undefined) expect(value).toMatch(form);
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    }
    expect(json()).toContainEqual(
      expect.objectContaining({ kind: expect.stringMatching(/estimates|delays/), from_first_estimate: true }),
    );
    const words = json().map(({ what }) => what);
    expect(words).toContainEqual(expect.stringMatching(/^first known: /));
  });

  test('prints CSV with the values of the JSON fields', async () => {
    const json = (await ct('changes', '--since', '8d')).json();
    const rows: Record<string, string>[] = parse((await ct('changes', '--since', '8d', '--csv')).out, {
      columns: true,
    });
    expect(rows).toHaveLength(json.length);
    for (const [index, row] of rows.entries()) {
      const { kind, number, from = '', to = '', place = '', locode = '' } = json[index];
      expect(row).toMatchObject({ kind, number, from, to, place, locode, type: 'container' });
      expect(row.at).toMatch(TIME);
    }
  });

  test.each([60, 80, 160])(
    'prints each container once at %i columns, and most changes in one line each',
    async columns => {
      const json = (await ct('changes', '--since', '8d')).json();
      terminal(columns);
      const { out } = await ct('changes', '--since', '8d');
      const lines = out.trimEnd().split('\n');
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(columns);
      expect(out.match(/^\w+ {2}/gm)?.length).toBe(new Set(json.map(({ number }) => number)).size);
      expect(out.match(/ \d\d-\d\d \d\d:\d\d {2}/g)?.length).toBe(json.length);
      if (columns >= 80) expect(lines.length).toBeLessThan(json.length * 1.25);
      expect(out.replace(/\s+/g, ' ')).toMatch(/: \d{4}-\d\d-\d\d \(first estimate\) → \d{4}-\d\d-\d\d/);
      expect(out).not.toContain('…');
    },
  );

  test('names the place of an event, with its code in JSON', async () => {
    const events = (await ct('changes', '--since', '8d')).json().filter(({ kind }) => kind === 'events');
    const { place, locode } = events.find(each => each.locode);
    expect(locode).toMatch(/^[A-Z]{5}$/);
    expect(place).toMatch(/^[A-Z][a-z]/);
    terminal(160);
    expect((await ct('changes', '--since', '8d')).out).toContain(`, ${place}: `);
  });

  test('prints the latest changes up to --limit, and says how many there are', async () => {
    const all = (await ct('changes', '--since', '8d')).json();
    const { json, err } = await ct('changes', '--since', '8d', '--limit', '2');
    expect(json()).toEqual(all.slice(0, 2));
    expect(err).toMatch(new RegExp(`^These are the latest 2 of ${all.length} changes since .*\\. See --limit\\.\\n$`));
    expect((await ct('changes', '--since', '8d', '--limit', '0')).json()).toEqual(all);
  });

  test('prints a table with --columns', async () => {
    terminal(100);
    const { out } = await ct('changes', '--since', '8d', '--columns', 'number,kind,from,to,place');
    expect(out).toMatch(/^NUMBER +KIND +FROM +TO +PLACE/);
  });

  test.each([
    [['--since', 'soon'], 'must be a moment in the past'],
    [['--since', '2026-02-30'], 'must be a moment in the past'],
    [['--since', '3d', '--done'], '--since cannot be combined with FILE or with --done.'],
    [['--since', '3d', 'state.json'], '--since cannot be combined with FILE or with --done.'],
    [['--limit', '2'], '--limit works only with --since.'],
    [['--kind', 'delays'], '--kind works only with --since.'],
  ])('%j is refused before a request', async (args, message) => {
    const before = sandbox.requests.length;
    expect(await ct('changes', ...args)).toMatchObject({ code: 2, last: expect.stringContaining(message) });
    expect(sandbox.requests.length).toBe(before);
  });

  test.each([
    ['3d', '2026-11-23T10:30:00.000Z'],
    ['12h', '2026-11-25T22:30:00.000Z'],
    ['1w', '2026-11-19T10:30:00.000Z'],
    ['today', '2026-11-26T00:00:00.000Z'],
    ['Yesterday', '2026-11-25T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ])('accepts %s, which means the time %s', (text, time) => {
    expect(sinceOf(text, new Date('2026-11-26T10:30:00Z')).toISOString()).toBe(time);
  });

  test.each(['port', 'terminal', 'carrier', 'customer', 'reference'])(
    'prints only changes of containers that --%s selects',
    async name => {
      const include = ['shipment', 'pod_terminal'] as const;
      const all = (await ct('changes', '--since', '8d')).json();
      const containers = await client.containers.list({ include, pageSize: 100 }).toArray();
      const changed = containers.find(({ id }) => id === all[0].id);
      const { shipment, pod_terminal, number } = changed ?? {};
      const value = {
        port: shipment?.port_of_discharge_locode,
        terminal: pod_terminal?.name,
        carrier: shipment?.shipping_line_scac,
        customer: shipment?.customer_name,
        reference: number,
      }[name] as string;
      const found = (await ct('changes', '--since', '8d', `--${name}`, value.toLowerCase())).json();
      expect(found).toContainEqual(all[0]);
      expect(found.length).toBeLessThan(all.length);
      expect(all).toEqual(expect.arrayContaining(found));
    },
  );

  test.each(['last_free_days', 'last-free-days', 'delays', 'vessel'])(
    'prints only changes of the kind %s with --kind',
    async kind => {
      const all = (await ct('changes', '--since', '8d')).json();
      const named = kind.replaceAll('-', '_');
      const wanted = all.filter(change => change.kind === named || change.what.includes(named));
      expect(wanted.length).toBeGreaterThan(0);
      expect((await ct('changes', '--since', '8d', '--kind', kind)).json()).toEqual(wanted);
    },
  );

  test('counts the delays as estimates too, and the availability as events', async () => {
    const all = (await ct('changes', '--since', '8d')).json();
    const { json } = await ct('changes', '--since', '8d', '--kind', 'estimates,availability');
    expect(json()).toEqual(all.filter(({ kind }) => /^(estimates|delays|availability)$/.test(kind)));
  });

  test('says how many changes of each kind there are, the most important kind first', async () => {
    const all = (await ct('changes', '--since', '8d')).json();
    terminal(200);
    const { err } = await ct('changes', '--since', '8d', '--limit', '1');
    const counts = KIND_GROUPS.map(kind => [kind, all.filter(change => change.kind === kind).length] as const);
    const words = counts.filter(([, count]) => count > 0).map(([kind, count]) => `${kind}: ${count}`);
    expect(err).toContain(`${words.join(', ')}. See --kind.`);
  });

  test('refuses a misspelt value, and names the values that exist', async () => {
    expect(await ct('changes', '--since', '8d', '--port', 'Lost Angeles')).toMatchObject({
      code: 4,
      out: '',
      last: expect.stringMatching(/^--port: nothing .* "Lost Angeles"\./),
    });
    expect(await ct('changes', '--since', '8d', '--kind', 'delay_s')).toMatchObject({
      code: 2,
      last: expect.stringMatching(
        /^--kind has no value delay_s\. Did you mean delays\? It must be one of: last_free_days, /,
      ),
    });
  });

  test('prints nothing for a known kind that no change has', async () => {
    expect(await ct('changes', '--since', '8d', '--kind', 'Rail departed: withdrawn')).toMatchObject({
      code: 0,
      out: '',
    });
  });
});
