import { ValidationError } from '../../errors.ts';
import { nearName } from '../../internal/near-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';
import { isEventName } from './is-event-name.ts';

/** A remark on a name that no known event has. Such a name is still used, because the service may know it. */
export function remarkOn(name: string, known: readonly string[] = EVENT_NAMES): string {
  const meant = nearName(name, known);
  return `unknown event ${name}${meant ? `; did you mean ${meant}?` : ''}`;
}

/** Logs each unknown name only once, in the log of a client. */
export function logUnknownEvents(
  names: readonly string[] | undefined,
  log: { logOnce(level: 'warn', key: string, message: string): void },
): void {
  for (const name of unknownOf(names)) log.logOnce('warn', name, `webhooks: ${remarkOn(name)}`);
}

/**
 * The refusal of the service. Its message also has the events that this version does not know. Other errors are
 * returned unchanged.
 */
export function namingUnknownEvents(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ValidationError)) return error;
  const remarks = unknownOf(names).map(name => remarkOn(name));
  return new ValidationError({ ...error, message: [error.message, ...remarks].join('; ') });
}

function unknownOf(names: readonly string[] = []): string[] {
  return names.filter(name => !isEventName(name));
}
