/** Takes what has to be said. `console` fits. */
export interface WebhookLogger {
  /** Takes what may need attention. */
  warn(message: string): void;
  /** Takes what has failed. */
  error(message: string): void;
}

/** Whatever comes of telling others, now or later, it changes nothing here. */
export async function quietly(tell: () => unknown): Promise<void> {
  try {
    await tell();
  } catch {
    // Theirs to mend.
  }
}

/** Says what failed, and why, if there is a logger that can. */
export function report<L extends string>(
  logger: false | Record<L, (message: string) => void>,
  level: L,
  what: string,
  error: unknown,
): void {
  if (logger) quietly(() => logger[level](`${what}: ${messageOf(error)}`));
}

/** Anything can be thrown, also what cannot be written down. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Unreadable error.';
  }
}
