import { text as textOfStream } from 'node:stream/consumers';
import { TrackingClient } from '../../client.ts';
import { NotFoundError } from '../../errors.ts';
import { isRecord } from '../../jsonapi/document.ts';
import { printable } from '../../printable.ts';
import { parseBaseUrl } from '../../transport/settings.ts';
import { ACCESS_OPTIONS, deleteStored, findAccess, type Setting, storeAccess } from '../access.ts';
import { type Command, CommandError, EXIT, failed, wrongUsage } from '../command.ts';
import { lineOfTerminal } from '../confirm.ts';
import { failureOf } from '../failure.ts';
import { say } from '../output/print.ts';
import { stderrLogger } from '../output/stderr-logger.ts';
import { ownerOf } from './whoami.ts';

export const login: Command = {
  about:
    'Stores the key and the address of the service in a settings file that only you can read. Later commands use them. On a terminal, you type the address, unless it is set, and then the key, which is not shown. You may type a wrong line again, two times. Without a terminal, the key comes from stdin. It is tried before it is stored. A stored key is only used for the address that it was stored with. TRACKING_API_KEY and TRACKING_BASE_URL have priority over the stored values.',
  options: { 'base-url': ACCESS_OPTIONS['base-url'] },
  run: async values => {
    const { baseUrl } = await findAccess(values);
    let address = baseUrl && checked(baseUrl);
    for (let left = isTerminal() ? MOST_TRIES : 1; ; left -= 1) {
      try {
        address ??= checked(await typedAddress());
        const apiKey = await typedKey(address.value);
        const account = await tryKey(apiKey, address);
        say(printable(account ? `The key is of ${account}.` : `The key ends with ${apiKey.slice(-LAST)}.`));
        say(`Stored in ${await storeAccess({ apiKey, baseUrl: address.value })}.`);
        sayVariable();
        return;
      } catch (error) {
        if (left === 1 || !(error instanceof CommandError) || error instanceof TerminalClosed) throw error;
        if (error.details.code === 'wrong_address' || error.exitCode === EXIT.unavailable) {
          if (baseUrl) throw error;
          address = undefined;
        }
        say(error.message);
      }
    }
  },
};

/** The command ends after this number of wrong lines. */
const MOST_TRIES = 3;

class TerminalClosed extends CommandError {}

const isTerminal = () => process.stdin.isTTY === true;

/** @throws {CommandError} for a blank line, and if the terminal is closed. */
async function typed(question: string, missing: string, hidden = false): Promise<string> {
  const line = await lineOfTerminal(question, { hidden });
  const text = line?.trim();
  if (text) return text;
  const { message, exitCode, details } = wrongUsage(missing);
  throw line === undefined ? new TerminalClosed(message, exitCode, details) : wrongUsage(missing);
}

async function typedAddress(): Promise<Setting> {
  const missing = 'The address of the service is missing: --base-url, or TRACKING_BASE_URL.';
  if (!isTerminal()) throw wrongUsage(missing);
  const value = await typed(
    'Address of the service, such as https://host.example/v2: ',
    `No address was typed. Nothing is stored. ${missing}`,
  );
  return { value, from: 'your input', remedy: 'Check the address.' };
}

/**
 * Checks the address. On a terminal, an address without a version gets the version of the service: `/v2`.
 *
 * @throws {CommandError} for an address that the client rejects. The error comes before the user types a key.
 */
function checked(address: Setting): Setting {
  const withVersion = `${address.value.replace(/\/+$/, '')}/v2`;
  const lacksVersion = !isAddress(address.value) && isAddress(withVersion);
  if (lacksVersion && isTerminal()) {
    say(`The address has no version: ${withVersion} is used.`);
    return { ...address, value: withVersion };
  }
  try {
    parseBaseUrl(address.value);
    return address;
  } catch (error) {
    const failure = failureOf(error, { baseUrl: address });
    throw lacksVersion && failure instanceof CommandError
      ? wrongUsage(`${failure.message} Did you mean ${withVersion}?`)
      : failure;
  }
}

function isAddress(value: string): boolean {
  try {
    return parseBaseUrl(value) !== '';
  } catch {
    return false;
  }
}

async function typedKey(baseUrl: string): Promise<string> {
  if (isTerminal()) return typed(`API key of ${baseUrl}: `, 'No key was typed. Nothing is stored.', true);
  const key = (await textOfStream(process.stdin)).trim();
  if (key) return key;
  throw wrongUsage('There is no key on stdin. Nothing is stored. Pipe it in, or use a terminal.');
}

/** Number of characters of a key that are shown: enough to distinguish keys, but too few to use them. */
const LAST = 4;

/**
 * The account and the user of a key. Empty if the service is older than November 2026. Such a service does not have
 * this operation, and responds with 404 and JSON.
 *
 * @throws {CommandError} for a key that the service refuses, and for an address that does not belong to the service.
 */
async function tryKey(apiKey: string, baseUrl: Setting): Promise<string> {
  const client = new TrackingClient({ apiKey, baseUrl: baseUrl.value, retry: false, logger: stderrLogger });
  try {
    return ownerOf(await client.me());
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw failureOf(error, { baseUrl });
    if (!isRecord(error.body)) {
      const message = `${baseUrl.value} does not look like the service. Nothing is stored. ${baseUrl.remedy}`;
      throw new CommandError(message, EXIT.wrongUsage, { code: 'wrong_address', retryable: false });
    }
    return '';
  } finally {
    client.close();
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
  if (process.env.TRACKING_API_KEY) say('TRACKING_API_KEY is set, and has priority over the stored key.');
}
