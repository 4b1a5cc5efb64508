import { description } from './description.ts';

/** The errors of the service by name, for programs that respond in place of the service. */
export function namedErrors(): string {
  const names = description.errors.map(({ name }) => `'${name}'`);
  const table = Object.fromEntries(description.errors.map(({ name, ...answer }) => [name, answer]));
  return `
/** An error response, as it goes over the wire. */
export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body: unknown;
}

/**
 * The name of an error of the service, with its status, texts and form. The last errors in the list have the forms that
 * gateways and older parts of the service use: \`error\` in place of \`errors\`, only a text, no body, an HTML page.
 */
export type ErrorName = ${names.join(' | ')};

export const NAMED_ERRORS: Readonly<Record<ErrorName, ErrorAnswer>> = ${JSON.stringify(table)};
`;
}
