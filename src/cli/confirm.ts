import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printable } from '../printable.ts';
import { type Command, failed, type OptionValues, wrongUsage } from './command.ts';

/** The option of commands that need a confirmation before they write. */
export const YES_OPTION = {
  yes: { type: 'boolean', help: 'without a question; needed where there is no terminal' },
} as const satisfies Command['options'];

/**
 * Resolves with `--yes`, or after a yes on the terminal.
 *
 * @throws {CommandError} after any other line, and without a terminal.
 */
export async function confirmed(values: OptionValues, question: string, signal: AbortSignal): Promise<void> {
  if (values.yes === true) return;
  if (process.stdin.isTTY !== true) throw wrongUsage(`${printable(question)} Without a terminal, use --yes.`);
  const line = await lineOfTerminal(`${question} [y/N] `, { signal });
  if (line === undefined) throw wrongUsage(`${printable(question)} The terminal is closed: use --yes.`);
  if (!/^y(es)?$/i.test(line.trim())) throw failed('Nothing was changed.');
}

/**
 * Reads a line that the user types on the terminal; `undefined` if the terminal is closed before the line is complete.
 *
 * @param options.hidden true if the terminal must not show the line.
 */
export async function lineOfTerminal(
  question: string,
  { signal, hidden = false }: { signal?: AbortSignal; hidden?: boolean } = {},
): Promise<string | undefined> {
  const output = hidden ? new Writable({ write: (_, __, done) => done() }) : process.stderr;
  const terminal = createInterface({ input: process.stdin, output, terminal: hidden });
  // The question is printed only now, when the terminal already hides all that the user types.
  if (hidden) process.stderr.write(printable(question));
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  // If Ctrl+D was typed before the terminal hid the line, it arrives as this character.
  const onKey = (_: unknown, { sequence }: { sequence?: string }) => sequence === '\0' && terminal.close();
  if (hidden) process.stdin.on('keypress', onKey);
  try {
    const signals = signal ? [signal, ended.signal] : [ended.signal];
    return await terminal.question(hidden ? '' : printable(question), { signal: AbortSignal.any(signals) });
  } catch (error) {
    signal?.throwIfAborted();
    if (ended.signal.aborted) return undefined;
    throw error;
  } finally {
    process.stdin.off('keypress', onKey);
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
}
