import type { ContainerDeadline, ContainerState, LocalTime, Money, PickupReason } from '../domain/index.ts';
import type { DemurrageRow, LateRow, SilentRow } from './rows.ts';

/** The reason of each entry and the next action, as sentences. */

export function ready(deadline: ContainerDeadline | null): string {
  return `It can be picked up.${deadline ? ` ${lastFreeDay(deadline)}` : ''}`;
}

export function lastFreeDay(deadline: ContainerDeadline): string {
  const { date, daysLeft } = deadline;
  if (daysLeft < 0) return `The last free day${of(deadline)} was ${date}, ${count(-daysLeft, 'day')} ago.`;
  return `The last free day${of(deadline)} is ${date}, ${daysLeft === 0 ? 'today' : `in ${count(daysLeft, 'day')}`}.`;
}

export function demurrage(days: number, deadline: ContainerDeadline, charges: Pick<DemurrageRow, 'demurrage'>): string {
  const charged = amounts(charges.demurrage);
  return `It is ${count(days, 'day')} beyond the last free day${of(deadline)}, ${deadline.date}.${charged && ` The terminal charges ${charged} of demurrage.`}`;
}

export function held(by: readonly string[]): string {
  return `It is held by ${by.join(', ')}.`;
}

export function late({ at, delay, since, arrival }: Pick<LateRow, 'at' | 'delay' | 'since' | 'arrival'>): string {
  const arrives = delay.isActual ? 'It arrived' : 'It is expected';
  return `${arrives} at the ${at} on ${arrival.text}, ${count(delay.days, 'day')} after the first estimate, ${since.text}.`;
}

export function silent({ days, since }: Pick<SilentRow, 'days' | 'since'>): string {
  return `Nothing was heard of it for ${count(days, 'day')}, since ${since.text}.`;
}

export const planAnew = ({ text }: LocalTime) => `Plan with the new estimate, ${text}.`;
export const ASK = 'Ask the shipping line. With on-demand refresh, call containers.refresh().';

/** The kind of a pickup appointment: `late` is after the last free day, `past` is before today. */
export type AppointmentKind = 'planned' | 'late' | 'past';

const APPOINTMENTS: Readonly<Record<AppointmentKind, string>> = {
  planned: 'the appointment is on',
  late: 'the appointment is later:',
  past: 'the appointment has passed:',
};

export function appointment(kind: AppointmentKind, { text }: LocalTime): string {
  return `${APPOINTMENTS[kind]} ${text}`;
}

/** The sums that a terminal charges, such as `120 USD and 15 EUR`; empty if there are none. */
export function amounts(sums: readonly Money[]): string {
  return sums.map(({ amount, currency }) => `${amount} ${currency ?? '(local currency)'}`).join(' and ');
}

/**
 * The next action for the pickup of a container, as a sentence.
 *
 * @param due the sum to be paid, in words; empty if nothing is due.
 * @param addition a clause about the appointment.
 * @param onward the journey after the port, in words; empty if the container is collected at its current place or at
 *   its next place.
 */
export function pickup(
  state: ContainerState,
  deadline: ContainerDeadline | null,
  { due = '', addition = '', onward = '' }: { due?: string; addition?: string; onward?: string } = {},
): string {
  const [reason] = state.reasons;
  const pay = due && `pay ${due}`;
  const isUnavailable = reason === 'not_available' || reason === 'availability_unknown';
  const awaitsJourney = onward && isUnavailable;
  const first = awaitsJourney ? 'wait for its journey inland' : reason ? before(reason, state, pay) : pay;
  const isNextStop = onward && !awaitsJourney && reason !== 'goes_by_rail';
  const last = isNextStop ? onward : `collect it${until(deadline)}`;
  const sentence = `${first ? `${first}, then ${last}` : last}${addition && `; ${addition}`}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function before(reason: PickupReason, { stage, holds }: ContainerState, pay: string): string {
  switch (reason) {
    case 'hold': {
      const names = [...new Set(holds.map(({ name }) => name))];
      const release = `have the ${names.join(' and ')} hold${names[1] ? 's' : ''} released`;
      return pay ? `${release} and ${pay}` : release;
    }
    case 'fees':
      return `${pay || 'pay the fees'} at the terminal`;
    case 'not_available':
      return 'ask the terminal when it is available';
    case 'availability_unknown':
      return 'ask the terminal whether it is available';
    case 'goes_by_rail':
      return 'wait for its train';
    default:
      if (stage === 'on_rail') return 'wait for its train';
      return stage === 'arrived_inland' ? 'wait until it is unloaded' : 'wait for its discharge';
  }
}

/** The journey after the port. A destination alone does not show that the journey is by rail. */
export function onward(isByRail: boolean, destination: string | null | undefined): string {
  return `it goes on${isByRail ? ' by rail' : ''}${destination ? ` to ${destination}` : ' inland'}`;
}

function until(deadline: ContainerDeadline | null): string {
  if (!deadline || deadline.hasEnded) return '';
  if (deadline.daysLeft < 0) return ' at once';
  return deadline.daysLeft === 0 ? ' today' : ` by ${deadline.date}`;
}

function of({ source }: ContainerDeadline): string {
  return source === 'unknown' ? '' : ` of the ${source}`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
