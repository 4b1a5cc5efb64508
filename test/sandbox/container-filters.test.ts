import { beforeAll, describe, expect, test } from 'vitest';
import { type BoxRow, fetchJson, idsOf, type ListsAccount, openListsAccount } from '../../support/lists/account.ts';
import { addDays, common, day } from '../../support/lists/values.ts';

/** Compares the records that each filter selects with a selection that is computed from the list without filters. */

let account: ListsAccount;
beforeAll(async () => {
  account = await openListsAccount();
  return account.server.close;
});

type Case = [query: (account: ListsAccount) => string, isSelected: (row: BoxRow, account: ListsAccount) => boolean];

const e = encodeURIComponent;
const number = ({ boxes }: ListsAccount, index: number) => boxes[index]?.box.number;
const customers = ({ ship, shipmentRoles }: BoxRow, { parties }: ListsAccount): string[] => [
  ...(ship.customer_name === null ? [] : [parties[ship.customer_name] ?? '']),
  ...shipmentRoles.filter(role => role.startsWith('customer ')).map(role => role.slice(9)),
];
const isTracked = ({ ship }: BoxRow) => ship.line_tracking_stopped_at === null;
const pickedUp = ({ box }: BoxRow) => box.pod_full_out_at ?? box.final_destination_full_out_at;

/** Filters by plain text, each with its attribute. */
const TEXTS: Record<string, (row: BoxRow) => string | null> = {
  number: ({ box }) => box.number,
  pol: ({ ship }) => ship.port_of_lading_name,
  pod: ({ ship }) => ship.port_of_discharge_name,
  destination: ({ ship }) => ship.destination_name,
  pol_code: ({ ship }) => ship.port_of_lading_locode,
  pod_code: ({ ship }) => ship.port_of_discharge_locode,
  destination_code: ({ ship }) => ship.destination_locode,
  shipping_line_scac: ({ ship }) => ship.shipping_line_scac,
  vessel_name: ({ ship }) => ship.pod_vessel_name,
  pod_terminal_id: ({ terminal }) => terminal,
  current_status: ({ box }) => box.current_status,
};

/** Filters by a day, each with its attribute. */
const DAYS: Record<string, (row: BoxRow) => string | null> = {
  created_at: ({ box }) => box.created_at,
  empty_out_at: ({ box }) => box.empty_out_at,
  pol_full_in_at: ({ box }) => box.pol_full_in_at,
  pol_vessel_loaded_at: ({ box }) => box.pol_vessel_loaded_at,
  pol_vessel_departed_at: ({ box }) => box.pol_vessel_departed_at,
  pol_etd_at: ({ ship }) => ship.pol_etd_at,
  pol_atd_at: ({ ship }) => ship.pol_atd_at,
  arrival: ({ ship }) => ship.pod_ata_at ?? ship.pod_eta_at,
  pod_arrived_at: ({ box }) => box.pod_arrived_at,
  pod_discharged_at: ({ box }) => box.pod_discharged_at,
  picked_up_at: pickedUp,
  delivered_at: ({ box }) => box.delivered_at,
  empty_returned_at: ({ box }) => box.empty_terminated_at,
  pod_rail_departed_at: ({ box }) => box.pod_rail_departed_at,
  inland_destination_eta_at: ({ box }) => box.ind_eta_at,
  inland_destination_ata_at: ({ box }) => box.ind_ata_at,
  inland_destination_rail_unloaded_at: ({ box }) => box.ind_rail_unloaded_at,
  final_destination_full_out_at: ({ box }) => box.final_destination_full_out_at,
  pickup_lfd: ({ box }) => box.pickup_lfd,
  pickup_lfd_line_on: ({ box }) => box.import_deadlines.pickup_lfd_line,
  pickup_lfd_terminal_on: ({ box }) => box.import_deadlines.pickup_lfd_terminal,
  pickup_lfd_rail_on: ({ box }) => box.import_deadlines.pickup_lfd_rail,
  pickup_lfd_line_effective_on: ({ box }) => box.import_deadlines.pod.line.current,
  pickup_lfd_terminal_effective_on: ({ box }) => box.import_deadlines.pod.facility.current,
};

const CASES: Record<string, Case> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).flatMap(([key, textOf]): [string, Case][] => {
      const some = ({ boxes }: ListsAccount) => common(boxes.map(textOf));
      return [
        [key, [all => `filter[${key}]=${e(some(all))}`, (row, all) => textOf(row) === some(all)]],
        [`${key} with =`, [all => `filter[${key}]=${e(`=${some(all)}`)}`, (row, all) => textOf(row) === some(all)]],
        [
          `${key}, one of two`,
          [
            all => `filter[${key}]=${e(some(all))},${e(textOf(all.boxes[0] as BoxRow) ?? 'none')}`,
            (row, all) =>
              textOf(row) !== null && [some(all), textOf(all.boxes[0] as BoxRow)].includes(textOf(row) as string),
          ],
        ],
        [`${key} present`, [() => `filter[${key}]=@exists`, row => textOf(row) !== null]],
        [`${key} absent`, [() => `filter[${key}]=@not_exists`, row => textOf(row) === null]],
        [
          `${key}, an array of two lists`,
          [
            all => `filter[${key}][]=${e(some(all))},none&filter[${key}][]=${e(some(all))},other`,
            (row, all) => textOf(row) === some(all),
          ],
        ],
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries(DAYS).flatMap(([key, timeOf]): [string, Case][] => {
      const some = ({ boxes }: ListsAccount) => common(boxes.map(row => day(timeOf(row))));
      const has = (row: BoxRow, isDay: (own: string) => boolean) => {
        const own = day(timeOf(row));
        return own !== null && isDay(own);
      };
      return [
        [key, [all => `filter[${key}]=${some(all)}`, (row, all) => has(row, own => own === some(all))]],
        ...(['=', '<', '<=', '>', '>='] as const).map((operator): [string, Case] => [
          `${key} with ${operator}`,
          [
            all => `filter[${key}]=${e(operator + some(all))}`,
            (row, all) =>
              has(row, own => {
                if (own === some(all)) return operator.endsWith('=');
                return operator === '=' ? false : own < some(all) === (operator[0] === '<');
              }),
          ],
        ]),
        [
          `${key} between two days`,
          [
            all => `filter[${key}][]=${e(`>=${some(all)}`)}&filter[${key}][]=${e(`<=${addDays(some(all), 3)}`)}`,
            (row, all) => has(row, own => own >= some(all) && own <= addDays(some(all), 3)),
          ],
        ],
        [
          `${key}, one of two days`,
          [
            all => `filter[${key}]=${some(all)},${addDays(some(all), 1)}`,
            (row, all) => has(row, own => [some(all), addDays(some(all), 1)].includes(own)),
          ],
        ],
        [`${key} before today`, [() => `filter[${key}]=%3Ctoday`, (row, all) => has(row, own => own < all.today)]],
        [
          `${key} in the last 3 days`,
          [
            () => `filter[${key}][]=%3E%3D3.days.ago&filter[${key}][]=%3C1.day.from_now`,
            (row, all) => has(row, own => own >= addDays(all.today, -3) && own < addDays(all.today, 1)),
          ],
        ],
        [`${key} present`, [() => `filter[${key}]=@exists`, row => timeOf(row) !== null]],
        [`${key} absent`, [() => `filter[${key}]=@not_exists`, row => timeOf(row) === null]],
      ];
    }),
  ),
  'two numbers of an array': [
    all => `filter[number][]=${number(all, 0)}&filter[number][]=${number(all, 1)}`,
    () => false,
  ],
  'an unknown status': [() => 'filter[current_status]=on_the_moon', () => false],
  'an id of nobody': [() => 'filter[customer_id]=5f4ce9c8-0000-4000-8000-000000000000', () => false],
  customer_id: [
    ({ parties }) => `filter[customer_id]=${parties['Alder Home Goods']}`,
    (row, all) => customers(row, all).includes(all.parties['Alder Home Goods'] ?? ''),
  ],
  'customer_id, a customer by a role': [
    ({ parties }) => `filter[customer_id]=${parties['Broker One']}`,
    (row, all) => customers(row, all).includes(all.parties['Broker One'] ?? ''),
  ],
  'customer_id, the creator without a customer': [
    ({ accountId }) => `filter[customer_id]=${accountId}`,
    (row, all) => customers(row, all).length === 0,
  ],
  'customer_id absent': [() => 'filter[customer_id]=@not_exists', (row, all) => customers(row, all).length === 0],
  customer_name: [
    () => 'filter[customer_name]=Alder%20Home%20Goods',
    ({ ship }) => ship.customer_name === 'Alder Home Goods',
  ],
  'customer_name in another case': [() => 'filter[customer_name]=alder%20home%20goods', () => false],

  'has_fees true': [() => 'filter[has_fees]=true', ({ box }) => box.fees_at_pod_terminal.length > 0],
  'has_fees false': [() => 'filter[has_fees]=false', ({ box }) => box.fees_at_pod_terminal.length === 0],
  'has_holds true': [() => 'filter[has_holds]=true', ({ box }) => box.holds_at_pod_terminal.length > 0],
  'has_holds false': [() => 'filter[has_holds]=false', ({ box }) => box.holds_at_pod_terminal.length === 0],
  'has_fees_or_holds true': [
    () => 'filter[has_fees_or_holds]=true',
    ({ box }) => box.fees_at_pod_terminal.length + box.holds_at_pod_terminal.length > 0,
  ],
  'has_fees_or_holds false': [
    () => 'filter[has_fees_or_holds]=false',
    ({ box }) => box.fees_at_pod_terminal.length + box.holds_at_pod_terminal.length === 0,
  ],
  'has_demurrage_fees true': [
    () => 'filter[has_demurrage_fees]=true',
    ({ box }) => box.fees_at_pod_terminal.some(({ type }: { type: string }) => type === 'demurrage'),
  ],
  'has_demurrage_fees false': [
    () => 'filter[has_demurrage_fees]=false',
    ({ box }) =>
      box.terminal_checked_at !== null &&
      box.fees_at_pod_terminal.every(({ type }: { type: string }) => type !== 'demurrage'),
  ],
  'requires_attention true': [
    () => 'filter[requires_attention]=true',
    (row, { today }) =>
      row.box.pickup_lfd !== null && !pickedUp(row) && String(day(row.box.pickup_lfd)) <= addDays(today, 2),
  ],
  'actively_tracked true': [() => 'filter[actively_tracked]=true', isTracked],
  'actively_tracked false': [() => 'filter[actively_tracked]=false', row => !isTracked(row)],

  search_by_ids: [
    all => `filter[search_by_ids]=${number(all, 3).slice(0, 8)}`,
    (row, all) => row.box.number.startsWith(number(all, 3).slice(0, 8)),
  ],
  'search_by_ids with ~, a reference': [
    () => 'filter[search_by_ids]=~boxref',
    ({ box }) => box.ref_numbers.some((text: string) => text.startsWith('BOXREF')),
  ],
  search_by_number: [
    all => `filter[search_by_number]=${number(all, 3).slice(0, 4).toLowerCase()}`,
    (row, all) => row.box.number.startsWith(number(all, 3).slice(0, 4)),
  ],
  search_by_shipment_number: [
    all => `filter[search_by_shipment_number]=${all.boxes[3]?.ship.bill_of_lading_number.slice(0, 7)}`,
    (row, all) => row.ship.bill_of_lading_number.startsWith(all.boxes[3]?.ship.bill_of_lading_number.slice(0, 7)),
  ],
  search_by_shipment_ref_numbers: [
    () => 'filter[search_by_shipment_ref_numbers]=blue',
    ({ ship }) => ship.ref_numbers?.includes('PO-7 blue'),
  ],
  search_by_ref_numbers: [
    () => 'filter[search_by_ref_numbers]=~north%20boxref',
    ({ box }) => box.ref_numbers.includes('BOXREF-1 north'),
  ],
  search_by_owner_id: [({ userId }) => `filter[search_by_owner_id]=other,${userId}`, ({ isRequested }) => isRequested],

  last_free_day_on: [
    ({ today }) => `filter[last_free_day_on][]=${addDays(today, -1)}&filter[last_free_day_on][]=${addDays(today, 3)}`,
    (row, { today }) => {
      const own = day(row.box.pickup_lfd);
      const isAtPort = row.ship.destination_locode === null;
      const isReady = ['available', 'not_available', 'off_dock'].includes(row.box.current_status);
      return (
        isTracked(row) && isAtPort && isReady && own !== null && own >= addDays(today, -1) && own <= addDays(today, 3)
      );
    },
  ],
  tags: [
    () => 'filter[tags]=garden,urgent',
    ({ ship }) => ship.tags.some((tag: string) => ['garden', 'urgent'].includes(tag)),
  ],
  'tags, an array': [
    () => 'filter[tags][]=garden&filter[tags][]=urgent',
    ({ ship }) => ship.tags.some((tag: string) => ['garden', 'urgent'].includes(tag)),
  ],
  'tags with tags_and': [
    () => 'filter[tags]=garden,urgent&filter[tags_and]=true',
    ({ ship }) => ['garden', 'urgent'].every(tag => ship.tags.includes(tag)),
  ],
  'parties, a role': [
    ({ parties }) => `filter[parties][shipper]=${parties['Shipper Two']}`,
    ({ shipmentRoles }, { parties }) => shipmentRoles.includes(`shipper ${parties['Shipper Two']}`),
  ],
  'parties, two roles': [
    ({ parties }) => `filter[parties][shipper][]=${parties['Shipper Two']}&filter[parties][customs_broker]=@exists`,
    ({ shipmentRoles }, { parties }) =>
      shipmentRoles.includes(`shipper ${parties['Shipper Two']}`) &&
      shipmentRoles.some(role => role.startsWith('customs_broker ')),
  ],
  'parties, one of two in the role of the customer': [
    ({ parties }) => `filter[parties][customer]=${parties['Broker One']},${parties['Alder Home Goods']}`,
    (row, all) =>
      customers(row, all).some(id => [all.parties['Broker One'], all.parties['Alder Home Goods']].includes(id)),
  ],
  'parties, no shipper': [
    () => 'filter[parties][shipper]=@not_exists',
    ({ shipmentRoles }) => !shipmentRoles.some(role => role.startsWith('shipper ')),
  ],
  'parties, the dray carrier of the container alone': [
    ({ parties }) => `filter[parties][pickup_dray_carrier]=${parties['Dray Three']}`,
    ({ roles }, { parties }) => roles.includes(`pickup_dray_carrier ${parties['Dray Three']}`),
  ],
  'custom_fields, a part of a text': [
    () => 'filter[custom_fields][purchase_order]=PO-9',
    ({ fields }) => String(fields.purchase_order ?? '').includes('PO-9'),
  ],
  'custom_fields, an option': [
    () => 'filter[custom_fields][colour]=green,blue',
    ({ fields }) => ['dark-green', 'blue'].includes(String(fields.colour)),
  ],
  'custom_fields, one of several options': [
    () => 'filter[custom_fields][colours]=blue',
    ({ fields }) => (fields.colours ?? []).flat().includes('blue'),
  ],
  'custom_fields, a boolean': [
    () => 'filter[custom_fields][fragile]=false',
    ({ fields }) => fields.fragile?.[0] === false,
  ],
  'custom_fields, a number': [() => 'filter[custom_fields][pallets]=12', ({ fields }) => fields.pallets?.[0] === 12],
  'custom_fields, a date': [
    () => 'filter[custom_fields][promised]=%3C2026-04-09',
    ({ fields }) => fields.promised?.[0] === '2026-04-01',
  ],
  'custom_fields, a time': [
    () => 'filter[custom_fields][loading]=2026-04-02',
    ({ fields }) => fields.loading?.[0] === '2026-04-01T23:30:00-04:00',
  ],
  'custom_fields present': [() => 'filter[custom_fields][colour]=@exists', ({ fields }) => fields.colour !== undefined],
  'custom_fields absent': [
    () => 'filter[custom_fields][pallets]=@not_exists',
    ({ fields }) => fields.pallets === undefined,
  ],
  'custom_fields, two of them': [
    () => 'filter[custom_fields][colour]=@exists&filter[custom_fields][fragile]=true',
    ({ fields }) => fields.colour !== undefined && fields.fragile?.[0] === true,
  ],
};

/** Cases that are meant to select no record (`NONE`), or all records (`ALL`). */
const NONE = ['two numbers of an array', 'an unknown status', 'an id of nobody', 'customer_name in another case'];
const ALL = Object.keys(TEXTS)
  .filter(key => !key.startsWith('destination'))
  .map(key => `${key} present`);

describe('a filter of containers selects the right records', () => {
  test.each(Object.keys(CASES))('%s', async name => {
    const [query, isSelected] = CASES[name] as Case;
    const expected = account.boxes.filter(row => isSelected(row, account)).map(({ id }) => id);
    const path = `/containers?${query(account)}`;
    expect((await idsOf(account.server, `${path}&page[size]=20`)).toSorted()).toEqual(expected.toSorted());
    expect((await fetchJson(account.server, path)).body.meta.total).toBe(expected.length);
  });
});

test('each filter has a case that selects some containers, but not all', () => {
  const keys = new Set([...Object.keys(TEXTS), ...Object.keys(DAYS)]);
  const telling = Object.keys(CASES).filter(name => {
    const [, isSelected] = CASES[name] as Case;
    const count = account.boxes.filter(row => isSelected(row, account)).length;
    return count > 0 && count < account.boxes.length;
  });
  expect([...keys].filter(key => !telling.some(name => name === key || name.startsWith(`${key} with`)))).toEqual([]);
  const others = Object.keys(CASES).filter(name => ![...keys].some(key => name.startsWith(key)));
  expect(others.filter(name => !telling.includes(name) && !NONE.includes(name) && !ALL.includes(name))).toEqual([]);
});
