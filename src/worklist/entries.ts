import { containerState, hasGone } from '../domain/container-state.ts';
import { type Delay, delays } from '../domain/delays.ts';
import { demurrageDays } from '../domain/free-time.ts';
import { type Money, rollUpHoldsAndFees } from '../domain/holds-and-fees.ts';
import { lastFreeDays } from '../domain/last-free-days.ts';
import { lastNews } from '../domain/last-news.ts';
import { localTime } from '../domain/local-time.ts';
import type { CheckedOptions } from './options.ts';
import type { LateRow, WorklistContainer, WorklistRow } from './rows.ts';
import * as words from './words.ts';

const DAY_MS = 86_400_000;

/** The rows of a container: one for each of the wanted lists whose rule it fulfils. */
export function entriesOf(container: WorklistContainer, wanted: CheckedOptions, now: Date): WorklistRow[] {
  const { shipment } = container;
  const state = containerState(container);
  if (hasGone(state.stage) || shipment?.line_tracking_stopped_at) return [];

  const { earliest: deadline } = lastFreeDays(container, { now });
  const row = {
    number: container.number,
    shipmentNumber: shipment?.bill_of_lading_number ?? null,
    shippingLine: shipment?.shipping_line_name ?? null,
    customer: shipment?.customer_name ?? null,
    port: shipment?.port_of_discharge_name ?? null,
    destination: shipment?.destination_name ?? null,
    terminal: terminalOf(container, state.stage),
    state,
    deadline,
    appointment: localTime(container.pickup_appointment_at, container.pod_timezone) ?? null,
    next: words.pickup(state, deadline),
    container,
  };

  const rows: WorklistRow[] = [];
  if (wanted.ready && state.pickup === 'yes') rows.push({ ...row, list: 'ready', reason: words.ready(deadline) });
  const { lastFreeDay, late, silent } = wanted;
  if (lastFreeDay && deadline && !deadline.hasEnded) {
    const { daysLeft } = deadline;
    if (daysLeft >= 0 && daysLeft <= lastFreeDay.within) {
      rows.push({ ...row, list: 'lastFreeDay', deadline, reason: words.lastFreeDay(deadline) });
    }
  }
  const demurrage = wanted.demurrage ? demurrageDays(container, { now }) : null;
  if (demurrage?.state === 'running' && demurrage.days !== null && deadline) {
    const { days } = demurrage;
    const charged = rollUpHoldsAndFees([container]);
    const priced = (sums: readonly Money[]) =>
      sums.filter(({ amount }) => amount !== 0).map(({ currency, amount }) => ({ currency, amount }));
    const ofDemurrage = priced(charged.fees.filter(({ type }) => type === 'demurrage'));
    const reason = words.demurrage(days, deadline, ofDemurrage);
    const fees = priced(charged.totals);
    rows.push({ ...row, list: 'demurrage', deadline, days, demurrage: ofDemurrage, fees, reason });
  }
  if (wanted.held && state.holds.length > 0) {
    const by = [...new Set(state.holds.map(({ name }) => name))];
    rows.push({ ...row, list: 'held', by, holds: state.holds, reason: words.held(by) });
  }
  const lateness = late && latenessOf(container, late.days);
  if (lateness) {
    const next = lateness.delay.isActual ? row.next : words.PLAN_ANEW;
    rows.push({ ...row, list: 'late', ...lateness, reason: words.late(lateness), next });
  }
  const heardAt = silent ? lastNews(container, shipment) : null;
  const since = localTime(heardAt, container.final_destination_timezone || container.pod_timezone);
  const days = Math.floor((now.getTime() - Date.parse(heardAt ?? '')) / DAY_MS);
  if (silent && since && days >= silent.days) {
    rows.push({ ...row, list: 'silent', days, since, reason: words.silent(days, since), next: words.ASK });
  }
  return rows;
}

/** A container that goes inland stands at the port first, and its facility is then the ramp that it has yet to reach. */
function terminalOf(container: WorklistContainer, stage: string): string | null {
  const { pod_terminal, pickup_facility, final_destination_timezone } = container;
  const [port, inland] = [pod_terminal?.name, pickup_facility?.name];
  const awaitsTrain = stage === 'at_port' && Boolean(final_destination_timezone);
  return (awaitsTrain ? (port ?? inland) : (inland ?? port)) ?? null;
}

/** Of its arrivals at the port and inland, the one that is more behind its first estimate, if it is late enough. */
function latenessOf({ shipment }: WorklistContainer, leastDays: number): Lateness | undefined {
  const { arrival, destination } = delays(shipment ?? {});
  const isInland = lateBy(destination) >= lateBy(arrival);
  const delay = isInland ? destination : arrival;
  if (!delay || lateBy(delay) < leastDays * DAY_MS) return undefined;
  const [since, latest] = [delay.first, delay.latest].map(time => localTime(time, delay.timezone));
  return since && latest && { at: isInland ? 'destination' : 'port', delay, since, arrival: latest };
}

type Lateness = Pick<LateRow, 'at' | 'delay' | 'since' | 'arrival'>;

function lateBy(delay: Delay | null): number {
  return delay ? Date.parse(delay.latest) - Date.parse(delay.first) : Number.NEGATIVE_INFINITY;
}
