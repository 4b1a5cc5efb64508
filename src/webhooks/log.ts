/** Receives messages. `console` is a valid logger. */
export interface WebhookLogger {
  /** Called with warnings. */
  warn(message: string, details?: Record<string, unknown>): void;
  /** Called with errors. */
  error(message: string, details?: Record<string, unknown>): void;
}

/** Calls code of the user, and ignores the errors of this code. */
export async function ignoreErrors(tell: () => unknown): Promise<void> {
  try {
    await tell();
  } catch {
    // An error of the callback must not affect the caller.
  }
}

/** Logs an error. */
export function report<L extends string>(
  logger: false | Record<L, (message: string, details?: Record<string, unknown>) => void>,
  level: L,
  what: string,
  error: unknown,
  ...details: Record<string, unknown>[]
): void {
  if (logger) ignoreErrors(() => logger[level](`${what}: ${messageOf(error)}`, ...details));
}

/** The message of any thrown value, even of a value that cannot be converted to a string. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Unreadable error.';
  }
}
