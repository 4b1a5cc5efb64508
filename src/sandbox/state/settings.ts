import { objectArgument, oneOf, optionNames, refuseUnknownNames } from '../../internal/arguments.ts';
import { finiteAtLeast } from '../base/finite.ts';
import { switches } from './switches.ts';

/** In what accounts of the service differ, beside their features. */
export interface Settings {
  /**
   * With `free_plan` an API key can only create tracking requests and read `GET /me`, with `locked` (an invoice is not paid)
   * nothing: all else is a 401.
   * @default 'customer'
   */
  plan: 'customer' | 'free_plan' | 'locked';
  /**
   * What the customer of a tracking request is: the party, the account of that party, or `null`. The party is then among the
   * party roles.
   * @default 'party'
   */
  customers: 'party' | 'account' | 'none';
  /**
   * What becomes of a document whose bytes are stored already: `reject` is a 409, `replace` deletes the older document, `accept`
   * keeps both. An attachment of an email is then dropped, replaced or kept.
   * @default 'reject'
   */
  repeatedDocuments: 'reject' | 'replace' | 'accept';
  /** How many days a tracking request awaits its manifest before it fails. @default 7 */
  manifestDays: number;
}

const DEFAULTS: Settings = { plan: 'customer', customers: 'party', repeatedDocuments: 'reject', manifestDays: 7 };

const SETTING_NAMES = optionNames<Settings>({
  plan: true,
  customers: true,
  repeatedDocuments: true,
  manifestDays: true,
});

/** Settings that can be changed at any time. A value that there is not, and an unknown name, are refused. */
export function createSettings(settings: Partial<Settings> = {}): Settings {
  return switches(DEFAULTS, settings, checkSettings);
}

/** @throws {ConfigurationError} for a setting or a value that does not exist. */
export function checkSettings(settings: Partial<Settings>): void {
  refuseUnknownNames('settings', objectArgument('settings', settings, "{ plan: 'free_plan' }"), SETTING_NAMES);
  const { plan, customers, repeatedDocuments, manifestDays } = settings;
  if (plan !== undefined) oneOf('settings.plan', plan, ['customer', 'free_plan', 'locked']);
  if (customers !== undefined) oneOf('settings.customers', customers, ['party', 'account', 'none']);
  if (repeatedDocuments !== undefined) {
    oneOf('settings.repeatedDocuments', repeatedDocuments, ['reject', 'replace', 'accept']);
  }
  if (manifestDays !== undefined) finiteAtLeast(0, 'settings.manifestDays', manifestDays);
}
