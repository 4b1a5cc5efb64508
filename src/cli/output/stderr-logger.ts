import { printable } from '../../printable.ts';
import { say } from './print.ts';

const warn = (message: string) => say(printable(message), 'warning');

/** The logger of a client: warnings for people, and nothing on stdout. */
export const stderrLogger = { debug() {}, info() {}, warn, error: warn };
