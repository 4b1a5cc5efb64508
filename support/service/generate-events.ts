import { description } from './description.ts';

/** The names of the events. */
export function eventNames(): string {
  return `/**
 * The names of all events that this version knows.
 *
 * @example
 * await client.webhooks.create({ url, active: true, events: EVENT_NAMES });
 */
export const EVENT_NAMES = [
${description.events.map(({ name }) => `'${name}',`).join('\n')}
] as const;

/** ${description.types.get('event_name')?.doc} */
export type EventName = (typeof EVENT_NAMES)[number];

/** ${description.types.get('transport_event_name')?.doc} */
export type TransportEventName = Extract<EventName, \`container.transport.\${string}\` | \`container.pickup_\${string}\`>;
`;
}
