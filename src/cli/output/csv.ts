/** One record as a line of CSV. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(cellOf).join(',');
}

function cellOf(text: string): string {
  const safe = unformulated(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : safe;
}

/** A spreadsheet would compute a cell that begins like a formula. */
export function unformulated(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
