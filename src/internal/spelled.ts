/** A name in one spelling: `lastFreeDay`, `last_free_day`, `LAST FREE DAY` and `last-free-day` are the same. */
export function spelled(name: string): string {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[-_\s]+/g, '-');
}
