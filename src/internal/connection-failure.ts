/** The error codes and messages of Node, Bun and Deno for a connection that could not be opened. */
export const REFUSED = /ECONNREFUSED|Connection ?Refused|FailedToOpenSocket/i;
const NOT_RESOLVED = /ENOTFOUND|EAI_|dns error|getaddrinfo|failed to lookup/i;
/** An error that matches both NOT_RESOLVED and this pattern is temporary: another attempt may succeed. */
const TEMPORARY = /EAI_AGAIN|temporary (?:failure|error)|try again/i;
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|invalid peer certificate/;

/** `fetch` does not connect to ports of other well-known protocols, nor to addresses that the policy of the page forbids. */
const BLOCKED = /\bbad port$|Security Policy/;

const MAX_DEPTH = 5;

/**
 * True if the service cannot have received the request. After an unknown error, the service may have received the
 * request.
 */
export function neverConnected(error: unknown): boolean {
  return all(error, said => REFUSED.test(said) || NOT_RESOLVED.test(said));
}

/** True if another attempt would fail too: the host does not exist, its certificate is not valid, or `fetch` refuses the port. */
export function isPermanent(error: unknown): boolean {
  if (all(error, said => TEMPORARY.test(said))) return false;
  const isUnknown = (said: string) => NOT_RESOLVED.test(said) && !TEMPORARY.test(said);
  return all(error, said => isUnknown(said) || CERTIFICATE.test(said) || BLOCKED.test(said));
}

/** True if an error or one of its causes passes a test. In an `AggregateError`, each error must pass the test. */
function all(error: unknown, test: (said: string) => boolean, depth = 0): boolean {
  if (!(error instanceof Error) || depth >= MAX_DEPTH) return false;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(inner => all(inner, test, depth + 1));
  }
  const { code } = error as Error & { code?: unknown };
  return test(`${String(code)} ${error.message}`) || all(error.cause, test, depth + 1);
}
