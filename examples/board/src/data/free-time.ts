import { containerState, demurrageDays, lastFreeDay } from 'container-tracking-sdk';

/** The free time of a container, as the board shows it. */
export interface FreeTime {
  tone: 'good' | 'warn' | 'bad' | 'plain';
  text: string;
  /** Calendar day at the place of the pickup; missing while the day is not known. */
  lastFreeDay?: string;
}

/** Somebody has to act if at most this number of days is left until the last free day. */
export const SOON_DAYS = 2;

export const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

/** Counts down to the last free day. After that day, counts up while demurrage is due. */
export function freeTimeOf(container: Parameters<typeof lastFreeDay>[0], now: Date): FreeTime {
  const deadline = lastFreeDay(container, { now });
  const demurrage = demurrageDays(container, { now });
  if (!deadline || !demurrage) return { tone: 'plain', text: 'Not known yet' };
  const { state, days: over } = demurrage;
  const shown = (tone: FreeTime['tone'], text: string) => ({ tone, text, lastFreeDay: deadline.date });
  if (state === 'running') return shown('bad', `${days(over ?? 0)} over`);
  const end = containerState(container).reasons.includes('gone') ? 'Collected' : 'Left by rail';
  if (state === 'ended') return shown('plain', over ? `${days(over)} over` : `${end} in time`);
  if (state === 'unknown') return shown('plain', end);
  const { daysLeft } = deadline;
  return shown(
    daysLeft <= SOON_DAYS ? 'warn' : 'good',
    daysLeft === 0 ? 'Today is the last' : `${days(daysLeft)} left`,
  );
}
