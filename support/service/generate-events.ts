import { description, type RecordType } from './description.ts';
import { isNullable } from './type-expression.ts';

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

/**
 * The name of an event, as a call accepts it. A literal must be a known name. A value of type \`string\` is accepted
 * unchanged, so that the names from \`webhooks.events()\` can be passed.
 */
export type NamedEvent<E extends string> = E extends EventName ? E : string extends E ? E : EventName;

/** ${description.types.get('transport_event_name')?.doc} */
export type TransportEventName = Extract<EventName, \`container.transport.\${string}\` | \`container.pickup_\${string}\`>;
`;
}

/** The subject of each event, the records in its notifications, and sample values for the attributes of these records. */
export function eventContents(): string {
  const { events, records, eventCategories } = description;
  const included = new Set(events.flatMap(({ about, includes }) => [about, ...includes]));
  const rows = events.map(({ name, doc, category, feature, about, includes }) => {
    const row = { about, includes, category, description: doc, ...(feature && { feature }) };
    return `'${name}': ${JSON.stringify(row)},`;
  });
  const samples = [...included].map(type => `${type}: ${JSON.stringify(sampleOf(records.get(type)))},`);
  return `import type { EventName } from './event-names.ts';
import type { Resources } from './records.ts';

/** The types of the records that notifications include. */
export type IncludedType = ${[...included].map(type => `'${type}'`).join(' | ')};

/** The type of the record that each event is about. */
export interface EventSubjects {
${events.map(({ name, about }) => `'${name}': '${about}';`).join('\n')}
}

interface Row {
  about: IncludedType;
  /** In the order of the service. Empty: notifications have no \`included\`. */
  includes: readonly IncludedType[];
  category: string;
  description: string;
  /** The feature without which the service does not send the event. */
  feature?: 'documents' | 'rail';
}

/** Every event. */
export const EVENTS: Readonly<Record<EventName, Row>> = {
${rows.join('\n')}
};

/** The groups of events, by id. */
export const EVENT_CATEGORIES: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(eventCategories))};

/** Invented values of records, as notifications include them. */
export const SAMPLE_ATTRIBUTES: { readonly [T in IncludedType]: Resources[T]['attributes'] } = {
${samples.join('\n')}
};
`;
}

function sampleOf(record?: RecordType): Record<string, unknown> {
  const fields = record?.attributes.filter(({ example, optional }) => example !== undefined || !optional) ?? [];
  return Object.fromEntries(
    fields.map(({ name, type, example }) => {
      if (example === undefined && !isNullable(type)) throw new Error(`${record?.type}.${name} has no example`);
      return [name, example ?? null];
    }),
  );
}
