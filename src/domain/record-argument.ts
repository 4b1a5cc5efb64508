import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';

/**
 * The argument of a helper. Attributes may be missing, and so may type and id: the record may come from a database or a webhook.
 *
 * @throws {ConfigurationError} for a value without facts: not a record, another record, or a reference that was not included.
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

/** True if it has a type and an id, and nothing else: the record was not included. */
export function isReference(record: object): boolean {
  const names = Object.keys(record);
  return names.length === 2 && names.includes('type') && names.includes('id');
}

/** Shipments share some attributes with containers. With this type, the compiler refuses a shipment. */
export interface NotAShipment {
  /** Always absent: shipments have it, and containers do not. */
  readonly bill_of_lading_number?: undefined;
}
