/** Takes what has to be said. `console` fits. */
export interface WebhookLogger {
  warn(message: string): void;
  error(message: string): void;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
