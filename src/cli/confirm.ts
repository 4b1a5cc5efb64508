import { createInterface } from 'node:readline/promises';
import { printable } from '../printable.ts';
import { type Command, failed, type OptionValues, wrongUsage } from './command.ts';

/** The option of commands that need a confirmation before they write. */
export const YES_OPTION = {
  yes: { type: 'boolean', help: 'without a question; needed where there is no terminal' },
} as const satisfies Command['options'];

/** Needs a yes on the terminal, or `--yes`. @throws {CommandError} after a no, and without a terminal. */
export async function confirmed(values: OptionValues, question: string, signal: AbortSignal): Promise<void> {
  if (values.yes === true) return;
  if (process.stdin.isTTY !== true) throw wrongUsage(`${printable(question)} Without a terminal, use --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${printable(question)} [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw failed('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
