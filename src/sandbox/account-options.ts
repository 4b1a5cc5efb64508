import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument, oneOf, optionNames, refuseUnknownNames } from '../internal/arguments.ts';
import { checkShipmentCount } from './service/populate.ts';
import type { ListsOf } from './state/backend.ts';
import { checkFeatures, type Features } from './state/features.ts';
import { checkSettings, type Settings } from './state/settings.ts';

/** What one account of a sandbox starts with. */
export interface AccountOptions {
  /**
   * The accepted keys, as `Authorization: Token <key>` or, not for MCP, `Authorization: Bearer <key>`. Each key has its own
   * rate limit. No two accounts have the same key.
   * @default the name of the account
   */
  apiKeys?: readonly string[] | undefined;
  /** The name of the company. @default the name of the account; without the option `accounts`: 'Sandbox' */
  companyName?: string | undefined;
  /** The paid features of the account, see {@link Features}. @default all */
  features?: Partial<Features> | undefined;
  /** In what the account differs from others, see {@link Settings}. @default those of a paying customer */
  settings?: Partial<Settings> | undefined;
  /**
   * What its lists of shipments and containers do with filters and `sort`. `older`: as before filters were documented; `sort` and
   * all filters are ignored, but for `number`, `q` and `filter[tracking_stopped]` of shipments and `filter[number]` of containers.
   * @default 'current'
   */
  lists?: 'current' | 'older' | undefined;
  /**
   * How many shipments the account has at the start: in all phases, with their tracking requests, customers and documents. For
   * every ten there is also a request that has failed, and one that awaits its manifest. At most 100,000.
   * @default 0
   */
  shipments?: number | undefined;
}

const ACCOUNT_NAMES = optionNames<AccountOptions>({
  apiKeys: true,
  companyName: true,
  features: true,
  settings: true,
  lists: true,
  shipments: true,
});

/** The account of a sandbox that was created without the option `accounts`. */
export const ONLY_ACCOUNT = 'sandbox';

/** The accounts that the options ask for, by name. */
export function accountsOf({
  accounts,
  ...only
}: AccountOptions & { accounts?: Readonly<Record<string, AccountOptions>> | undefined }): [string, AccountOptions][] {
  return accounts === undefined ? [[ONLY_ACCOUNT, { companyName: 'Sandbox', ...only }]] : Object.entries(accounts);
}

/** @throws {ConfigurationError} for an unknown option, a value that is out of range, and a key that is used twice. */
export function checkAccounts(accounts: unknown): void {
  const given = Object.entries(objectArgument('accounts', accounts ?? {}, "{ acme: { apiKeys: ['acme-key'] } }"));
  if (given.length === 0) throw new ConfigurationError('accounts is empty; name at least one account.');
  const owners = new Map<string, string>();
  for (const [name, options] of given) {
    if (name.trim() === '') throw new ConfigurationError('The name of an account is blank.');
    checkAccount(`accounts.${name}`, options);
    for (const key of (options as AccountOptions).apiKeys ?? [name]) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new ConfigurationError(`The accounts ${owner} and ${name} have the same API key; each needs its own.`);
      }
      owners.set(key, name);
    }
  }
}

/** @throws {ConfigurationError} for another value. */
export function checkLists(lists: ListsOf): void {
  oneOf('lists', lists, ['current', 'older']);
}

/** @throws {ConfigurationError} for an unknown option, or a value that is out of range. */
export function checkAccount(what: string, options: AccountOptions): void {
  refuseUnknownNames(what, objectArgument(what, options, '{ shipments: 20 }'), ACCOUNT_NAMES);
  const { apiKeys = ['sandbox'], companyName = 'Sandbox' } = options;
  if (!Array.isArray(apiKeys) || apiKeys.length === 0 || !apiKeys.every(key => typeof key === 'string' && key !== '')) {
    throw new ConfigurationError("apiKeys must be an array of keys, such as ['sandbox'].");
  }
  if (typeof companyName !== 'string') {
    throw new ConfigurationError(`companyName is ${describeValue(companyName)}; it must be a string.`);
  }
  checkFeatures(options.features ?? {});
  checkSettings(options.settings ?? {});
  checkLists(options.lists ?? 'current');
  checkShipmentCount('shipments', options.shipments ?? 0);
}
