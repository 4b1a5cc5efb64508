/** One record as a line of CSV. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(cellOf).join(',');
}

/** A spreadsheet would compute a cell that begins like a formula. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"` : safe;
}
