import type { Resources } from '../records/model.ts';

type ToManyName = {
  [T in keyof Resources]: {
    [K in keyof Resources[T]['relationships']]-?: NonNullable<
      Resources[T]['relationships'][K]
    > extends readonly unknown[]
      ? K & string
      : never;
  }[keyof Resources[T]['relationships']];
}[keyof Resources];

/** Complete by its type: a to-many relationship that is missing here, or one too many, does not compile. */
const TO_MANY: Record<ToManyName, true> = {
  cargos: true,
  containers: true,
  documents: true,
  fields: true,
  options: true,
  raw_events: true,
  route_locations: true,
  shipments: true,
  terminals: true,
  transport_events: true,
  webhook_notification_logs: true,
};

/** Whether a relationship of this name holds many records. A name means the same on every type. */
export function isToMany(name: string): boolean {
  return Object.hasOwn(TO_MANY, name);
}
