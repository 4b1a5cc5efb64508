/** The secret of a webhook. Never from the command line, which every process of the machine can read. */
export function secretFromEnvironment(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.TRACKING_WEBHOOK_SECRET || undefined;
}
