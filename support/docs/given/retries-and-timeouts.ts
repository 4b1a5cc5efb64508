/** The names that the page about retries leaves to its reader. */
export const companyName: string = 'Importer';
