import { type Kysely, sql } from 'kysely';
import type { SqliteDatabase } from '../../src/sync/kysely.ts';

/** The value true, in SQL that both databases can read. */
const YES = sql<1>`true`;

/** Questions of docs/guides/sql.md for Kysely, by the beginning of their headings. */
export const KYSELY: Record<string, (db: Kysely<SqliteDatabase>) => Promise<object[]>> = {
  'Which containers can be collected': db =>
    db
      .selectFrom('pickups')
      .select(['number', 'terminal', 'last_free_day', 'shipping_line_name'])
      .where('ready_for_pickup', '=', YES)
      .orderBy('last_free_day', order => order.asc().nullsLast())
      .orderBy('number')
      .execute(),
  'Which containers have their last free day': db =>
    db
      .selectFrom('pickups')
      .select(['number', 'terminal', 'last_free_day', 'ready_for_pickup'])
      .where('last_free_day', '>=', '2026-03-12')
      .where('last_free_day', '<=', '2026-03-19')
      .orderBy('last_free_day')
      .orderBy('number')
      .execute(),
  'How many containers are past': db =>
    db
      .selectFrom('pickups')
      .select(({ fn }) => ['terminal', fn.countAll().as('containers'), fn.min('last_free_day').as('earliest')])
      .where('last_free_day', '<', '2026-03-12')
      .groupBy('terminal')
      .orderBy('containers', 'desc')
      .orderBy('terminal')
      .execute(),
  'Which containers does somebody hold': db =>
    db
      .selectFrom('holds_over_time')
      .select(['number', 'terminal', 'hold', 'valid_from'])
      .where('status', '=', 'hold')
      .where('valid_until', 'is', null)
      .orderBy('valid_from')
      .orderBy('number')
      .orderBy('hold')
      .execute(),
  'Which containers stand at the terminal': db =>
    db
      .selectFrom('pickups')
      .select(['number', 'terminal', 'discharged_at', 'pickup'])
      .where('discharged_at', 'is not', null)
      .orderBy('discharged_at')
      .orderBy('number')
      .limit(10)
      .execute(),
  'Which shipments arrive later': db =>
    db
      .selectFrom('delays')
      .select(['bill_of_lading_number', 'shipping_line_name', 'original_arrival_at', 'arrival_at', 'arrival_days_late'])
      .where('arrival_days_late', '>=', 1)
      .orderBy('arrival_days_late', 'desc')
      .orderBy('bill_of_lading_number')
      .execute(),
  'Which containers were collected': db =>
    db
      .selectFrom('containers as c')
      .leftJoin('shipments as s', 's.id', 'c.shipment_id')
      .select(['c.number', 's.shipping_line_name'])
      .select(({ fn }) => fn.coalesce('c.final_destination_full_out_at', 'c.pod_full_out_at').as('collected_at'))
      .where('c.stage', 'in', ['picked_up', 'delivered'])
      .where('c.deleted_at', 'is', null)
      .orderBy('collected_at', order => order.asc().nullsLast())
      .orderBy('c.number')
      .execute(),
  'Which estimates of arrival moved': db =>
    db
      .selectFrom('eta_slips')
      .select(({ fn }) => [
        'shipping_line_name',
        'terminal',
        fn.countAll().as('moves'),
        fn.avg('days_moved').as('days'),
      ])
      .where('field', '=', 'pod_eta_at')
      .groupBy(['shipping_line_name', 'terminal'])
      .orderBy('moves', 'desc')
      .orderBy('shipping_line_name')
      .orderBy('terminal')
      .execute(),
  'How long did customs hold': db =>
    db
      .selectFrom('holds_over_time')
      .select(({ fn }) => [
        'shipping_line_name',
        'terminal',
        fn.countAll().as('holds'),
        fn.avg('days').as('days'),
        fn.max('days').as('longest'),
      ])
      .where(({ fn }) => fn('lower', ['hold']), '=', 'customs')
      .where('status', '=', 'hold')
      .where('valid_until', 'is not', null)
      .groupBy(['shipping_line_name', 'terminal'])
      .orderBy('days', 'desc')
      .orderBy('shipping_line_name')
      .orderBy('terminal')
      .execute(),
  'In which status were the containers': db =>
    db
      .selectFrom('dwell')
      .select(({ fn }) => ['shipping_line_name', 'terminal', 'status', fn.countAll().as('containers')])
      .where('valid_from', '<=', '2026-03-12T12:00:00.000Z')
      .where(({ eb, or }) => or([eb('valid_until', 'is', null), eb('valid_until', '>', '2026-03-12T12:00:00.000Z')]))
      .groupBy(['shipping_line_name', 'terminal', 'status'])
      .orderBy('containers', 'desc')
      .orderBy('shipping_line_name')
      .orderBy('terminal')
      .orderBy('status')
      .execute(),
  'How many shipments arrived on time': db =>
    db
      .selectFrom('on_time')
      .select(({ fn, eb }) => [
        'shipping_line_name',
        'terminal',
        fn.countAll().as('arrived'),
        fn.sum(eb.case().when('is_on_time', '=', YES).then(1).else(0).end()).as('on_time'),
        fn.avg('days_late').as('days_late'),
      ])
      .groupBy(['shipping_line_name', 'terminal'])
      .orderBy('arrived', 'desc')
      .orderBy('shipping_line_name')
      .orderBy('terminal')
      .execute(),
};
