import { hintOf } from '../internal/meant-name.ts';

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** Placeholder of its value in the help, such as `FILE`. */
  readonly value?: string;
  /** Its meaning, for the help. */
  readonly help: string;
  /** True if it may be repeated. */
  readonly multiple?: boolean;
  /** The value if the option is missing. */
  readonly default?: string | string[];
  /** Values that shell completion offers. */
  readonly values?: readonly string[];
}

/** A command. The file of a command is loaded only when the command is called. */
export interface Command {
  /** Paragraphs of its help, after the summary. */
  readonly about?: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Its arguments besides options, in this order; the last may be optional, as in `[FILE]`, or repeated, as in `ID...`. */
  readonly arguments?: readonly string[];
  /** Values that shell completion offers for the first argument. */
  readonly argumentValues?: readonly string[];
  /** Resolves when the command is done, or when its server has started. A server keeps the process alive. */
  run(values: OptionValues, args: readonly string[]): Promise<void>;
}

/** The given options: a text, `true` for a switch, or a list for an option that may be repeated. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** The exit codes of the commands. */
export const EXIT = {
  /** The command did not do its task. */
  failed: 1,
  /** The command line is wrong, or an argument fits several records. */
  wrongUsage: 2,
  /** The key is wrong, or does not have the permission for the command. */
  refused: 3,
  notFound: 4,
  rateLimited: 5,
  /** There was no response, or the response says that the service has failed. */
  unavailable: 6,
  /** The time for waiting is over, and the outcome is not known yet. */
  pending: 7,
  /** Another process is already doing the task of the command. */
  busy: 8,
  interrupted: 130,
} as const;

/** Facts about an error for programs, in addition to its message. */
export interface FailureDetails {
  /** A word for the cause: the library's error code, if there is one. */
  code: string;
  /** True if the same command may succeed later. */
  retryable: boolean;
  [name: string]: unknown;
}

/** Ends a command, with a message for stderr and an exit code. */
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

/** @param candidates the records that the user may have meant. */
export function ambiguous(
  message: string,
  candidates: readonly { readonly id: string; readonly [name: string]: unknown }[],
): CommandError {
  return new CommandError(message, EXIT.wrongUsage, { code: 'ambiguous', retryable: false, candidates });
}

export function notFound(message: string): CommandError {
  return new CommandError(message, EXIT.notFound, { code: 'not_found', retryable: false });
}

export function interrupted(message: string): CommandError {
  return new CommandError(message, EXIT.interrupted, { code: 'interrupted', retryable: true });
}

/** The text of an option; `undefined` if the option was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  return values[name] as string | undefined;
}

/** The text of an option that the command needs. @throws {CommandError} if the option is missing. */
export function neededOption(values: OptionValues, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw wrongUsage(`--${name} is missing.`);
  return value;
}

/** @throws {CommandError} if more than one of these options is given. */
export function exclusive(values: OptionValues, names: readonly string[]): void {
  const given = names.filter(name => values[name] !== undefined);
  if (given.length > 1) throw wrongUsage(`${given.map(name => `--${name}`).join(' and ')} exclude each other.`);
}

/** All values of an option that may be repeated. A value may contain commas. */
export function textsOption(values: OptionValues, name: string): string[] {
  const texts = (values[name] as string[] | undefined) ?? [];
  return texts.map(text => text.trim()).filter(Boolean);
}

/** All values of an option that may be repeated. Each text may have several values, separated by commas. */
export function listOption(values: OptionValues, name: string): string[] {
  return textsOption(values, name)
    .flatMap(text => text.split(',').map(part => part.trim()))
    .filter(Boolean);
}

/** The value of an option with known values. @throws {CommandError} for any other value. */
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

/** @throws {CommandError} unless the option is a valid port number. */
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
 * @param bare the unit if the option is only a number.
 * @throws {CommandError} unless the option is a duration above 0.
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

/** A duration in the form that the options take: `3s` for 3000 ms. */
export function inUnits(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

const atOutputGone: (() => void)[] = [];

/**
 * Calls `end` when nobody reads the output any more. A command that does not use this function exits immediately in
 * this case.
 */
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
