import { TrackingClient } from '../client.ts';
import { ConnectionError } from '../errors.ts';
import type { Hooks } from '../hooks.ts';
import { neverConnected } from '../internal/connection-failure.ts';
import { isLoopback } from '../transport/settings.ts';
import { ACCESS_OPTIONS, type Access, readAccess } from './access.ts';
import { type Command, durationOption, interrupted, numberOption, type OptionValues } from './command.ts';
import { failureOf } from './failure.ts';
import { stderrLogger } from './output/stderr-logger.ts';
import { waitsOn } from './output/waits.ts';

/** The options of all commands that call the service. */
export const API_OPTIONS = {
  json: {
    type: 'boolean',
    help: 'JSON also on a terminal, errors included; in a pipe the output is JSON in any case. Each record is one line (JSON Lines)',
  },
  ...ACCESS_OPTIONS,
  timeout: { type: 'string', value: 'DURATION', default: '30s', help: 'for one request, such as 500ms, 30s or 5m' },
  retries: {
    type: 'string',
    value: 'COUNT',
    default: '4',
    help: 'attempts after the first; none if nothing listens at a port of this machine',
  },
} as const satisfies Command['options'];

/**
 * Runs a command that calls the service. An error becomes one line and an exit code. Ctrl+C aborts the command.
 *
 * @throws {CommandError}
 */
export async function withClient(
  values: OptionValues,
  run: (client: TrackingClient, signal: AbortSignal, access: Access) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort(interrupted('Interrupted.'));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  let client: TrackingClient | undefined;
  let access: Access | undefined;
  try {
    access = await readAccess(values);
    client = clientFor(values, access, interrupt);
    await run(client, interrupt.signal, access);
  } catch (error) {
    throw failureOf(error, access);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    client?.close();
  }
}

function clientFor(values: OptionValues, { apiKey, baseUrl }: Access, interrupt: AbortController): TrackingClient {
  const timeout = durationOption(values, 'timeout');
  const retry = { limit: numberOption(values, 'retries'), maxRetryAfter: 60_000 };
  const waits = waitsOn(process.stderr);
  const hooks: Hooks = {
    ...waits,
    onRetry(event) {
      if (isNotRunning(event.error, baseUrl.value)) interrupt.abort(event.error);
      else waits.onRetry?.(event);
    },
  };
  return new TrackingClient({
    apiKey: apiKey.value,
    baseUrl: baseUrl.value,
    timeout,
    retry,
    logger: stderrLogger,
    hooks,
  });
}

/**
 * True if the port is on this machine and nothing listens at it. Then a sandbox was not started, so another attempt
 * does not help.
 */
function isNotRunning(error: unknown, baseUrl: string): boolean {
  return error instanceof ConnectionError && neverConnected(error.cause) && isLoopback(new URL(baseUrl).hostname);
}
