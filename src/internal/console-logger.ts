/** The default logger: the console, with the name of the package before each message. */
export const consoleLogger = { warn: writer('warn'), error: writer('error') };

function writer(level: 'warn' | 'error') {
  return (message: string, ...details: unknown[]): void =>
    console[level](`[container-tracking-sdk] ${message}`, ...details);
}
