import { readInstant } from '../domain/instant.ts';
import { wrongUsage } from './command.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The accepted forms of a time, for the help. */
export const SINCE = '3d, 12h, yesterday, 2026-11-20 or 2026-11-20T10:00:00Z. A day begins at midnight of this machine';

/**
 * A moment in the past: `3d` ago, `yesterday`, `2026-11-20`, `2026-11-20T10:00:00Z`. A day begins at midnight in the
 * time zone of this machine.
 *
 * @throws {CommandError} for any other text, and for a moment in the future.
 */
export function sinceOf(text: string, now = new Date()): Date {
  const words = text.trim().toLowerCase();
  const [, count, unit = 'd'] = /^(\d{1,4})(m|h|d|w)$/.exec(words) ?? [];
  const days = ['today', 'yesterday'].indexOf(words);
  const read = readInstant(words.toUpperCase());
  const at = count
    ? new Date(now.getTime() - Number(count) * UNITS[unit as keyof typeof UNITS])
    : days >= 0
      ? new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
      : read && new Date(read.time === null ? `${read.date}T00:00` : read.epochMs);
  if (at && at <= now) return at;
  throw wrongUsage(
    `--since must be a moment in the past, such as 3d, 12h, yesterday, 2026-11-20 or 2026-11-20T10:00:00Z, not ${text}.`,
  );
}
