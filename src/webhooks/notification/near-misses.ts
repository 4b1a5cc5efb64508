import { nearName } from '../../internal/near-name.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';

/**
 * Warns of names that are a letter or two away from a known one. They are used nevertheless: the service may have an event of
 * this name.
 *
 * @param said the names that were warned of, so that each is said once.
 */
export function warnOfNearMisses(
  names: readonly string[],
  said: Set<string>,
  warn: (message: string) => void,
  known: readonly string[] = EVENT_NAMES,
): void {
  for (const name of names) {
    if (said.has(name) || known.includes(name)) continue;
    const meant = nearName(name, known);
    if (meant === undefined) continue;
    said.add(name);
    warn(`No known event is named ${name}. Did you mean ${meant}?`);
  }
}
