import { printable } from '../../printable.ts';
import { say } from './print.ts';

/** The logger of a client: warnings for people, and nothing on stdout. */
export const stderrLogger = {
  debug() {},
  info() {},
  warn: (message: string) => say(printable(message)),
  error: (message: string) => say(printable(message)),
};
