/** The names that the page about retries uses and does not declare. */
export const companyName: string = 'Importer';
