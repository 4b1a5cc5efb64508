import { printable } from '../../printable.ts';
import { say } from './print.ts';

const print = (message: string) => say(printable(message), 'warning');

/** The logger of a client: warnings for people, and nothing on stdout. */
export const stderrLogger = { debug() {}, info() {}, warn, error: print };

/**
 * Leaves out the warnings that the command prints in its own words: about waits, which the hooks of `waitsOn` report after
 * a response 429 and, on a terminal, before a call, and about an unknown event. A record that was not sent is a blank cell.
 */
function warn(message: string): void {
  const isReported =
    message.endsWith(': the service responded 429') ||
    message.startsWith('webhooks: unknown event ') ||
    message.endsWith(' was requested but not sent') ||
    (process.stderr.isTTY && message.startsWith('Calls wait for the rate limit'));
  if (!isReported) print(message.replace('Pass `repair: true`', 'Use --repair'));
}
