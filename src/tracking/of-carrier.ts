/**
 * Of records that have one number, that of a carrier, whose code may be another one of the same carrier. Nothing if several
 * carriers have the number and none of the codes is the one: it could be another carrier's.
 */
export function ofCarrier<T>(
  records: readonly T[],
  scac: string | null | undefined,
  scacOf: (record: T) => unknown,
): T | undefined {
  const isOneCarrier = !scac || new Set(records.map(scacOf)).size === 1;
  return records.find(record => scacOf(record) === scac) ?? (isOneCarrier ? records[0] : undefined);
}
