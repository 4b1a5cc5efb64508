#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { VERSION } from '../version.ts';
import { type Command, CommandError, type OptionValues, WRONG_USAGE, wrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';

const GLOBAL_OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

const EXIT_CODES = `Exit codes: 0 done, or stopped by a signal; 1 failed; 2 wrong command line.
`;

void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const [name = ''] = args;
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const command = entry && (await entry.load()).command;
  try {
    const { values, positionals } = parsed(args, command);
    if (values.version) return console.log(VERSION);
    if (values.help || positionals.length === 0) return console.log(helpOf(name, command));
    if (!command) throw wrongUsage(`There is no command ${positionals[0]}.`);
    if (positionals.length > 1) throw wrongUsage(`The command ${name} takes no argument ${positionals[1]}.`);
    await command.run(values);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const help = error.exitCode === WRONG_USAGE ? `\n\n${helpOf(name, command)}` : '';
    console.error(`${error.message}${help}`);
    process.exit(error.exitCode);
  }
}

function parsed(args: string[], command: Command | undefined): { values: OptionValues; positionals: string[] } {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...command?.options, ...GLOBAL_OPTIONS } });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function helpOf(name: string, command: Command | undefined): string {
  const lines = Object.entries(COMMANDS)
    .filter(([other]) => command === undefined || other === name)
    .map(([, { usage, summary }]) => `  container-tracking ${usage}\n      ${summary}\n`);
  const rest =
    command?.details ?? `  container-tracking <command> --help\n      Tells what the options of a command mean.\n`;
  return `container-tracking ${VERSION}\n\n${lines.join('\n')}\n${rest}\n${EXIT_CODES}`;
}
