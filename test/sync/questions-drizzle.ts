import {
  and,
  asc,
  avg,
  between,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  or,
  sql,
  sum,
} from 'drizzle-orm';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type { SqliteTables } from '../../src/sync/drizzle/index.ts';

type Question = (db: BaseSQLiteDatabase<'async', unknown, SqliteTables>, tables: SqliteTables) => Promise<object[]>;

/** Questions of docs/guides/sql.md for Drizzle, by the beginning of their headings. */
export const DRIZZLE: Record<string, Question> = {
  'Which containers can be collected': (db, { pickups: p }) =>
    db
      .select({
        number: p.number,
        terminal: p.terminal,
        last_free_day: p.last_free_day,
        shipping_line_name: p.shipping_line_name,
      })
      .from(p)
      .where(eq(p.ready_for_pickup, true))
      .orderBy(sql`${p.last_free_day} NULLS LAST`, p.number),
  'Which containers have their last free day': (db, { pickups: p }) =>
    db
      .select({
        number: p.number,
        terminal: p.terminal,
        last_free_day: p.last_free_day,
        ready_for_pickup: p.ready_for_pickup,
      })
      .from(p)
      .where(between(p.last_free_day, '2026-03-12', '2026-03-19'))
      .orderBy(p.last_free_day, p.number),
  'How many containers are past': (db, { pickups: p }) =>
    db
      .select({ terminal: p.terminal, containers: count(), earliest: min(p.last_free_day) })
      .from(p)
      .where(lt(p.last_free_day, '2026-03-12'))
      .groupBy(p.terminal)
      .orderBy(desc(count()), p.terminal),
  'Which containers does somebody hold': (db, { holds_over_time: h }) =>
    db
      .select({ number: h.number, terminal: h.terminal, hold: h.hold, valid_from: h.valid_from })
      .from(h)
      .where(and(eq(h.status, 'hold'), isNull(h.valid_until)))
      .orderBy(h.valid_from, h.number, h.hold),
  'Which containers stand at the terminal': (db, { pickups: p }) =>
    db
      .select({ number: p.number, terminal: p.terminal, discharged_at: p.discharged_at, pickup: p.pickup })
      .from(p)
      .where(isNotNull(p.discharged_at))
      .orderBy(p.discharged_at, p.number)
      .limit(10),
  'Which shipments arrive later': (db, { delays: d }) =>
    db
      .select({
        bill_of_lading_number: d.bill_of_lading_number,
        shipping_line_name: d.shipping_line_name,
        original_arrival_at: d.original_arrival_at,
        arrival_at: d.arrival_at,
        arrival_days_late: d.arrival_days_late,
      })
      .from(d)
      .where(gte(d.arrival_days_late, 1))
      .orderBy(desc(d.arrival_days_late), d.bill_of_lading_number),
  'Which containers were collected': (db, { containers: c, shipments: s }) => {
    const collected = sql`coalesce(${c.final_destination_full_out_at}, ${c.pod_full_out_at})`;
    const collected_at = collected.mapWith(c.pod_full_out_at).as('collected_at');
    return db
      .select({ number: c.number, shipping_line_name: s.shipping_line_name, collected_at })
      .from(c)
      .leftJoin(s, eq(s.id, c.shipment_id))
      .where(and(inArray(c.stage, ['picked_up', 'delivered']), isNull(c.deleted_at)))
      .orderBy(sql`${collected} NULLS LAST`, c.number);
  },
  'Which estimates of arrival moved': (db, { eta_slips: e }) =>
    db
      .select({
        shipping_line_name: e.shipping_line_name,
        terminal: e.terminal,
        moves: count(),
        days: avg(e.days_moved),
      })
      .from(e)
      .where(eq(e.field, 'pod_eta_at'))
      .groupBy(e.shipping_line_name, e.terminal)
      .orderBy(desc(count()), e.shipping_line_name, e.terminal),
  'How long did customs hold': (db, { holds_over_time: h }) =>
    db
      .select({
        shipping_line_name: h.shipping_line_name,
        terminal: h.terminal,
        holds: count(),
        days: avg(h.days),
        longest: max(h.days),
      })
      .from(h)
      .where(and(eq(sql`lower(${h.hold})`, 'customs'), eq(h.status, 'hold'), isNotNull(h.valid_until)))
      .groupBy(h.shipping_line_name, h.terminal)
      .orderBy(desc(avg(h.days)), h.shipping_line_name, h.terminal),
  'In which status were the containers': (db, { dwell: d }) =>
    db
      .select({
        shipping_line_name: d.shipping_line_name,
        terminal: d.terminal,
        status: d.status,
        containers: count(),
      })
      .from(d)
      .where(
        and(
          lte(d.valid_from, new Date('2026-03-12T12:00:00Z')),
          or(isNull(d.valid_until), gt(d.valid_until, new Date('2026-03-12T12:00:00Z'))),
        ),
      )
      .groupBy(d.shipping_line_name, d.terminal, d.status)
      .orderBy(desc(count()), d.shipping_line_name, d.terminal, asc(d.status)),
  'How many shipments arrived on time': (db, { on_time: o }) =>
    db
      .select({
        shipping_line_name: o.shipping_line_name,
        terminal: o.terminal,
        arrived: count(),
        on_time: sum(sql`CASE WHEN ${o.is_on_time} THEN 1 ELSE 0 END`),
        days_late: avg(o.days_late),
      })
      .from(o)
      .groupBy(o.shipping_line_name, o.terminal)
      .orderBy(desc(count()), o.shipping_line_name, o.terminal),
};
