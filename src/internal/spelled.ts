/** A name in one spelling: `lastFreeDay`, `last_free_day`, `LAST FREE DAY` and `last-free-day` are the same. */
export function spelled(name: string): string {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[-_\s]+/g, '-');
}

/** `days_left` for `daysLeft`, `last free day` and `last-free-day`. */
export const inSnakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, letter => `_${letter.toLowerCase()}`).replaceAll(/[-\s]+/g, '_');
