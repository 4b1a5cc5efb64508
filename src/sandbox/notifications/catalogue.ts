import { EVENT_CATEGORIES, EVENTS } from '../../model/generated/events.ts';
import type { EventName } from '../../model/index.ts';
import type { Features } from '../state/features.ts';

export interface EventCategory {
  id: string;
  name: string;
  events: { name: EventName; description: string }[];
}

const NAMES = Object.keys(EVENTS) as EventName[];

/** The events that webhooks can subscribe to. They depend on the account's features. */
export function eventCategories(features: Features): EventCategory[] {
  const sent = NAMES.filter(name => isSent(EVENTS[name].feature, features));
  return Object.entries(EVENT_CATEGORIES)
    .map(([id, name]) => ({
      id,
      name,
      events: sent
        .filter(event => EVENTS[event].category === id)
        .map(event => ({ name: event, description: EVENTS[event].description })),
    }))
    .filter(({ events }) => events.length > 0);
}

function isSent(feature: keyof Features | undefined, features: Features): boolean {
  return feature === undefined || features[feature];
}

/** The name, if the service has an event of this name. */
export function eventNamed(name: string): EventName | undefined {
  return NAMES.find(event => event === name);
}
