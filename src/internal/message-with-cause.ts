/** The message of an error, and the cause that `fetch` names in another error: `fetch failed (connect ECONNREFUSED …)`. */
export function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  // After an attempt for each address of a host, the message of the cause is empty.
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return reason ? `${message} (${reason})` : message;
}
