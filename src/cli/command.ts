import { nearName } from '../internal/near-name.ts';
import { spelled } from './spelled.ts';

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** Placeholder of its value in the help, such as `FILE`. */
  readonly value?: string;
  /** Its meaning, for the help. */
  readonly help: string;
  /** True if it may be repeated. */
  readonly multiple?: boolean;
  /** Used where the option is missing. */
  readonly default?: string | string[];
  /** Values that a shell completes. */
  readonly values?: readonly string[];
}

/** A command, in a file of its own that is loaded when it is called. */
export interface Command {
  /** Paragraphs of its help, after the summary. */
  readonly about?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Its arguments besides options, in this order; the last may be optional, as in `[FILE]`, or repeated, as in `ID...`. */
  readonly arguments?: readonly string[];
  /** Values that a shell completes for the first argument. */
  readonly argumentValues?: readonly string[];
  /** Resolves when there is nothing more to start. A server then keeps the process alive. */
  run(values: OptionValues, args: readonly string[]): Promise<void>;
}

/** The options as they were given: a text, `true` for a switch, or a list for an option that may be repeated. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Each code that a command may end with. */
export const EXIT = {
  /** The command did not do its task. */
  failed: 1,
  /** The command line is wrong. Its usage is printed too. */
  wrongUsage: 2,
  /** The key is wrong, or may not do this. */
  refused: 3,
  notFound: 4,
  rateLimited: 5,
  /** There was no response, or one that says that the service has failed. */
  unavailable: 6,
  /** The time for waiting is over, and the outcome is still open. */
  pending: 7,
  /** Another process does the same. */
  busy: 8,
  interrupted: 130,
} as const;

/** Facts about an error for programs, beside its message. */
export interface FailureDetails {
  /** A word for the cause: that of the library where it has one. */
  code: string;
  /** True if the same command may succeed later. */
  retryable: boolean;
  [name: string]: unknown;
}

/** The end of a command: what to print on stderr, and the exit code. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly details: FailureDetails;

  constructor(message: string, exitCode: number, details: FailureDetails) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}

export function wrongUsage(message: string): CommandError {
  return new CommandError(message, EXIT.wrongUsage, { code: 'wrong_usage', retryable: false });
}

export function failed(message: string): CommandError {
  return new CommandError(message, EXIT.failed, { code: 'failed', retryable: false });
}

/** @param candidates the records that could have been meant. */
export function ambiguous(
  message: string,
  candidates: readonly { readonly type: string; readonly id: string; readonly [name: string]: unknown }[],
): CommandError {
  return new CommandError(message, EXIT.failed, { code: 'ambiguous', retryable: false, candidates });
}

export function notFound(message: string): CommandError {
  return new CommandError(message, EXIT.notFound, { code: 'not_found', retryable: false });
}

export function interrupted(message: string): CommandError {
  return new CommandError(message, EXIT.interrupted, { code: 'interrupted', retryable: true });
}

/** `did you mean …?`, or nothing. */
export function hintOf(name: string, known: readonly string[]): string {
  const near = meantName(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** A shorter name differs from too many others in two letters. */
const LEAST_MISSPELT = 4;

/**
 * The known name that a misspelt or a short one stands for: `lfd` for `last-free-day`, `terminal` for `pod-terminal`, `bol` for
 * `bill-of-lading`, `nr` for `number`.
 */
export function meantName(name: string, known: readonly string[]): string | undefined {
  const given = spelled(name);
  const names = known.map(spelled);
  const meant =
    names.find(each => initialsOf(each) === given) ??
    (given.length < LEAST_MISSPELT ? undefined : nearName(given, names)) ??
    names.find(each => each.startsWith(given) || (given.length > 2 && each.split(/[-.]/).includes(given))) ??
    (given.length < LEAST_MISSPELT ? names.find(each => isAbbreviation(given, each)) : undefined);
  return meant === undefined ? undefined : known[names.indexOf(meant)];
}

/** True if the letters are in the word in this order, and begin it: `nr` of `number`. */
function isAbbreviation(given: string, word: string): boolean {
  let left = given;
  for (const letter of word) if (left.startsWith(letter)) left = left.slice(1);
  return left === '' && word.startsWith(given.charAt(0));
}

const initialsOf = (name: string) => Array.from(name.matchAll(/(?:^|[-.])(\w)/g), ([, letter]) => letter).join('');

/** An option with a text; `undefined` if it was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  return values[name] as string | undefined;
}

/** An option whose value must be there. @throws {CommandError} if it is missing. */
export function neededOption(values: OptionValues, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw wrongUsage(`--${name} is missing.`);
  return value;
}

/** An option that may be repeated, each with several values between commas. */
export function listOption(values: OptionValues, name: string): string[] {
  const texts = (values[name] as string[] | undefined) ?? [];
  return texts.flatMap(text => text.split(',').map(part => part.trim())).filter(Boolean);
}

/** An option with one of some values. @throws {CommandError} for another one. */
export function choiceOption<T extends string>(values: OptionValues, name: string, known: readonly T[]): T | undefined {
  const value = textOption(values, name);
  if (value === undefined || known.includes(value as T)) return value as T | undefined;
  throw wrongUsage(`--${name} must be ${known.join(' or ')}, not ${value}.${hintOf(value, known)}`);
}

/** @throws {CommandError} unless the option is a number of at least 0. */
export function numberOption(values: OptionValues, name: string): number {
  const text = String(values[name]);
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) {
    throw wrongUsage(`--${name} must be a number of at least 0, not ${text}.`);
  }
  return value;
}

/** @throws {CommandError} unless the option is a number that a port can have. */
export function portOption(values: OptionValues, name = 'port'): number {
  const value = numberOption(values, name);
  if (!Number.isInteger(value) || value > 65_535)
    throw wrongUsage(`--${name} must be from 0 to 65535, not ${values[name]}.`);
  return value;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A duration such as `500ms`, `30s`, `5m`, `2h` or `1d`, in ms.
 *
 * @param bare the unit of a number without one.
 * @throws {CommandError} unless it is one above 0.
 */
export function durationOption(values: OptionValues, name: string, bare: keyof typeof UNITS = 's'): number {
  const [, count, unit = bare] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(values[name]).trim()) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (ms > 0) return ms;
  throw wrongUsage(`--${name} must be a duration such as 30s, 5m, 2h or 1d, not ${values[name]}.`);
}

/** A number of days, such as `3` or `3d`. @throws {CommandError} unless it is a whole number of at least `least`. */
export function daysOption(values: OptionValues, name: string, least: number): number {
  const [, text] = /^(\d+)d?$/.exec(String(values[name]).trim()) ?? [];
  const days = Number(text);
  if (days >= least) return days;
  throw wrongUsage(
    `--${name} must be a whole number of days, at least ${least}, such as 3 or 3d, not ${values[name]}.`,
  );
}

/** A duration as the options take it: `3s` for 3000 ms. */
export function inUnits(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

const atOutputGone: (() => void)[] = [];

/** Calls `end` when nobody reads the output any more. A command that does not use it is ended at once. */
export function onOutputGone(end: () => void): void {
  atOutputGone.push(end);
}

/** A reader such as `head` may close the pipe: that is not a failure. */
export function outputGone({ code, message }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') {
    process.stderr.write(`The output cannot be written: ${message}\n`);
    process.exitCode = EXIT.failed;
  }
  if (atOutputGone.length === 0) process.exit();
  for (const end of atOutputGone) end();
}

/** Calls `close` after SIGINT or SIGTERM, and then ends the process. */
export function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().then(() => process.exit(0)));
  }
}
