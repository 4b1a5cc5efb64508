import { ConfigurationError } from '../../errors.ts';
import { describeValue, objectArgument, optionNames, refuseUnknownNames } from '../../internal/arguments.ts';
import { switches } from './switches.ts';

/** The paid features of an account. Without a feature its endpoints answer 403, or its data is missing. */
export interface Features {
  /** Routes, maps and positions of vessels. @default true */
  routing: boolean;
  /** `containers.refresh`. @default true */
  refresh: boolean;
  /** The last free days that railways report. @default true */
  rail: boolean;
  /** Document processing. @default true */
  documents: boolean;
  /** The values of custom fields with an API key. Without it they need the access token of a user. @default true */
  customFields: boolean;
}

const DEFAULTS: Features = { routing: true, refresh: true, rail: true, documents: true, customFields: true };

/** Features that can be switched at any time. A value that is not a boolean, and an unknown name, are refused. */
export function createFeatures(features: Partial<Features> = {}): Features {
  return switches(DEFAULTS, features, checkFeatures);
}

const FEATURE_NAMES = optionNames<Features>({
  routing: true,
  refresh: true,
  rail: true,
  documents: true,
  customFields: true,
});

/** @throws {ConfigurationError} for a feature that does not exist, or a value that is not a boolean. */
export function checkFeatures(features: Partial<Features>): void {
  refuseUnknownNames('features', objectArgument('features', features, '{ routing: false }'), FEATURE_NAMES);
  for (const [name, value] of Object.entries(features)) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new ConfigurationError(`features.${name} is ${describeValue(value)}; it must be true or false.`);
  }
}
