import { text as textOfStream } from 'node:stream/consumers';
import { TrackingClient } from '../../client.ts';
import { NotFoundError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { parseBaseUrl } from '../../transport/settings.ts';
import { ACCESS_OPTIONS, deleteStored, findAccess, type Setting, storeAccess } from '../access.ts';
import { type Command, failed, wrongUsage } from '../command.ts';
import { lineOfTerminal } from '../confirm.ts';
import { failureOf } from '../failure.ts';
import { say } from '../output/print.ts';
import { stderrLogger } from '../output/stderr-logger.ts';
import { ownerOf } from './whoami.ts';

export const login: Command = {
  about:
    'Stores the key and the address of the service in a file of your settings that only you can read, for the commands after this. On a terminal, the address is typed unless it is set, and then the key, which is not shown. Without a terminal, the key comes from stdin. It is tried before it is stored. TRACKING_API_KEY and TRACKING_BASE_URL go before what is stored.',
  options: { 'base-url': ACCESS_OPTIONS['base-url'] },
  run: async values => {
    const { baseUrl } = await findAccess(values);
    const address = baseUrl ?? (await typedAddress());
    checkAddress(address);
    const apiKey = await typedKey(address.value);
    const account = await tryKey(apiKey, address);
    say(printable(account ? `The key is of ${account}.` : `The key ends with ${apiKey.slice(-LAST)}.`));
    say(`Stored in ${await storeAccess({ apiKey, baseUrl: address.value })}.`);
    sayVariable();
  },
};

async function typedAddress(): Promise<Setting> {
  const missing = 'The address of the service is missing: --base-url, or TRACKING_BASE_URL.';
  if (process.stdin.isTTY !== true) throw wrongUsage(missing);
  const line = await lineOfTerminal('Address of the service, such as https://host.example/v2: ');
  if (!line?.trim()) throw wrongUsage(`No address was typed. Nothing is stored. ${missing}`);
  return { value: line.trim(), from: 'what was typed', remedy: 'Check the address.' };
}

/** @throws {CommandError} for an address that no client takes, before a key is typed. */
function checkAddress(address: Setting): void {
  try {
    parseBaseUrl(address.value);
  } catch (error) {
    throw failureOf(error, { baseUrl: address });
  }
}

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

/** So many characters of a key distinguish keys, and nobody can use them. */
const LAST = 4;

/**
 * The account and the user of a key, if the service names them: a service of before November 2026 does not.
 *
 * @throws {CommandError} for a key that the service refuses.
 */
async function tryKey(apiKey: string, baseUrl: Setting): Promise<string> {
  try {
    const client = new TrackingClient({ apiKey, baseUrl: baseUrl.value, retry: false, logger: stderrLogger });
    const credential = await client.me().catch(error => {
      if (!(error instanceof NotFoundError)) throw error;
    });
    client.close();
    return credential ? ownerOf(credential) : '';
  } catch (error) {
    throw failureOf(error, { baseUrl });
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
