import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type BoxRow,
  fetchJson,
  idsOf,
  type ListsAccount,
  openListsAccount,
  readAll,
  type ShipRow,
} from '../../support/lists/account.ts';
import { createSandbox } from '../../support/sandbox.ts';

let account: ListsAccount;
beforeAll(async () => {
  account = await openListsAccount();
  return account.server.close;
});

const ask = (path: string) => fetchJson(account.server, path);
const ids = (path: string) => idsOf(account.server, path);

type Value = string | null;

/** The attribute that belongs to each token of `sort`, for the attributes that the service sends. */
const BOX_TOKENS: Record<string, (row: BoxRow) => Value> = {
  arrival: ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at,
  created_at: ({ box }) => box.created_at,
  shipment_number: ({ ship }) => ship.bill_of_lading_number,
  destination_ata_at: ({ ship }) => ship.destination_ata_at,
  destination_eta_at: ({ ship }) => ship.destination_eta_at,
  empty_terminated_at: ({ box }) => box.empty_terminated_at,
  final_destination_full_out_at: ({ box }) => box.final_destination_full_out_at,
  picked_up_at: ({ box }) => box.pod_full_out_at ?? box.final_destination_full_out_at,
  delivered_at: ({ box }) => box.delivered_at,
  pickup_lfd: ({ box }) => box.pickup_lfd,
  pickup_lfd_line_on: ({ box }) => box.import_deadlines.pickup_lfd_line,
  pickup_lfd_line_effective_on: ({ box }) => box.import_deadlines.pod.line.current,
  ind_lfd: ({ box }) => box.ind_facility_lfd_on,
  pickup_lfd_rail_on: ({ box }) => box.import_deadlines.pickup_lfd_rail,
  pickup_lfd_rail_effective_on: ({ box }) => box.import_deadlines.pickup_lfd_rail,
  pickup_lfd_terminal_on: ({ box }) => box.import_deadlines.pickup_lfd_terminal,
  pickup_lfd_terminal_effective_on: ({ box }) => box.import_deadlines.pod.facility.current,
  pod_arrived_at: ({ box }) => box.pod_arrived_at,
  pod_discharged_at: ({ box }) => box.pod_discharged_at,
  pod_eta_at: ({ ship }) => ship.pod_eta_at,
  inland_destination_rail_unloaded_at: ({ box }) => box.ind_rail_unloaded_at,
  inland_destination_eta_at: ({ box }) => box.ind_eta_at,
  inland_destination_ata_at: ({ box }) => box.ind_ata_at,
  pod_rail_loaded_at: ({ box }) => box.pod_rail_loaded_at,
  pol_full_in_at: ({ box }) => box.pol_full_in_at,
  empty_out_at: ({ box }) => box.empty_out_at,
  pol_vessel_loaded_at: ({ box }) => box.pol_vessel_loaded_at,
  pol_vessel_departed_at: ({ box }) => box.pol_vessel_departed_at,
};
/** Sort tokens whose attribute has no value in any record of the sandbox. */
const WITHOUT_VALUES = ['delivery_appointment_at', 'pickup_lfd_line_ind_on', 'pickup_lfd_line_ind_effective_on'];

const SHIP_TOKENS: Record<string, (row: ShipRow) => Value> = {
  pod_arrival: ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at,
  tracking_stopped_at: ({ ship }) => ship.line_tracking_stopped_at,
};

/** Records without a value come last, in both directions. */
function isInOrder(values: Value[], isDescending: boolean): boolean {
  const known = values.filter(value => value !== null);
  const sorted = known.toSorted();
  const expected = isDescending ? sorted.reverse() : sorted;
  return values.every((value, index) => value === (expected[index] ?? null));
}

describe('sort', () => {
  const both = (tokens: string[]) => tokens.flatMap(token => [token, `-${token}`]);

  test.each(both(Object.keys(BOX_TOKENS)))('%s orders the containers', async sort => {
    const sortValue = BOX_TOKENS[sort.replace('-', '')] as (row: BoxRow) => Value;
    const rows = new Map(account.boxes.map(row => [row.id, sortValue(row)]));
    const sorted = await ids(`/containers?sort=${sort}&page[size]=17`);
    expect(sorted.toSorted()).toEqual([...rows.keys()].toSorted());
    expect(
      isInOrder(
        sorted.map(id => rows.get(id) ?? null),
        sort.startsWith('-'),
      ),
    ).toBe(true);
    // The default order is different, so the test would fail if the sandbox ignored the token.
    expect(isInOrder([...rows.values()], sort.startsWith('-'))).toBe(false);
  });

  test.each(both(WITHOUT_VALUES))('%s gives the containers in the default order: the newest first', async sort => {
    expect(await ids(`/containers?sort=${sort}`)).toEqual(await ids('/containers?sort=-created_at'));
  });

  test.each(both(Object.keys(SHIP_TOKENS)))('%s orders the shipments', async sort => {
    const sortValue = SHIP_TOKENS[sort.replace('-', '')] as (row: ShipRow) => Value;
    const rows = new Map(account.ships.map(row => [row.id, sortValue(row)]));
    const sorted = await ids(`/shipments?sort=${sort}&page[size]=17`);
    expect(
      isInOrder(
        sorted.map(id => rows.get(id) ?? null),
        sort.startsWith('-'),
      ),
    ).toBe(true);
    expect(isInOrder([...rows.values()], sort.startsWith('-'))).toBe(false);
  });

  test.each(['created_at', '-created_at', 'unknown', 'pod_arrival,created_at'])(
    '%s gives the newest shipments first',
    async sort => {
      expect(await ids(`/shipments?sort=${sort}`)).toEqual(account.ships.map(({ id }) => id));
    },
  );

  test('attention_priority puts the containers that need attention first', async () => {
    const sorted = await ids('/containers?sort=attention_priority');
    const wanting = new Set(await ids('/containers?filter[requires_attention]=true'));
    expect(wanting.size).toBeGreaterThan(0);
    expect(new Set(sorted.slice(0, wanting.size))).toEqual(wanting);
    const byDefault = account.boxes.map(({ id }) => id);
    expect(await ids('/containers?sort=-attention_priority')).toEqual(byDefault);
    expect(await ids('/containers?sort=attention_priority,unknown')).toEqual(byDefault);
  });

  test('uses up to three tokens, and skips unknown tokens', async () => {
    const rows = new Map(account.boxes.map(row => [row.id, row]));
    const sorted = await ids('/containers?sort=arrival,unknown,-created_at,pickup_lfd,shipment_number');
    const keys = sorted.map(id => {
      const { ship, box } = rows.get(id) as BoxRow;
      return `${ship.pod_ata_at ?? ship.pod_eta_at ?? '9'} ${9e12 - Date.parse(box.created_at)} ${box.pickup_lfd ?? '9'}`;
    });
    expect(keys).toEqual(keys.toSorted());
    const byDefault = account.boxes.map(({ id }) => id);
    for (const sort of ['unknown', 'pod_ata_at', '', '-last_status_refresh_at', 'filter']) {
      expect(await ids(`/containers?sort=${sort}`)).toEqual(byDefault);
    }
    expect((await ids('/containers?sort=last_status_refresh_at')).at(-1)).toBe(byDefault[0]);
  });
});

describe('bad input', () => {
  const REFUSED = [
    'filter[has_holds]=yes',
    'filter[has_holds][]=true',
    'filter[has_fees]=',
    'filter[eta_changed_in_last_24h]=1',
    'filter[number]=a/b',
    'filter[number]=~SVQU2004170',
    'filter[number]==a,b',
    'filter[number][gte]=1',
    'filter[pickup_lfd]=tomorrow',
    'filter[pickup_lfd]=2026-02-30',
    'filter[pickup_lfd]=2026-3-1',
    'filter[pickup_lfd]=2026-03-01T00:00:00Z',
    'filter[pickup_lfd]=%3E%3D2026-03-01,2026-03-02',
    'filter[pickup_lfd]=~2026-03-01',
    'filter[pickup_lfd]=%3C%3E2026-03-01',
    'filter[search_by_number][]=a',
    'filter[search_by_number]=~',
    'filter[search_by_owner_id][]=a',
    'filter[last_free_day_on]=2026-03-01',
    'filter[last_free_day_on][]=2026-03-01',
    'filter[last_free_day_on][]=2026-03-01&filter[last_free_day_on][]=%3E2026-03-02',
    'filter[tags_and]=maybe',
    'filter[parties]=a',
    'filter[custom_fields]=a',
    'filter[custom_fields][fragile]=1',
    'filter[custom_fields][pallets]=%3E1',
    'filter[custom_fields][promised]=soon',
  ];

  test.each(REFUSED)('in the query %s of containers causes a 400 with the name of the parameter', async query => {
    for (const path of [`/containers?${query}`, `/containers/summary?group_by=current_status&${query}`]) {
      const { status, body } = await ask(path);
      expect(status).toBe(400);
      expect(query.replace('[]', '')).toContain(body.errors[0].source.parameter.replace('[]', ''));
    }
  });

  test.each([
    'filter[actively_tracked]=yes',
    'filter[created_at]=2026-03-01',
    'filter[created_at]=%3Etoday',
    'filter[pod_ata_at]=2026-03-01T00:00:00Z',
    'filter[voyage_status]=sunk',
    'filter[pod_eta_changed_at]=%3C2026-03-01T00:00:00Z',
    'filter[pod_eta_changed_at]=2026-03-01',
    'filter[pod_eta_changed_at]=@exists',
    'filter[pod_eta_changed_at][]=%3E2026-03-02T00:00:00Z&filter[pod_eta_changed_at][]=%3C2026-03-01T00:00:00Z',
    'filter[party_id][operator]=none&filter[party_id][value]=a',
    'filter[party_id][operator]=all',
    'q=',
    'q=%20',
    'filter[q]=',
  ])('in the query %s of shipments causes a 400', async query => {
    expect((await ask(`/shipments?${query}`)).status).toBe(400);
  });

  test.each(['pod_eta_at', 'pod_ata_at'])('in filter[%s] of containers causes a 500, like valid input', async key => {
    expect((await ask(`/containers?filter[${key}]=2026-03-01`)).status).toBe(500);
  });

  test.each([
    'filter[status]=available',
    'filter[pod_locode]=USLAX',
    'filter[custom_fields.pallets]=12',
    'filter[custom_fields][unknown]=12',
    'filter[parties][owner]=a',
    'filter[tag]=urgent',
    'filter[tags_and]=true',
    'filter=1',
    'pickup_lfd=today',
    'flag[parties]=true',
  ])('is ignored in the query %s of containers', async query => {
    expect((await ask(`/containers?${query}`)).body.meta.total).toBe(account.boxes.length);
  });

  test.each(['filter[updated_at]=%3E2026-03-01', 'filter[line_scac]=MAEU', 'filter[tags_and]=true', 'owner_id=a'])(
    'is ignored in the query %s of shipments',
    async query => {
      expect((await ask(`/shipments?${query}`)).body.meta.total).toBe(account.ships.length);
    },
  );

  test('selects nothing if there is no value between its bounds', async () => {
    for (const query of [
      'filter[pickup_lfd][]=@not_exists&filter[pickup_lfd][]=%3C2030-01-01',
      'filter[pickup_lfd][]=%3E2026-03-05&filter[pickup_lfd][]=%3C2026-03-04',
    ]) {
      expect(await ids(`/containers?${query}`)).toEqual([]);
    }
    expect(await ids('/shipments?filter[actively_tracked]=true&filter[tracking_stopped]=true')).toEqual([]);
  });
});

const BOX_QUERIES = [
  'filter[has_holds]=true',
  'filter[has_fees_or_holds]=false',
  'filter[actively_tracked]=true',
  'filter[current_status]=on_ship,available',
  'filter[pod_code]=USLAX,USLGB',
  'filter[pickup_lfd]=@exists',
  'filter[arrival][]=%3E%3D20.days.ago&filter[arrival][]=%3C%3D20.days.from_now',
  'filter[tags]=garden,urgent',
  'filter[customer_id]=@exists',
  'filter[custom_fields][pallets]=@not_exists',
  'filter[parties][shipper]=@not_exists',
];

test('two filters together select the records that are selected by each of the two filters alone, in the order of sort, for every page size', async () => {
  const alone = new Map<string, Set<string>>();
  for (const query of BOX_QUERIES) alone.set(query, new Set(await ids(`/containers?${query}`)));
  const [query, sort, size] = [
    fc.constantFrom(...BOX_QUERIES),
    fc.constantFrom('created_at', '-created_at', 'pickup_lfd,-created_at', 'shipment_number,created_at'),
    fc.integer({ min: 1, max: 60 }),
  ];
  const all = new Map<string, string[]>();
  await fc.assert(
    fc.asyncProperty(query, query, sort, size, async (one, other, order, pageSize) => {
      const inAll = all.get(order) ?? (await ids(`/containers?sort=${order}`));
      all.set(order, inAll);
      const expected = inAll.filter(id => alone.get(one)?.has(id) && alone.get(other)?.has(id));
      const path = `/containers?${one === other ? one : `${one}&${other}`}&sort=${order}`;
      expect(await ids(`${path}&page[size]=${pageSize}`)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('links keep every filter and the sort order, and total counts the selected records', async () => {
  const query =
    'filter[pickup_lfd][]=%3E%3D2020-01-01&filter[pickup_lfd][]=%3C2030-01-01&sort=-pickup_lfd&page[size]=3';
  const { body } = await ask(`/containers?${query}`);
  const next = new URL(body.links.next).searchParams;
  expect(next.getAll('filter[pickup_lfd][]')).toEqual(['>=2020-01-01', '<2030-01-01']);
  expect(next.get('sort')).toBe('-pickup_lfd');
  expect(body.meta.total).toBe(account.boxes.filter(({ box }) => box.pickup_lfd !== null).length);
  expect(body.data).toHaveLength(3);
});

test('a page of containers has at most 50 records, and a page of shipments has at most 100 records', async () => {
  expect((await ask('/containers?page[size]=100')).body.data).toHaveLength(50);
  const { server } = await openListsAccount({ shipments: 110 });
  expect((await fetchJson(server, '/shipments?page[size]=500')).body.data).toHaveLength(100);
  await server.close();
});

test.each(BOX_QUERIES)('containers/summary counts the containers that %s selects', async query => {
  const selected = new Set(await ids(`/containers?${query}`));
  const counts = new Map<string, number>();
  for (const { box } of account.boxes.filter(({ id }) => selected.has(id))) {
    counts.set(box.current_status, (counts.get(box.current_status) ?? 0) + 1);
  }
  const { body } = await ask(`/containers/summary?group_by=current_status&${query}`);
  expect(body.meta.total).toBe(selected.size);
  expect(new Map(body.data.map(({ key, count }: { key: string; count: number }) => [key, count]))).toEqual(counts);
});

describe('filters and sort orders for the time of a change', () => {
  /** Times at which the service requested data. They change regularly, even if the container does not change. */
  const POLLS = [
    'terminal_checked_at',
    'pod_last_tracking_request_at',
    'shipment_last_tracking_request_at',
    'rail_last_tracking_request_at',
  ];

  async function snapshot({ server }: ListsAccount) {
    const { data, included } = await readAll(server, '/containers?include=shipment,transport_events&page[size]=50');
    const records = new Map(included.map(record => [record.id, record]));
    const isOfVessel = (id: string) => /estimated\.vessel/.test(records.get(id)?.attributes.event);
    return new Map(
      data.map(({ id, attributes, relationships }) => {
        const events = relationships.transport_events.data.map((event: { id: string }) => event.id);
        const own = Object.entries(attributes).filter(([name]) => !POLLS.includes(name));
        const ship = records.get(relationships.shipment.data.id)?.attributes;
        const state = JSON.stringify([own, events.filter((event: string) => !isOfVessel(event)).toSorted()]);
        return [String(id), { state, eta: ship?.pod_eta_at, inland: ship?.destination_eta_at, ata: ship?.pod_ata_at }];
      }),
    );
  }

  test('filter[updated_at] and sort=-updated_at find exactly the containers that were changed or refreshed', async () => {
    const own = await openListsAccount({ now: '2026-03-08T18:59:59Z' });
    const { sandbox, server } = own;
    // Moves the clock to the end of the day in UTC.
    sandbox.advance({ ms: Date.parse(`${own.today}T23:59:59Z`) - sandbox.now().getTime() });
    for (let days = 0; days < 6; days++) {
      const before = await snapshot(own);
      sandbox.advance({ days: 1 });
      const after = await snapshot(own);
      const [refreshed = ''] = [...after.keys()].filter(id => after.get(id)?.state === before.get(id)?.state);
      sandbox.refreshContainers([refreshed]);
      const changed = [...after].filter(([id, { state }]) => state !== before.get(id)?.state).map(([id]) => id);
      const expected = [...changed, refreshed].toSorted();
      expect((await idsOf(server, '/containers?filter[updated_at]=today')).toSorted()).toEqual(expected);
      expect(await idsOf(server, '/containers?filter[updated_at]=%3E%3D2.days.from_now')).toEqual([]);
      const sorted = await idsOf(server, '/containers?sort=-updated_at');
      expect(sorted[0]).toBe(refreshed);
      expect(sorted.slice(0, expected.length).toSorted()).toEqual(expected);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.length).toBeLessThan(after.size / 2);
    }
    await server.close();
  });

  test.each([
    ['eta_changed_in_last_24h', 1],
    ['eta_changed_in_past_3_days', 3],
  ])(
    '%s selects containers whose estimate has changed in this period, even if the value of the filter is false',
    async (key, days) => {
      const own = await openListsAccount({ shipments: 100 });
      own.sandbox.advance({ days: 4 });
      const before = await snapshot(own);
      own.sandbox.advance({ days });
      const after = await snapshot(own);
      const selected = await idsOf(own.server, `/containers?filter[${key}]=true`);
      expect(await idsOf(own.server, `/containers?filter[${key}]=false`)).toEqual(selected);
      const moved = [...after].flatMap(([id, { eta, inland, ata }]) => {
        const old = before.get(id);
        // The service does not send an estimate after the vessel has arrived.
        const isOpen = old && !ata && old.eta !== null;
        return isOpen && (old.eta !== eta || (old.inland !== null && old.inland !== inland)) ? [id] : [];
      });
      expect(moved.length).toBeGreaterThan(0);
      expect(selected).toEqual(expect.arrayContaining(moved));
      const still = [...after].flatMap(([id, { eta, inland }]) => {
        const old = before.get(id);
        return old?.eta && old.eta === eta && old.inland === inland ? [id] : [];
      });
      expect(still.length).toBeGreaterThan(0);
      expect(selected.filter(id => still.includes(id))).toEqual([]);
      await own.server.close();
    },
  );
});

describe('an older account', () => {
  test('ignores sort, and all filters except four', async () => {
    const older = await openListsAccount({ lists: 'older' });
    const { server, boxes, ships, sandbox } = older;
    const [box, ship] = [boxes[3]?.box.number, ships[3]?.ship.bill_of_lading_number];
    const total = async (path: string) => (await fetchJson(server, path)).body.meta.total;
    const ignored = ['filter[has_holds]=true', 'filter[updated_at]=%3E2099-01-01', 'filter[pod_eta_at]=1'];
    for (const query of [...ignored, 'filter[actively_tracked]=no']) {
      expect(await total(`/containers?${query}`)).toBe(boxes.length);
    }
    for (const query of ['filter[number]=a', 'filter[q]=a', 'tracking_stopped=true', 'filter[pod_code]=USLAX', 'q=']) {
      expect(await total(`/shipments?${query}`)).toBe(ships.length);
    }
    expect(await total(`/containers?filter[number]=${box}`)).toBe(1);
    expect(await total(`/shipments?number=${ship}`)).toBe(1);
    expect(await total('/shipments?q=blue')).toBe(3);
    const stopped = ships.filter(row => row.ship.line_tracking_stopped_at !== null).length;
    expect(await total('/shipments?filter[tracking_stopped]=true')).toBe(stopped);
    expect(stopped).toBeGreaterThan(0);
    const byDefault = await idsOf(server, '/containers');
    expect(await idsOf(server, '/containers?sort=created_at')).toEqual(byDefault);
    expect(await idsOf(server, '/shipments?sort=pod_arrival')).toEqual(ships.map(({ id }) => id));

    // An older account can be changed to a current account, with sort and filters, at any time.
    sandbox.account().lists = 'current';
    expect(await idsOf(server, '/containers?sort=created_at')).not.toEqual(byDefault);
    expect(() => {
      sandbox.account().lists = 'new' as 'older';
    }).toThrow('current, older');
    await server.close();
  });

  test('stays an older account after saving, and can be one of several accounts', () => {
    const sandbox = createSandbox({ accounts: { old: { lists: 'older' }, young: {} } });
    const lists = (one: typeof sandbox) => one.accounts.map(({ name, lists }) => `${name} ${lists}`);
    expect(lists(sandbox)).toEqual(['old older', 'young current']);
    expect(lists(createSandbox({ state: sandbox.save() }))).toEqual(['old older', 'young current']);
    expect(() => createSandbox({ lists: 'new' as 'older' })).toThrow('lists');
    expect(() => createSandbox({ lists: 'older', accounts: { old: {} } })).toThrow('With accounts');
  });
});
