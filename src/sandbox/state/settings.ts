import { ConfigurationError } from '../../errors.ts';
import { describeValue, objectArgument, oneOf, refuseUnknownNames } from '../../internal/arguments.ts';
import { finiteAtLeast } from '../base/checks.ts';

/**
 * The paid features of an account. Without a feature, its endpoints respond with 403, or its data or events are
 * missing.
 */
export interface Features {
  /** Routes, maps and positions of vessels. @default true */
  routing: boolean;
  /** `containers.refresh`. @default true */
  refresh: boolean;
  /** The last free days that railways report. @default true */
  rail: boolean;
  /** The events of documents. Uploads and downloads work without the feature too. @default true */
  documents: boolean;
  /**
   * API keys can read values of custom fields. Without the feature, only access tokens of users can read them. @default
   * true
   */
  customFields: boolean;
}

const FEATURES: Features = { routing: true, refresh: true, rail: true, documents: true, customFields: true };

/**
 * Features that can be switched at any time. An unknown name throws an error. A value that is not a boolean throws an
 * error too.
 */
export function createFeatures(features: Partial<Features> = {}): Features {
  return switches(FEATURES, features, checkFeatures);
}

/** @throws {ConfigurationError} for a feature that does not exist, or a value that is not a boolean. */
export function checkFeatures(features: Partial<Features>): void {
  refuseUnknownNames('features', objectArgument('features', features, '{ routing: false }'), Object.keys(FEATURES));
  for (const [name, value] of Object.entries(features)) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new ConfigurationError(`features.${name} is ${describeValue(value)}; it must be true or false.`);
  }
}

/** The differences between accounts of the service, apart from their features. */
export interface Settings {
  /**
   * With `free_plan`, an API key can only create tracking requests and read `GET /me`. With `locked` (an invoice is not
   * paid), an API key can do nothing. All other requests get a 401.
   * @default 'customer'
   */
  plan: 'customer' | 'free_plan' | 'locked';
  /**
   * The customer that a response shows for a tracking request: the party, the account of that party, or `null`. With
   * `none`, the party appears only among the party roles.
   * @default 'party'
   */
  customers: 'party' | 'account' | 'none';
  /**
   * The treatment of a document whose bytes are already stored: `reject` responds with 409, `replace` deletes the older
   * document, `accept` keeps both documents. If the document is an attachment of an email, `reject` drops the
   * attachment.
   * @default 'reject'
   */
  repeatedDocuments: 'reject' | 'replace' | 'accept';
  /** Time in days for which a tracking request awaits its manifest before it fails. @default 7 */
  manifestDays: number;
}

const SETTINGS: Settings = { plan: 'customer', customers: 'party', repeatedDocuments: 'reject', manifestDays: 7 };

/** Settings that can be changed at any time. An unknown name or an unknown value throws an error. */
export function createSettings(settings: Partial<Settings> = {}): Settings {
  return switches(SETTINGS, settings, checkSettings);
}

/** @throws {ConfigurationError} for a setting or a value that does not exist. */
export function checkSettings(settings: Partial<Settings>): void {
  refuseUnknownNames('settings', objectArgument('settings', settings, "{ plan: 'free_plan' }"), Object.keys(SETTINGS));
  const { plan, customers, repeatedDocuments, manifestDays } = settings;
  if (plan !== undefined) oneOf('settings.plan', plan, ['customer', 'free_plan', 'locked']);
  if (customers !== undefined) oneOf('settings.customers', customers, ['party', 'account', 'none']);
  if (repeatedDocuments !== undefined) {
    oneOf('settings.repeatedDocuments', repeatedDocuments, ['reject', 'replace', 'accept']);
  }
  if (manifestDays !== undefined) finiteAtLeast(0, 'settings.manifestDays', manifestDays);
}

/**
 * An object whose values can be changed at any time. Names cannot be added.
 *
 * @param check Throws an error for a value that is not allowed.
 */
function switches<T extends object>(defaults: T, given: Partial<T>, check: (changes: Partial<T>) => void): T {
  const values: T = { ...defaults };
  const switched = {} as T;
  for (const name of Object.keys(defaults) as (keyof T)[]) {
    values[name] = given[name] ?? defaults[name];
    Object.defineProperty(switched, name, {
      enumerable: true,
      get: () => values[name],
      set(value: T[keyof T]) {
        check({ [name]: value ?? null } as Partial<T>);
        values[name] = value;
      },
    });
  }
  return Object.seal(switched);
}
