/**
 * Reads an attribute that the types of this version do not know yet. Records keep everything the service sends.
 *
 * @returns the value as the service sent it, or `undefined` when the record has no such attribute.
 * @example
 * const score = attribute(container, 'risk_score');
 * if (typeof score === 'number') console.log(score);
 */
export function attribute(record: object, name: string): unknown {
  return Object.hasOwn(Object(record), name) ? (record as Record<string, unknown>)[name] : undefined;
}
