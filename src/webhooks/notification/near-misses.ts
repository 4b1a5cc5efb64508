import { nearName } from '../../internal/near-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';

/** Warns of a name that is near to the name of a known event. It is still used, because the service may know it. */
export function warnOfNearMiss(name: string, known: readonly string[], warn: (message: string) => void): void {
  const meant = known.includes(name) ? undefined : nearName(name, known);
  if (meant) warn(`No known event is named ${name}. Did you mean ${meant}?`);
}

/** Logs the warnings of {@link warnOfNearMisses} in the log of a client, each warning only once. */
export function logNearMisses(
  names: readonly string[] | undefined,
  log: { logOnce(level: 'warn', key: string, message: string): void },
): void {
  for (const name of names ?? []) warnOfNearMiss(name, EVENT_NAMES, message => log.logOnce('warn', message, message));
}
