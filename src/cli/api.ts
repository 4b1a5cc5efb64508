import { TrackingClient } from '../client.ts';
import type { ClientOptions } from '../options.ts';
import { readApiKey } from './api-key.ts';
import { type Command, durationOption, interrupted, numberOption, type OptionValues, textOption } from './command.ts';
import { failureOf } from './failure.ts';
import { stderrLogger } from './output/stderr-logger.ts';
import { waitsOn } from './output/waits.ts';

/** The options of all commands that call the service. */
export const API_OPTIONS = {
  json: { type: 'boolean', help: 'JSON also on a terminal, errors included; in a pipe the output is JSON in any case' },
  'base-url': { type: 'string', value: 'URL', help: 'the address of the service, in place of TRACKING_BASE_URL' },
  'key-file': {
    type: 'string',
    value: 'FILE',
    help: 'a file that holds the API key and that only its owner can read, in place of TRACKING_API_KEY',
  },
  timeout: { type: 'string', value: 'DURATION', default: '30s', help: 'for one request, such as 500ms, 30s or 5m' },
  retries: { type: 'string', value: 'COUNT', default: '4', help: 'attempts after the first' },
} as const satisfies Command['options'];

/**
 * Runs a command that calls the service. An error becomes one line and an exit code. Ctrl+C aborts what is under way.
 *
 * @throws {CommandError}
 */
export async function withClient(
  values: OptionValues,
  run: (client: TrackingClient, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort(interrupted('Interrupted.'));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  let client: TrackingClient | undefined;
  try {
    client = await clientFor(values);
    await run(client, interrupt.signal);
  } catch (error) {
    throw failureOf(error);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    client?.close();
  }
}

async function clientFor(values: OptionValues): Promise<TrackingClient> {
  const timeout = durationOption(values, 'timeout');
  const retry = { limit: numberOption(values, 'retries'), maxRetryAfter: 60_000 };
  const apiKey = await readApiKey(textOption(values, 'key-file'));
  const options: ClientOptions = { apiKey, timeout, retry, logger: stderrLogger, hooks: waitsOn(process.stderr) };
  return new TrackingClient({ ...options, baseUrl: textOption(values, 'base-url') } as ClientOptions);
}
