import { ConnectionError, NotFoundError, ResponseFormatError, TimeoutError, TrackingError } from '../errors.ts';
import { hintFor, innermost } from '../internal/connection-hints.ts';

const ADDRESS = 'the address of the service (TRACKING_BASE_URL)';
const FINAL = 'Calling again does not help before that.';

/** The end of a message about a failure that may be over soon. */
export const RETRY = 'One more try is sensible in a minute, but not a third one.';

/** The end of a message about a wrong address. */
export const WRONG_ADDRESS = `the user must check ${ADDRESS}. ${FINAL}`;

/**
 * The message for a request that did not reach the service, or that reached another server. The message contains the
 * cause, and says who can remove the cause. It contains at most the host of an address. `undefined` for any other
 * error.
 */
export function unreachable(error: unknown): string | undefined {
  if (error instanceof TimeoutError) return unreachable(error.cause);
  if (!(error instanceof TrackingError)) return undefined;
  if (error instanceof NotFoundError || error instanceof ResponseFormatError) {
    const [, address = ''] = /; (\S+) does not look like the service: check baseUrl$/.exec(error.message) ?? [];
    if (URL.canParse(address)) return `${new URL(address).host} does not look like the service: ${WRONG_ADDRESS}`;
  }
  // A 404 for a list is not about a record. Older services do not have `/me`.
  if (error instanceof NotFoundError && /^\/(?!me$)\w+$/.test(error.path))
    return `The service does not know this request: ${WRONG_ADDRESS}`;
  if (!(error instanceof ConnectionError)) return undefined;
  const reason = innermost(error.cause);
  const [, host = ''] = /\bno response from the service at (\S+) \(attempt /.exec(error.message) ?? [];
  if (reason === 'bad port') return `Programs may not use the port of ${host}: ${WRONG_ADDRESS}`;
  const hint = host && hintFor(reason, host);
  if (!hint) {
    const code = /^[A-Z_]+$/.test(reason) ? ` (${reason})` : '';
    return `The connection to the service broke${code}. ${RETRY}`;
  }
  const told = hint.replace(/^t/, 'T').replace(/^n/, 'N').replace(': check ', ': the user must check ');
  return told.includes('the address') ? `${told.replace('the address', ADDRESS)}. ${FINAL}` : `${told}. ${RETRY}`;
}
