/**
 * Reads an attribute that the types of this version do not know yet. Records contain everything that the service sends.
 *
 * @returns the value as the service sent it, or `undefined` if the record does not have the attribute.
 * @example
 * const score = attribute(container, 'risk_score');
 * if (typeof score === 'number') console.log(score);
 */
export function attribute(record: object, name: string): unknown {
  return Object.hasOwn(Object(record), name) ? (record as Record<string, unknown>)[name] : undefined;
}
