import type { ParseArgsConfig } from 'node:util';

/** A command, in a file of its own that is loaded when it is called. */
export interface Command {
  /** What follows the general line in its help: each option, one a line. */
  readonly details: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Resolves when there is nothing more to start. A server then keeps the process alive. */
  run(values: OptionValues): Promise<void>;
}

/** The options as they were given: a text, or `true` for a switch. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** The end of a command: what to print on stderr, and the exit code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command did not do what it was asked for. */
export const FAILED = 1;
/** The command line is wrong. The help of the command is printed too. */
export const WRONG_USAGE = 2;

export function wrongUsage(message: string): CommandError {
  return new CommandError(message, WRONG_USAGE);
}

export function failed(message: string): CommandError {
  return new CommandError(message, FAILED);
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

/** Calls `close` when the process is told to end, and then ends it. */
export function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().then(() => process.exit(0)));
  }
}
