import { printable } from '../../printable.ts';
import { say } from './print.ts';

/** The logger of a client: warnings for people, and nothing on stdout. */
export const stderrLogger = loggerTo(printable);

/** The same for `--json`: each warning is one line of JSON, as an error is. */
export const jsonLogger = loggerTo(message => JSON.stringify({ warning: message }));

function loggerTo(lineOf: (message: string) => string) {
  const log = (message: string) => say(lineOf(message));
  return { debug() {}, info() {}, warn: log, error: log };
}
