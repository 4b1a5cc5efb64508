import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TrackingClient, unknownValue } from '../../src/index.ts';
import { LISTS } from '../../src/model/generated/filter-rules.ts';
import type { ContainerFilter, ContainerSort, ShipmentFilter } from '../../src/model/index.ts';
import { clientFor } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let client: TrackingClient;

beforeAll(async () => {
  server = await startServer({ body: { data: [], meta: { total: 0 } } });
  client = clientFor(server, { retry: false });
});
afterAll(() => server.close());

/** The query in the address of the last request, without the page. */
function sent(): string {
  const [, query = ''] = server.requests.at(-1)?.url.split('?') ?? [];
  return query.replace(/&?page\[number\]=1$/, '');
}

/** The query in the form of the reference, with decoded values. */
const shown = () => decodeURIComponent(sent());

const A = '0c8ebd9c-6f2b-4a8e-9a8b-2f5f8f3f1a01';
const B = '0c8ebd9c-6f2b-4a8e-9a8b-2f5f8f3f1a02';

const SHIPMENTS: [ShipmentFilter, string][] = [
  [{ q: 'MEDU PO-90001' }, 'filter[q]=MEDU PO-90001'],
  [{ number: 'MEDUSMP447102' }, 'filter[number]=MEDUSMP447102'],
  [{ number: ['MEDUSMP447102', 'A,B/C'] }, 'filter[number][]=MEDUSMP447102&filter[number][]=A,B/C'],
  [{ created_at: '2026-11-20T00:00:00Z' }, 'filter[created_at]=2026-11-20T00:00:00Z'],
  [{ created_at: { gte: new Date('2026-11-20') } }, 'filter[created_at]=>=2026-11-20T00:00:00.000Z'],
  [
    { created_at: { gt: '2026-11-20T00:00:00Z', lte: '2026-11-21T00:00:00+02:00' } },
    'filter[created_at][]=>2026-11-20T00:00:00Z&filter[created_at][]=<=2026-11-21T00:00:00+02:00',
  ],
  [{ created_at: { exists: true } }, 'filter[created_at]=@exists'],
  [{ actively_tracked: true }, 'filter[actively_tracked]=true'],
  [{ actively_tracked: false }, 'filter[actively_tracked]=false'],
  [{ tracking_stopped: false }, 'filter[tracking_stopped]=false'],
  [{ voyage_status: 'on_ship' }, 'filter[voyage_status]=on_ship'],
  [{ voyage_status: unknownValue('moored') }, 'filter[voyage_status]=moored'],
  [{ arriving_today: true }, 'filter[arriving_today]=true'],
  [{ pod_ata_at: '2026-11-20' }, 'filter[pod_ata_at]=2026-11-20'],
  [{ pod_ata_at: { exists: false } }, 'filter[pod_ata_at]=@not_exists'],
  [
    { pod_code: ['USOAK', 'USSEA'], pod_arrival: { gte: 'today', lte: '7.days.from_now' } },
    'filter[pod_code]=USOAK,USSEA&filter[pod_arrival][]=>=today&filter[pod_arrival][]=<=7.days.from_now',
  ],
  [{ pod_eta_changed_at: { gte: '2026-11-20T00:00:00Z' } }, 'filter[pod_eta_changed_at]=>=2026-11-20T00:00:00Z'],
  [
    { pod_eta_changed_at: { gt: '2026-11-20T00:00:00Z', lt: '2026-11-21T00:00:00Z' } },
    'filter[pod_eta_changed_at][]=>2026-11-20T00:00:00Z&filter[pod_eta_changed_at][]=<2026-11-21T00:00:00Z',
  ],
  [{ pod_terminal_id: [A, B] }, `filter[pod_terminal_id]=${A},${B}`],
  [{ pol_code: 'CNSHA' }, 'filter[pol_code]=CNSHA'],
  [{ owner_id: [A, B] }, `filter[owner_id]=${A},${B}`],
  [{ creator_id: A }, `filter[creator_id]=${A}`],
  [{ customer_id: { exists: false } }, 'filter[customer_id]=@not_exists'],
  [{ product: 'garden chairs' }, 'filter[product]=garden chairs'],
  [{ party_id: A }, `filter[party_id]=${A}`],
  [{ party_id: [A, B] }, `filter[party_id]=${A},${B}`],
  [
    { party_id: { all: [A, B] } },
    `filter[party_id][operator]=all&filter[party_id][value][]=${A}&filter[party_id][value][]=${B}`,
  ],
  [{ tags: ['priority', 'reefer'], tags_and: true }, 'filter[tags]=priority,reefer&filter[tags_and]=true'],
  [{ tag: 'priority' }, 'filter[tag]=priority'],
];

/** A day filter in each of its forms. */
const DAYS: [unknown, (key: string) => string][] = [
  ['2026-11-23', key => `filter[${key}]=2026-11-23`],
  ['today', key => `filter[${key}]=today`],
  ['1.day.ago', key => `filter[${key}]=1.day.ago`],
  [['2026-11-23', '3.days.ago'], key => `filter[${key}]=2026-11-23,3.days.ago`],
  [{ gte: '1.days.ago' }, key => `filter[${key}]=>=1.days.ago`],
  [{ lt: 'today' }, key => `filter[${key}]=<today`],
  [{ lte: '2026-11-29', gte: '2026-11-23' }, key => `filter[${key}][]=>=2026-11-23&filter[${key}][]=<=2026-11-29`],
  [{ gte: '2026-11-23', lte: '2026-11-23' }, key => `filter[${key}][]=>=2026-11-23&filter[${key}][]=<=2026-11-23`],
  [
    { gt: '2026-11-20', lt: '7.days.from_now' },
    key => `filter[${key}][]=>2026-11-20&filter[${key}][]=<7.days.from_now`,
  ],
  [{ exists: true }, key => `filter[${key}]=@exists`],
  [{ exists: false }, key => `filter[${key}]=@not_exists`],
];

/** A text filter in each of its forms. */
const TEXTS: [unknown, (key: string) => string][] = [
  ['Port of Oakland & Co.', key => `filter[${key}]=Port of Oakland & Co.`],
  [['SVQU2004170', 'SVQU2004186'], key => `filter[${key}]=SVQU2004170,SVQU2004186`],
  [['Łódź', { exists: false }], key => `filter[${key}]=Łódź,@not_exists`],
  [{ exists: true }, key => `filter[${key}]=@exists`],
];

const CONTAINERS: [ContainerFilter, string][] = [
  [{ current_status: ['available', 'grounded'] }, 'filter[current_status]=available,grounded'],
  [{ current_status: [unknownValue('at_customs'), 'new'] }, 'filter[current_status]=at_customs,new'],
  [
    { last_free_day_on: { gte: '2026-11-23', lte: '2026-11-29' } },
    'filter[last_free_day_on][]=2026-11-23&filter[last_free_day_on][]=2026-11-29',
  ],
  [
    { parties: { shipper: A, customs_broker: { exists: true } } },
    `filter[parties][shipper]=${A}&filter[parties][customs_broker]=@exists`,
  ],
  [{ parties: { consignee: [A, B] } }, `filter[parties][consignee]=${A},${B}`],
  [{ custom_fields: { purchase_order: 'PO-90001/7' } }, 'filter[custom_fields][purchase_order]=PO-90001/7'],
  [{ custom_fields: { color: ['red', 'blue'] } }, 'filter[custom_fields][color]=red,blue'],
  [
    { custom_fields: { weight: 12.5, insured: false, due: { gte: '2026-11-23' }, note: { exists: true } } },
    'filter[custom_fields][weight]=12.5&filter[custom_fields][insured]=false&filter[custom_fields][due]=>=2026-11-23&filter[custom_fields][note]=@exists',
  ],
  [{ search_by_owner_id: [A, B] }, `filter[search_by_owner_id]=${A},${B}`],
  [{ tags: ['priority', 'reefer'], tags_and: false }, 'filter[tags]=priority,reefer&filter[tags_and]=false'],
  [
    { pod_code: 'USLAX', has_holds: true, pickup_lfd: { gte: '2026-11-23', lte: '2026-11-29' } },
    'filter[pod_code]=USLAX&filter[has_holds]=true&filter[pickup_lfd][]=>=2026-11-23&filter[pickup_lfd][]=<=2026-11-29',
  ],
];

describe('a filter is sent in the documented form', () => {
  test.each(SHIPMENTS)('for shipments: %j', async (filter, query) => {
    await client.shipments.list({ filter });
    expect(shown()).toBe(query);
  });

  test.each(CONTAINERS)('for containers: %j', async (filter, query) => {
    await client.containers.list({ filter, sort: null });
    expect(shown()).toBe(query);
    await client.containers.summary({ filter, group_by: 'current_status' });
    expect(shown()).toBe(`group_by=current_status&${query}`);
  });

  const kindOf = (rule: unknown) => (typeof rule === 'string' ? rule : (rule as string[])[0]);
  const keys = Object.entries(LISTS['containers.list']?.filter?.keys ?? {}).map(([key, rule]) => [kindOf(rule), key]);
  const of = (kind: string) => keys.filter(([found]) => found === kind).map(([, key]) => key as string);

  test.each(of('day'))('for containers by a day: %s', async key => {
    for (const [value, query] of DAYS) {
      await client.containers.list({ filter: { [key]: value } as ContainerFilter, sort: null });
      expect(shown()).toBe(query(key));
    }
  });

  test.each(of('text').filter(key => key !== 'current_status'))('for containers by a text: %s', async key => {
    for (const [value, query] of TEXTS) {
      await client.containers.list({ filter: { [key]: value } as ContainerFilter, sort: null });
      expect(shown()).toBe(query(key));
    }
  });

  test.each(of('flag').filter(key => key !== 'tags_and'))('for containers by true or false: %s', async key => {
    for (const value of [true, false]) {
      await client.containers.list({ filter: { [key]: value } as ContainerFilter, sort: null });
      expect(shown()).toBe(`filter[${key}]=${value}`);
    }
  });

  test.each(of('only_true'))('for containers by a flag that may only be true: %s', async key => {
    await client.containers.list({ filter: { [key]: true } as ContainerFilter, sort: null });
    expect(shown()).toBe(`filter[${key}]=true`);
  });

  test.each(of('search'))('for containers by a search: %s', async key => {
    await client.containers.list({ filter: { [key]: '~SVQU 20' } as ContainerFilter, sort: null });
    expect(shown()).toBe(`filter[${key}]=~SVQU 20`);
  });

  test('for the other lists', async () => {
    await client.trackingRequests.list({ filter: { status: unknownValue('parked'), scac: 'MAEU' } });
    expect(shown()).toBe('filter[status]=parked&filter[scac]=MAEU');
    await client.documents.list({ filter: { document_types: ['arrival_notice', 'commercial_invoice'] } });
    expect(shown()).toBe('filter[document_types]=arrival_notice,commercial_invoice');
    await client.customFieldDefinitions.list({ filter: { entity_type: 'Shipment', data_type: 'enum' } });
    expect(shown()).toBe('filter[entity_type]=Shipment&filter[data_type]=enum');
    await client.customFields.list({ filter: { definition_id: '7' } });
    expect(shown()).toBe('filter[definition_id]=7');
  });

  test('with plain brackets and commas, and encoded values', async () => {
    await client.containers.list({ filter: { pickup_lfd: { gte: '2026-11-23', lt: 'today' } }, sort: null });
    expect(sent()).toBe('filter[pickup_lfd][]=%3E%3D2026-11-23&filter[pickup_lfd][]=%3Ctoday');
    await client.containers.list({ filter: { number: ['A&B', { exists: false }] }, sort: null });
    expect(sent()).toBe('filter[number]=A%26B,%40not_exists');
  });

  test('with the values that it had at the call', async () => {
    const filter: ContainerFilter = { pod_code: ['USLAX'] };
    const list = client.containers.list({ filter, sort: null });
    filter.pod_code = 'USSEA';
    await list;
    expect(shown()).toBe('filter[pod_code]=USLAX');
  });

  test('only if it has keys', async () => {
    await client.containers.list({ filter: { pod_code: undefined, parties: {} }, sort: null });
    expect(sent()).toBe('');
  });
});

describe('a sort order is sent unchanged', () => {
  const { tokens = [], alone = [] } = LISTS['containers.list']?.sort ?? {};

  test.each([...tokens.flatMap(token => [token, `-${token}`]), ...alone])('for containers: %s', async token => {
    await client.containers.list({ sort: token as ContainerSort });
    expect(sent()).toBe(`sort=${token}`);
    await client.containers.list({ sort: [token] as unknown as ContainerSort });
    expect(sent()).toBe(`sort=${token}`);
  });

  test('for containers by 33 columns in either direction, and by one column without a direction', () => {
    expect([tokens.length, alone]).toEqual([33, ['attention_priority']]);
  });

  test('by up to three columns', async () => {
    await client.containers.list({ sort: ['pickup_lfd', '-created_at', 'arrival'] });
    expect(sent()).toBe('sort=pickup_lfd,-created_at,arrival');
  });

  test.each(['-created_at', 'pod_arrival', '-pod_arrival', 'tracking_stopped_at', '-tracking_stopped_at'] as const)(
    'for shipments: %s',
    async token => {
      await client.shipments.list({ sort: token });
      expect(sent()).toBe(`sort=${token}`);
    },
  );

  test.each(['document_type', '-document_type', 'added_by', '-added_by', 'created_at', '-created_at'] as const)(
    'for documents: %s',
    async token => {
      await client.documents.list({ sort: [token] });
      expect(sent()).toBe(`sort=${token}`);
    },
  );
});

describe('the option `query`', () => {
  test('is sent unchanged, for each page, and is part of the checkpoint', async () => {
    const paged = await startServer(({ url }, response) => {
      const page = new URL(url, 'http://host.example').searchParams.get('page[number]');
      const data = Number(page) > 2 ? [] : [{ id: page, type: 'container', attributes: {} }];
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, meta: { total: 2 } }));
    });
    const lists = clientFor(paged, { retry: false, validation: 'off' });
    const options = {
      query: { 'filter[new]': '>=a b', 'filter[many][]': ['x', 'y'], flag: { fresh: true } },
      pageSize: 1,
    };
    const page = await lists.containers.list({ ...options, sort: null });
    const query = 'filter[new]=%3E%3Da%20b&filter[many][]=x&filter[many][]=y&flag[fresh]=true';
    expect(page.checkpoint.list).toBe(`/containers?${query}`);
    await lists.containers.list({ ...options, sort: null, from: page.checkpoint }).toArray();
    expect(paged.requests.map(({ url }) => url.includes(`?${query}&page`))).not.toContain(false);
    await paged.close();
  });

  test('can be combined with filters and a sort order', async () => {
    await client.shipments.list({ query: { 'filter[new]': 1 }, sort: '-created_at', filter: { pod_code: 'USLAX' } });
    expect(sent()).toBe('filter[pod_code]=USLAX&sort=-created_at&filter[new]=1');
  });

  test('of a list of parties may also be the text that the list searches for', async () => {
    await client.parties.list({ query: 'Ac & Co' });
    expect(sent()).toBe('query=Ac%20%26%20Co');
    await client.parties.list({ query: { query: 'Ac', sort: 'name' } });
    expect(sent()).toBe('query=Ac&sort=name');
  });
});
