import type { ContainerDeadline, ContainerState, PickupReason } from '../domain/index.ts';
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
  const amounts = charges.demurrage
    .map(({ amount, currency }) => `${amount} ${currency ?? '(local currency)'}`)
    .join(' and ');
  return `It is ${count(days, 'day')} beyond the last free day${of(deadline)}, ${deadline.date}.${amounts && ` The terminal charges ${amounts}.`}`;
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

export const PLAN_ANEW = 'Plan with the new estimate.';
export const ASK = 'Ask the shipping line. With on-demand refresh, call containers.refresh().';

/** The action that leads to its pickup. */
export function pickup(state: ContainerState, deadline: ContainerDeadline | null): string {
  const [reason] = state.reasons;
  const first = reason && before(reason, state);
  return `${first ? `${first}, then collect it` : 'Collect it'}${until(deadline)}.`;
}

function before(reason: PickupReason, { stage, holds }: ContainerState): string {
  switch (reason) {
    case 'hold':
      return `Have the ${[...new Set(holds.map(({ name }) => name))].join(' and ')} hold released`;
    case 'fees':
      return 'Pay the fees at the terminal';
    case 'not_available':
      return 'Ask the terminal when it is available';
    case 'availability_unknown':
      return 'Ask the terminal whether it is available';
    case 'goes_by_rail':
      return 'Wait for its train';
    default:
      return stage === 'on_rail' || stage === 'arrived_inland' ? 'Wait for its train' : 'Wait for its discharge';
  }
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
