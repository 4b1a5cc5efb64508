import { TrackingClient } from '../client.ts';
import type { ClientOptions } from '../options.ts';
import { readApiKey } from './api-key.ts';
import {
  type Command,
  CommandError,
  EXIT,
  numberOption,
  type OptionValues,
  positiveOption,
  textOption,
} from './command.ts';
import { failureOf } from './failure.ts';
import { stderrLogger } from './output/stderr-logger.ts';

/** The options of all commands that call the service. */
export const API_OPTIONS = {
  'base-url': { type: 'string' },
  'key-file': { type: 'string' },
  timeout: { type: 'string', default: '30' },
  retries: { type: 'string', default: '4' },
  json: { type: 'boolean', default: false },
} as const satisfies Command['options'];

/** Their lines in the help. */
export const API_DETAILS = `
      --json      JSON also on a terminal; in a pipe it is JSON in any case
      --base-url  the address of the service, in place of TRACKING_BASE_URL
      --key-file  a file that holds the API key and that only its owner can read, in place of TRACKING_API_KEY
      --timeout   seconds for one request, 30 unless given
      --retries   attempts after the first, 4 unless given
`;

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
  const stop = () => interrupt.abort(new CommandError('Interrupted.', EXIT.interrupted));
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
  const timeout = 1000 * positiveOption(values, 'timeout');
  const retry = { limit: numberOption(values, 'retries'), maxRetryAfter: 60_000 };
  const apiKey = await readApiKey(textOption(values, 'key-file'));
  const options: ClientOptions = { apiKey, timeout, retry, logger: stderrLogger };
  return new TrackingClient({ ...options, baseUrl: textOption(values, 'base-url') } as ClientOptions);
}
