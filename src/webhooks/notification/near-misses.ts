import { ValidationError } from '../../errors.ts';
import { nearName } from '../../internal/near-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';

/**
 * Warns of a name that is near to the name of a known event. The name is still used, because the service may know it.
 */
export function warnOfNearMiss(name: string, known: readonly string[], warn: (message: string) => void): void {
  const meant = known.includes(name) ? undefined : nearName(name, known);
  if (meant) warn(`No known event is named ${name}. Did you mean ${meant}?`);
}

/** Logs the warnings of {@link warnOfNearMiss} in the log of a client, each warning only once. */
export function logNearMisses(
  names: readonly string[] | undefined,
  log: { logOnce(level: 'warn', key: string, message: string): void },
): void {
  for (const name of names ?? []) warnOfNearMiss(name, EVENT_NAMES, message => log.logOnce('warn', message, message));
}

/**
 * The refusal of the service. Its message also names the events that this version does not know. Other errors are
 * returned unchanged.
 */
export function namingUnknownEvents(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ValidationError)) return error;
  const known: readonly string[] = EVENT_NAMES;
  const remarks = names.map(name => {
    const meant = nearName(name, known);
    return known.includes(name) ? '' : `; no known event is named ${name}${meant ? `; did you mean ${meant}?` : ''}`;
  });
  return new ValidationError({ ...error, message: error.message + remarks.join('') });
}
