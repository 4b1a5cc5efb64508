export type * from './filter-values.ts';
export type { EventName, NamedEvent, TransportEventName } from './generated/event-names.ts';
export type * from './generated/filters.ts';
export type * from './generated/records.ts';
export type * from './include.ts';
export type * from './map.ts';
export type * from './resource-record.ts';
export type * from './scalars.ts';
export type * from './tracking-request.ts';
