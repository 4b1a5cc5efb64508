import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';

/**
 * The argument of a helper. Attributes, the type and the id may be missing, because the record may come from a database
 * or a webhook.
 *
 * @throws {ConfigurationError} if the value is not a record, is a record of another type, or is a reference to a record
 * that was not included.
 */
export function recordArgument<T extends object>(type: 'container' | 'shipment', record: T): T {
  const given: unknown = record;
  if (!isRecord(given)) throw new ConfigurationError(`The ${type} is ${describeValue(given)}; it must be a record.`);
  if (typeof given.type === 'string' && given.type !== type) {
    throw new ConfigurationError(`The ${type} is a record of the type ${given.type}; it must be a ${type}.`);
  }
  if (isReference(given)) {
    throw new ConfigurationError(
      `The ${type} has only a type and an id, because it was not included: add it to the include of the call.`,
    );
  }
  return record;
}

/** True if the record has only a type and an id, because it was not included. */
export function isReference(record: object): boolean {
  const names = Object.keys(record);
  return names.length === 2 && names.includes('type') && names.includes('id');
}

/** Shipments share some attributes with containers. With this type, the compiler rejects a shipment. */
export interface NotAShipment {
  /** Always absent: only shipments have this attribute. */
  readonly bill_of_lading_number?: undefined;
}

/** Every key may be missing or `undefined`: webhook payloads leave keys out (docs/service/webhooks.md#payloads). */
export type PartialOrUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };
