import { beforeAll, describe, expect, test } from 'vitest';
import {
  fetchJson,
  idsOf,
  type ListsAccount,
  openListsAccount,
  readAll,
  type ShipRow,
} from '../../support/lists/account.ts';
import { addDays, common, day } from '../../support/lists/values.ts';

/** Compares the records that each filter selects with a selection that is computed from the list without filters. */

let account: ListsAccount;
beforeAll(async () => {
  account = await openListsAccount();
  return account.server.close;
});

type Case = [query: (account: ListsAccount) => string, isSelected: (row: ShipRow, account: ListsAccount) => boolean];

const e = encodeURIComponent;
const most = ({ ships }: ListsAccount, textOf: (row: ShipRow) => string | null) => common(ships.map(textOf));
const pod = ({ ship }: ShipRow) => ship.port_of_discharge_locode;
const pol = ({ ship }: ShipRow) => ship.port_of_lading_locode;
const terminal = (row: ShipRow) => row.terminal;
const number = ({ ship }: ShipRow) => ship.bill_of_lading_number;
const created = ({ ship }: ShipRow) => ship.created_at;
const arrival = ({ ship }: ShipRow) => ship.pod_ata_at ?? ship.pod_eta_at;
const isStopped = ({ ship }: ShipRow) => ship.line_tracking_stopped_at !== null;
const customers = ({ ship, roles }: ShipRow, { parties }: ListsAccount): string[] => [
  ...(ship.customer_name === null ? [] : [parties[ship.customer_name] ?? '']),
  ...roles.filter(role => role.startsWith('customer ')).map(role => role.slice(9)),
];
const partiesIn = (row: ShipRow, all: ListsAccount): string[] => [
  ...customers(row, all),
  ...row.roles.map(role => role.split(' ')[1] ?? ''),
];
const hasTag = ({ ship }: ShipRow, ...tags: string[]) => tags.some(tag => ship.tags.includes(tag));

const byCode = (key: string, codeOf: (row: ShipRow) => string | null): Record<string, Case> => ({
  [key]: [all => `filter[${key}]=${most(all, codeOf)}`, (row, all) => codeOf(row) === most(all, codeOf)],
  [`${key}, a comma list`]: [
    all => `filter[${key}]=none,${most(all, codeOf)}`,
    (row, all) => codeOf(row) === most(all, codeOf),
  ],
  [`${key}, an array`]: [
    all => `filter[${key}][]=${most(all, codeOf)}&filter[${key}][]=${codeOf(all.ships[0] as ShipRow)}`,
    (row, all) => [most(all, codeOf), codeOf(all.ships[0] as ShipRow)].includes(codeOf(row) ?? 'none'),
  ],
});

const byDay = (key: string, timeOf: (row: ShipRow) => string | null): Record<string, Case> => ({
  [key]: [all => `filter[${key}]=${day(most(all, timeOf))}`, (row, all) => day(timeOf(row)) === day(most(all, timeOf))],
  [`${key}, a window`]: [
    all => `filter[${key}][]=%3E%3D10.days.ago&filter[${key}][]=%3C${day(most(all, timeOf))}`,
    (row, all) => {
      const own = day(timeOf(row));
      return own !== null && own >= addDays(all.today, -10) && own < String(day(most(all, timeOf)));
    },
  ],
  [`${key} present`]: [() => `filter[${key}]=@exists`, row => timeOf(row) !== null],
  [`${key} absent`]: [() => `filter[${key}]=@not_exists`, row => timeOf(row) === null],
});

const CASES: Record<string, Case> = {
  'q, a shipment number': [
    all => `filter[q]=${most(all, number).slice(0, 8)}`,
    (row, all) => number(row).startsWith(most(all, number).slice(0, 8)),
  ],
  'q, a reference': [() => 'filter[q]=po-7%20BLU', ({ ship }) => ship.ref_numbers?.includes('PO-7 blue')],
  'q, a container': [
    all => `filter[q]=${all.ships[4]?.boxes[0]}`,
    ({ boxes }, all) => boxes.includes(String(all.ships[4]?.boxes[0])),
  ],
  'q at the top level': [() => 'q=blue', ({ ship }) => ship.ref_numbers?.includes('PO-7 blue')],
  'q, the filter wins': [() => 'q=none&filter[q]=blue', ({ ship }) => ship.ref_numbers?.includes('PO-7 blue')],
  number: [all => `filter[number]=${most(all, number)}`, (row, all) => number(row) === most(all, number)],
  'number, an array': [
    all => `filter[number][]=${most(all, number)}&filter[number][]=${number(all.ships[0] as ShipRow)}`,
    (row, all) => [most(all, number), number(all.ships[0] as ShipRow)].includes(number(row)),
  ],
  'number, a comma is part of the number': [all => `filter[number]=${most(all, number)},other`, () => false],
  'number of a container': [all => `filter[number]=${all.ships[0]?.boxes[0]}`, () => false],
  'number at the top level': [all => `number=${most(all, number)}`, (row, all) => number(row) === most(all, number)],
  'number, the filter wins': [
    all => `filter[number]=${most(all, number)}&number=none`,
    (row, all) => number(row) === most(all, number),
  ],
  created_at: [all => `filter[created_at]=${e(most(all, created))}`, (row, all) => created(row) === most(all, created)],
  'created_at, another zone': [
    all => `filter[created_at]=${e(`>${most(all, created).replace('Z', '+00:00')}`)}`,
    (row, all) => created(row) > most(all, created),
  ],
  'created_at, a window': [
    all => `filter[created_at][]=${e(`>=${most(all, created)}`)}&filter[created_at][]=%3C${all.today}T00:00:00Z`,
    (row, all) => created(row) >= most(all, created) && created(row) < `${all.today}T00:00:00Z`,
  ],
  'actively_tracked true': [() => 'filter[actively_tracked]=true', row => !isStopped(row)],
  'actively_tracked false': [() => 'filter[actively_tracked]=false', isStopped],
  'tracking_stopped true': [() => 'filter[tracking_stopped]=true', isStopped],
  'tracking_stopped false': [() => 'filter[tracking_stopped]=false', row => !isStopped(row)],
  'tracking_stopped at the top level': [() => 'tracking_stopped=true', isStopped],
  'tracking_stopped, the filter wins': [() => 'filter[tracking_stopped]=true&tracking_stopped=false', isStopped],
  'voyage_status arrived': [() => 'filter[voyage_status]=arrived', ({ ship }) => ship.pod_ata_at !== null],
  'voyage_status on_ship': [
    () => 'filter[voyage_status]=on_ship',
    ({ ship }) => ship.pod_ata_at === null && ship.pod_voyage_number !== null,
  ],
  ...byDay('pod_ata_at', ({ ship }) => ship.pod_ata_at),
  ...byDay('pod_arrival', arrival),
  ...byCode('pod_code', pod),
  ...byCode('pol_code', pol),
  pod_terminal_id: [
    all => `filter[pod_terminal_id]=${most(all, terminal)}`,
    (row, all) => row.terminal === most(all, terminal),
  ],
  'pod_terminal_id, an array': [
    all =>
      `filter[pod_terminal_id][]=${most(all, terminal)}&filter[pod_terminal_id][]=${common(all.ships.map(row => (row.terminal === most(all, terminal) ? null : row.terminal)))}`,
    (row, all) =>
      row.terminal !== null &&
      [
        most(all, terminal),
        common(all.ships.map(other => (other.terminal === most(all, terminal) ? null : other.terminal))),
      ].includes(row.terminal),
  ],
  'pod_terminal_id absent': [() => 'filter[pod_terminal_id]=@not_exists', row => row.terminal === null],
  owner_id: [({ userId }) => `filter[owner_id]=${userId}`, ({ isRequested }) => isRequested],
  'creator_id, another account': [() => 'filter[creator_id]=5f4ce9c8-0000-4000-8000-000000000000', () => false],
  'creator_id, the account': [({ accountId }) => `filter[creator_id]=${accountId}`, () => true],
  'creator_id, two of an array': [
    ({ accountId }) => `filter[creator_id][]=${accountId}&filter[creator_id][]=other`,
    () => false,
  ],
  customer_id: [
    ({ parties }) => `filter[customer_id]=${parties['Birch and Sons']}`,
    (row, all) => customers(row, all).includes(String(all.parties['Birch and Sons'])),
  ],
  'customer_id, the creator': [
    ({ accountId }) => `filter[customer_id]=${accountId}`,
    (row, all) => customers(row, all).length === 0,
  ],
  'customer_id present': [() => 'filter[customer_id]=@exists', (row, all) => customers(row, all).length > 0],
  product: [() => 'filter[product]=chair', () => false],
  party_id: [
    ({ parties }) => `filter[party_id]=${parties['Broker One']},none`,
    (row, all) => partiesIn(row, all).includes(String(all.parties['Broker One'])),
  ],
  'party_id, any of two': [
    ({ parties }) =>
      `filter[party_id][value][]=${parties['Broker One']}&filter[party_id][value][]=${parties['Shipper Two']}`,
    (row, all) =>
      [all.parties['Broker One'], all.parties['Shipper Two']].some(id => partiesIn(row, all).includes(String(id))),
  ],
  'party_id, both': [
    ({ parties }) =>
      `filter[party_id][operator]=all&filter[party_id][value]=${parties['Broker One']},${parties['Shipper Two']}`,
    (row, all) =>
      [all.parties['Broker One'], all.parties['Shipper Two']].every(id => partiesIn(row, all).includes(String(id))),
  ],
  tags: [() => 'filter[tags]=garden,urgent', row => hasTag(row, 'garden', 'urgent')],
  'tags with tags_and': [
    () => 'filter[tags][]=garden&filter[tags][]=urgent&filter[tags_and]=true',
    row => hasTag(row, 'garden') && hasTag(row, 'urgent'),
  ],
  tag: [() => 'filter[tag]=urgent', row => hasTag(row, 'urgent')],
  'tag, it wins over tags': [() => 'filter[tag]=urgent&filter[tags]=garden', row => hasTag(row, 'urgent')],
};

/** Cases that may select no record, or all records. */
const PLAIN = [
  'number, a comma is part of the number',
  'number of a container',
  'creator_id, another account',
  'creator_id, the account',
  'creator_id, two of an array',
  'product',
  'pod_arrival present',
  'pod_arrival absent',
];

describe('a filter of shipments selects the right records', () => {
  test.each(Object.keys(CASES))('%s', async name => {
    const [query, isSelected] = CASES[name] as Case;
    const expected = account.ships.filter(row => isSelected(row, account)).map(({ id }) => id);
    const path = `/shipments?${query(account)}`;
    // The selected records keep the order of the list: the newest is first.
    expect(await idsOf(account.server, `${path}&page[size]=7`)).toEqual(expected);
    expect((await fetchJson(account.server, path)).body.meta.total).toBe(expected.length);
    if (!PLAIN.includes(name)) {
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(account.ships.length);
    }
  });
});

describe('a filter for the time of a change', () => {
  const localDay = (time: string, timeZone: string) => new Date(time).toLocaleDateString('en-CA', { timeZone });

  test('pod_eta_changed_at selects each shipment that is under way and whose estimate has moved to another local day since the time of the filter', async () => {
    const { sandbox, server } = await openListsAccount({ shipments: 120 });
    const { ships: before } = await rowsOf(server);
    const since = sandbox.now().toISOString();
    sandbox.advance({ days: 8 });
    const between = sandbox.now().toISOString();
    const { ships: middle } = await rowsOf(server);
    sandbox.advance({ days: 7 });
    const { ships: after } = await rowsOf(server);
    const changed = (from: typeof before, to: typeof before) =>
      after
        .filter(({ id, ship }) => {
          const [old, own] = [from, to].map(rows => rows.find(row => row.id === id)?.ship);
          if (ship.line_tracking_stopped_at !== null || ship.pod_ata_at !== null || ship.pod_eta_at === null)
            return false;
          return localDay(old?.pod_eta_at, ship.pod_timezone) !== localDay(own?.pod_eta_at, ship.pod_timezone);
        })
        .map(({ id }) => id);
    const asked = (...bounds: string[]) =>
      idsOf(server, `/shipments?${bounds.map(bound => `filter[pod_eta_changed_at][]=${e(bound)}`).join('&')}`);
    expect(changed(before, after).length).toBeGreaterThan(2);
    expect(changed(before, after).length).toBeLessThan(after.length);
    for (const operator of ['', '=', '>', '>=']) expect(await asked(operator + since)).toEqual(changed(before, after));
    expect(await asked(`>${between}`)).toEqual(changed(middle, after));
    expect(await asked(`>${since}`, `<=${between}`)).toEqual(changed(before, middle));
    expect(changed(before, middle)).not.toEqual(changed(before, after));
    await server.close();
  });

  test('arriving_today with the value true selects shipments with an estimated or actual arrival today; with the value false, it has no effect', async () => {
    const { sandbox, server, ships } = await openListsAccount({ shipments: 60 });
    let days = 0;
    for (; days < 20; days++) {
      const today = sandbox.now().toISOString().slice(0, 10);
      const { ships: rows } = await rowsOf(server);
      const expected = rows
        .filter(({ ship }) =>
          [ship.pod_ata_at, ship.pod_eta_at, ship.destination_ata_at, ship.destination_eta_at].some(
            time => day(time) === today,
          ),
        )
        .map(({ id }) => id);
      expect(await idsOf(server, '/shipments?filter[arriving_today]=true')).toEqual(expected);
      if (expected.length > 0) break;
      sandbox.advance({ days: 1 });
    }
    expect(days).toBeLessThan(20);
    expect(await idsOf(server, '/shipments?filter[arriving_today]=false')).toHaveLength(ships.length);
    await server.close();
  });

  async function rowsOf(server: ListsAccount['server']) {
    const { data } = await readAll(server, '/shipments?page[size]=100');
    return { ships: data.map(({ id, attributes }) => ({ id: String(id), ship: attributes })) };
  }
});
