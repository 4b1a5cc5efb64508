import type { ParseArgsConfig } from 'node:util';

/** A command, in a file of its own that is loaded when it is called. */
export interface Command {
  /** What follows the general line in its help: each option, one a line. */
  readonly details: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** What it takes besides options, in this order; the last may be optional, as in `[FILE]`, or repeated, as in `ID...`. */
  readonly arguments?: readonly string[];
  /** Resolves when there is nothing more to start. A server then keeps the process alive. */
  run(values: OptionValues, args: readonly string[]): Promise<void>;
}

/** The options as they were given: a text, `true` for a switch, or a list for an option that may be repeated. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** The end of a command: what to print on stderr, and the exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Each code that a command may end with. */
export const EXIT = {
  /** The command did not do what it was asked for. */
  failed: 1,
  /** The command line is wrong. The help of the command is printed too. */
  wrongUsage: 2,
  /** The key is wrong, or may not do this. */
  refused: 3,
  notFound: 4,
  rateLimited: 5,
  /** No answer, or an answer that tells of a failure of the service. */
  unavailable: 6,
  /** The time for waiting is over, and the outcome is still open. */
  pending: 7,
  interrupted: 130,
} as const;

export function wrongUsage(message: string): CommandError {
  return new CommandError(message, EXIT.wrongUsage);
}

export function failed(message: string): CommandError {
  return new CommandError(message, EXIT.failed);
}

/** An option with a text; `undefined` if it was not given. */
export function textOption(values: OptionValues, name: string): string | undefined {
  return values[name] as string | undefined;
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

/** @throws {CommandError} unless the option is a number above 0. */
export function positiveOption(values: OptionValues, name: string): number {
  const value = Number(values[name]);
  if (!(value > 0)) throw wrongUsage(`--${name} must be a number above 0, not ${values[name]}.`);
  return value;
}

const atOutputGone: (() => void)[] = [];

/** Calls `end` when nobody reads the output any more. A command that does not ask for it is ended at once. */
export function onOutputGone(end: () => void): void {
  atOutputGone.push(end);
}

/** A reader such as `head` may close the pipe: that is no failure. */
export function outputGone({ code, message }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') {
    console.error(`The output cannot be written: ${message}`);
    process.exitCode = EXIT.failed;
  }
  if (atOutputGone.length === 0) process.exit();
  for (const end of atOutputGone) end();
}

/** Calls `close` when the process is told to end, and then ends it. */
export function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().then(() => process.exit(0)));
  }
}
