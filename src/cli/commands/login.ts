import { text as textOfStream } from 'node:stream/consumers';
import { TrackingClient } from '../../client.ts';
import { NotFoundError } from '../../errors.ts';
import { ACCESS_OPTIONS, deleteStored, findAccess, storeAccess } from '../access.ts';
import { type Command, failed, wrongUsage } from '../command.ts';
import { lineOfTerminal } from '../confirm.ts';
import { failureOf } from '../failure.ts';
import { say } from '../output/print.ts';
import { stderrLogger } from '../output/stderr-logger.ts';

export const login: Command = {
  about:
    'Stores the key and the address of the service in a file of your settings that only you can read, for the commands after this. The key is typed, and not shown, or comes from stdin. It is tried before it is stored. TRACKING_API_KEY and TRACKING_BASE_URL go before what is stored.',
  options: { 'base-url': ACCESS_OPTIONS['base-url'] },
  run: async values => {
    const { baseUrl } = await findAccess(values);
    if (baseUrl === undefined) throw wrongUsage('The address of the service is missing: --base-url.');
    const apiKey = await typedKey(baseUrl.value);
    await tryKey(apiKey, baseUrl.value);
    say(`Stored in ${await storeAccess({ apiKey, baseUrl: baseUrl.value })}.`);
    sayVariable();
  },
};

async function typedKey(baseUrl: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  const text = isTerminal
    ? await lineOfTerminal(`API key of ${baseUrl}: `, { hidden: true })
    : await textOfStream(process.stdin);
  const key = text?.trim();
  if (key) return key;
  throw wrongUsage(
    isTerminal
      ? 'No key was typed. Nothing is stored.'
      : 'There is no key on stdin. Nothing is stored. Pipe it in, or use a terminal.',
  );
}

/** @throws {CommandError} for a key that the service refuses. A service of before November 2026 cannot say it. */
async function tryKey(apiKey: string, baseUrl: string): Promise<void> {
  try {
    const client = new TrackingClient({ apiKey, baseUrl, retry: false, logger: stderrLogger });
    await client.me().catch(error => {
      if (!(error instanceof NotFoundError)) throw error;
    });
    client.close();
  } catch (error) {
    throw failureOf(error);
  }
}

export const logout: Command = {
  about: 'Deletes what the command login has stored.',
  options: {},
  run: async () => {
    const path = await deleteStored().catch((error: Error) => {
      throw failed(`The key is still stored: ${error.message}`);
    });
    say(path === undefined ? 'No key is stored.' : `Deleted ${path}.`);
    sayVariable();
  },
};

function sayVariable(): void {
  if (process.env.TRACKING_API_KEY) say('TRACKING_API_KEY is set, and goes before what is stored.');
}
