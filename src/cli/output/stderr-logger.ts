import { printable } from '../../printable.ts';

/** The logger of a client: warnings for people, and nothing on stdout. */
export const stderrLogger = {
  debug() {},
  info() {},
  warn: (message: string) => console.error(printable(message)),
  error: (message: string) => console.error(printable(message)),
};
