/** Where messages go. `console` is one. */
export interface WebhookLogger {
  /** Takes what may need attention. */
  warn(message: string): void;
  /** Takes what has failed. */
  error(message: string): void;
}

/** Calls code of the user, and ignores what it throws or rejects with. */
export async function quietly(tell: () => unknown): Promise<void> {
  try {
    await tell();
  } catch {
    // An error of the callback must not change what happens here.
  }
}

/** Logs what failed and why. */
export function report<L extends string>(
  logger: false | Record<L, (message: string) => void>,
  level: L,
  what: string,
  error: unknown,
): void {
  if (logger) quietly(() => logger[level](`${what}: ${messageOf(error)}`));
}

/** The message of anything that was thrown, also of a value that cannot be made a string. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Unreadable error.';
  }
}
