import { expectTypeOf, test } from 'vitest';
import {
  type Container,
  type ContainerFilter,
  type ContainerSort,
  type ShipmentSort,
  type TrackingClient,
  type UnknownValue,
  unknownValue,
} from '../../src/index.ts';

declare const client: TrackingClient;
declare const container: Container;
declare const day: string;
declare const lastDay: string | undefined;
declare const date: Date;
declare const ids: readonly string[];

test('ten programs with filters compile', () => {
  client.containers.list({ filter: { pickup_lfd: { lte: '2026-10-01' }, has_holds: true }, sort: ['-created_at'] });
  client.containers.list({ filter: { current_status: ['available', 'grounded', { exists: false }] } });
  client.containers.list({ filter: { current_status: [unknownValue('at_customs'), 'new'] } });
  client.containers.list({ filter: { pickup_lfd: { gte: day, lte: lastDay }, arrival: [day, 'today'] } });
  client.containers.list({ filter: { pickup_lfd: container.pickup_lfd ?? 'today', pod_terminal_id: ids } });
  client.containers.list({ filter: { parties: { shipper: ids, customs_broker: { exists: true } } }, sort: null });
  client.containers.list({ filter: { custom_fields: { color: ['red'], weight: 5, insured: true, due: { lt: day } } } });
  client.shipments.list({ filter: { created_at: { gt: date, lt: day }, pod_eta_changed_at: { gte: date } } });
  client.shipments.list({
    filter: { party_id: { all: ids }, tags: 'priority', arriving_today: true },
    sort: 'pod_arrival',
  });
  client.documents.list({ query: { 'filter[new]': ['a', 'b'], flag: { fresh: true } }, sort: ['-created_at'] });
});

test('a variable with a filter type can be filled step by step', () => {
  const filter: ContainerFilter = { pod_code: 'USLAX' };
  filter.has_holds = lastDay === undefined;
  filter.created_at = lastDay ? { gte: lastDay } : undefined;
  client.containers.summary({ filter, group_by: 'pod_terminal' });
  expectTypeOf(unknownValue('x')).toEqualTypeOf<UnknownValue>();
  expectTypeOf<ContainerSort>().extract<readonly unknown[]>().not.toEqualTypeOf<never>();
  expectTypeOf<'created_at'>().not.toExtend<ShipmentSort>();
});

test('programs with wrong filters do not compile', () => {
  // @ts-expect-error: a key that containers do not have
  client.containers.list({ filter: { status: 'new' } });
  // @ts-expect-error: the service fails with it
  client.containers.list({ filter: { pod_eta_at: 'today' } });
  // @ts-expect-error: a filter of shipments
  client.containers.list({ filter: { voyage_status: 'arrived' } });
  // @ts-expect-error: a misspelt status
  client.containers.list({ filter: { current_status: 'availble' } });
  // @ts-expect-error: any text may be a misspelt status
  client.containers.list({ filter: { current_status: day } });
  // @ts-expect-error: a Date is not a day
  client.containers.list({ filter: { pickup_lfd: date } });
  // @ts-expect-error: a bound is not a Date
  client.containers.list({ filter: { pickup_lfd: { gte: date } } });
  // @ts-expect-error: a range without a bound
  client.containers.list({ filter: { pickup_lfd: {} } });
  // @ts-expect-error: both bounds may be missing
  client.containers.list({ filter: { pickup_lfd: { gte: lastDay } } });
  // @ts-expect-error: no such bound
  client.containers.list({ filter: { pickup_lfd: { start: day } } });
  // @ts-expect-error: a text is not a flag
  client.containers.list({ filter: { has_holds: 'true' } });
  // @ts-expect-error: the service treats false as true
  client.containers.list({ filter: { eta_changed_in_last_24h: false } });
  // @ts-expect-error: records without a value are { exists: false }
  client.containers.list({ filter: { customer_name: null } });
  // @ts-expect-error: both days of the range are required
  client.containers.list({ filter: { last_free_day_on: { gte: day } } });
  // @ts-expect-error: not a role
  client.containers.list({ filter: { parties: { carrier: 'id' } } });
  // @ts-expect-error: a custom field takes one bound
  client.containers.list({ filter: { custom_fields: { due: [date] } } });
  // @ts-expect-error: a search takes one text
  client.containers.list({ filter: { search_by_ids: ['a'] } });
  // @ts-expect-error: the lower bound is missing
  client.shipments.list({ filter: { pod_eta_changed_at: { lte: date } } });
  // @ts-expect-error: a list of several times is not possible
  client.shipments.list({ filter: { created_at: [date] } });
  // @ts-expect-error: one party, several, or all of several
  client.shipments.list({ filter: { party_id: { any: ids } } });
  // @ts-expect-error: a span has start and end
  client.trackingRequests.list({ filter: { created_at: { gte: date } } });
  // @ts-expect-error: a misspelt order
  client.containers.list({ sort: 'createdAt' });
  // @ts-expect-error: more than three columns
  client.containers.list({ sort: ['arrival', 'created_at', 'delivered_at', 'updated_at'] });
  // @ts-expect-error: attention_priority must be the only sort order
  client.containers.list({ sort: ['attention_priority', 'arrival'] });
  // @ts-expect-error: the service would still return the newest first
  client.shipments.list({ sort: 'created_at' });
  // @ts-expect-error: shipments can be sorted by only one column
  client.shipments.list({ sort: ['-created_at', 'pod_arrival'] });
  // @ts-expect-error: this list cannot be sorted
  client.trackingRequests.list({ sort: 'created_at' });
  // @ts-expect-error: this list has no filter
  client.webhooks.list({ filter: { active: true } });
});
