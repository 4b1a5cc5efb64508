import { type ContainerState, containerState, goesInland, hasGone, hasRailFacts } from '../domain/container-state.ts';
import { delays } from '../domain/delays.ts';
import { demurrageAfter } from '../domain/free-time.ts';
import { type Money, rollUpHoldsAndFees } from '../domain/holds-and-fees.ts';
import { type ContainerDeadline, lastFreeDays } from '../domain/last-free-days.ts';
import { lastNews } from '../domain/last-news.ts';
import { type LocalTime, localTime } from '../domain/local-time.ts';
import { isReference } from '../domain/record-argument.ts';
import type { WantedLists } from './options.ts';
import type { DemurrageRow, LateRow, SilentRow, WorklistContainer, WorklistRow } from './rows.ts';
import * as words from './words.ts';

const DAY_MS = 86_400_000;

/** The rows of a container. The container has one row for each wanted list whose rule it fulfils. */
export function entriesOf(container: WorklistContainer, wanted: WantedLists, now: Date): WorklistRow[] {
  const { shipment } = container;
  const state = containerState(container);
  if (hasGone(state.stage) || shipment?.line_tracking_stopped_at) return [];

  const { earliest: deadline } = lastFreeDays(container, { now });
  const appointment = localTime(container.pickup_appointment_at, container.pod_timezone) ?? null;
  const kind = appointment && appointmentKind(appointment, deadline, now);
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
    appointment,
    next: words.pickup(state, deadline, {
      due: dueIn(container, words.amounts),
      addition: appointment && kind ? words.appointment(kind, appointment) : '',
      onward: onwardOf(container, state),
    }),
    container,
  };

  const rows: WorklistRow[] = [];
  const { lastFreeDay, late, silent } = wanted;
  if (wanted.ready && state.pickup === 'yes') rows.push({ ...row, list: 'ready', reason: words.ready(deadline) });
  if (lastFreeDay && deadline && !deadline.hasEnded) {
    const { daysLeft } = deadline;
    if (daysLeft >= 0 && daysLeft <= lastFreeDay.within)
      rows.push({ ...row, list: 'lastFreeDay', deadline, reason: words.lastFreeDay(deadline) });
  }
  if (wanted.demurrage && deadline) {
    const { state: count, days } = demurrageAfter(deadline, container, now);
    const charges = chargesOf(container);
    if (count === 'running' && days !== null)
      rows.push({
        ...row,
        list: 'demurrage',
        deadline,
        days,
        ...charges,
        reason: words.demurrage(days, deadline, charges),
      });
  }
  if (wanted.held && state.holds.length > 0) {
    const by = [...new Set(state.holds.map(({ name }) => name))];
    rows.push({ ...row, list: 'held', by, holds: state.holds, reason: words.held(by) });
  }
  if (late) {
    const lateness = latenessOf(container, late.days);
    if (lateness) {
      const next = lateness.delay.isActual ? row.next : words.planAnew(lateness.arrival);
      rows.push({ ...row, list: 'late', ...lateness, reason: words.late(lateness), next });
    }
  }
  if (silent) {
    const silence = silenceOf(container, now);
    if (silence && silence.days >= silent.days)
      rows.push({ ...row, list: 'silent', ...silence, reason: words.silent(silence), next: words.ASK });
  }
  return rows;
}

const priced = (sums: readonly Money[]) =>
  sums.filter(({ amount }) => amount !== 0).map(({ currency, amount }) => ({ currency, amount }));

/**
 * The sum to be paid at the terminal, in words; empty if nothing is due. If the amount of a fee is 0, its price is not
 * known yet.
 */
export function dueIn(container: WorklistContainer, wordsOf: (sums: Money[]) => string): string {
  const { fees, totals } = rollUpHoldsAndFees([container]);
  return fees.length > 0 ? wordsOf(priced(totals)) || 'the fees' : '';
}

/**
 * Compares the day of an appointment with today, and with the last free day. Today is the local day in the time zone of
 * the appointment.
 */
export function appointmentKind(
  { date, zone }: LocalTime,
  deadline: ContainerDeadline | null,
  now: Date,
): words.AppointmentKind {
  if (date < (localTime(now.toISOString(), zone)?.date ?? '')) return 'past';
  return deadline && !deadline.hasEnded && deadline.daysLeft >= 0 && date > deadline.date ? 'late' : 'planned';
}

/**
 * The journey after the port, in words, for a container that has not left the port yet. Empty if a truck collects the
 * container at the port, for example if only a hold prevents the pickup there.
 */
export function onwardOf(container: WorklistContainer, { stage, pickup, reasons }: ContainerState): string {
  const isCollectedThere = pickup === 'yes' || reasons.join() === 'hold';
  if (!BEFORE_INLAND.includes(stage) || isCollectedThere || !goesInland(container)) return '';
  const isByRail = container.current_status === 'awaiting_inland_transfer' || hasRailFacts(container);
  return words.onward(isByRail, container.shipment?.destination_name);
}

const BEFORE_INLAND: readonly string[] = ['booked', 'at_origin', 'on_ship', 'arrived_at_port', 'at_port'];

/** The charges of the terminal so far, without fees of 0: their price is not known yet. */
function chargesOf(container: WorklistContainer): Pick<DemurrageRow, 'demurrage' | 'fees'> {
  const { fees, totals } = rollUpHoldsAndFees([container]);
  return { demurrage: priced(fees.filter(({ type }) => type === 'demurrage')), fees: priced(totals) };
}

function silenceOf(container: WorklistContainer, now: Date): Pick<SilentRow, 'days' | 'since'> | undefined {
  const { shipment, final_destination_timezone, pod_timezone } = container;
  const heardAt = lastNews(container, shipment);
  const since = localTime(heardAt, final_destination_timezone || pod_timezone);
  return since && { days: Math.floor((now.getTime() - Date.parse(heardAt ?? '')) / DAY_MS), since };
}

/**
 * The name of the terminal for a row. A container that goes inland is first at the port. At that time, its
 * `pickup_facility` is the inland facility, which the container has not reached yet. Therefore the row names the
 * terminal at the port.
 */
function terminalOf(container: WorklistContainer, stage: string): string | null {
  const { pod_terminal, pickup_facility, final_destination_timezone } = container;
  const [port, inland] = [pod_terminal?.name, pickup_facility?.name];
  const awaitsTrain = stage === 'at_port' && Boolean(final_destination_timezone);
  return (awaitsTrain ? (port ?? inland) : (inland ?? port)) ?? null;
}

/**
 * The arrival at the port or the arrival inland: the arrival with the longer delay after its first estimate.
 * `undefined` if this delay is shorter than `leastDays`. The times of the container from the railway take precedence
 * over the times of the shipment.
 */
function latenessOf({ shipment, ind_ata_at, ind_eta_at }: WorklistContainer, leastDays: number): Lateness | undefined {
  if (!shipment || isReference(shipment)) return undefined;
  const byRail = (ind_ata_at || ind_eta_at) && { destination_ata_at: ind_ata_at, destination_eta_at: ind_eta_at };
  const { arrival, destination } = delays({ ...shipment, ...(byRail || {}) });
  const isInland = !arrival || (destination?.days ?? -Infinity) >= arrival.days;
  const delay = isInland ? destination : arrival;
  if (!delay || delay.days < leastDays) return undefined;
  const [since, latest] = [delay.first, delay.latest].map(time => localTime(time, delay.timezone));
  return since && latest && { at: isInland ? 'destination' : 'port', delay, since, arrival: latest };
}

type Lateness = Pick<LateRow, 'at' | 'delay' | 'since' | 'arrival'>;
