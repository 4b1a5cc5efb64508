import { EVENT_NAMES, type EventName } from '../../model/generated/event-names.ts';

/** True if this version knows the event. The notification of an unknown event does not have the declared type. */
export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}
