import { nearName } from '../../internal/near-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';

/**
 * Warns of names that differ from a known name in one or two letters. These names are still used, because the service
 * may know them.
 *
 * @param what kind of the names, for the warning.
 */
export function warnOfNearMisses(
  names: readonly string[],
  warn: (message: string) => void,
  known: readonly string[] = EVENT_NAMES,
  what = 'known event',
): void {
  for (const name of names) {
    const meant = known.includes(name) ? undefined : nearName(name, known);
    if (meant !== undefined) warn(`No ${what} is named ${name}. Did you mean ${meant}?`);
  }
}

/** Logs the warnings of {@link warnOfNearMisses} in the log of a client, each warning only once. */
export function logNearMisses(
  names: readonly string[] | undefined,
  log: { logOnce(level: 'warn', key: string, message: string): void },
  ...others: [known?: readonly string[], what?: string]
): void {
  warnOfNearMisses(names ?? [], message => log.logOnce('warn', message, message), ...others);
}
