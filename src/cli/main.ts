#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { VERSION } from '../version.ts';
import { type Command, CommandError, EXIT, type OptionValues, outputGone, wrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';
import { inWords } from './words.ts';

const GLOBAL_OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

const EXIT_CODES = `Exit codes: 0 done, or a server was stopped by a signal; 1 failed; 2 wrong command line; 3 key refused;
4 not found; 5 rate limited; 6 service not available; 7 still pending; 130 interrupted.
`;

process.stdout.on('error', outputGone);
// Without a reader of messages the work goes on.
process.stderr.on('error', () => {});

void main(asOption(process.argv.slice(2)));

async function main(args: string[]): Promise<void> {
  const name = nameIn(args);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const command = entry && (await entry.load()).command;
  try {
    const { values, positionals } = parsed(args, command);
    if (values.version) return console.log(VERSION);
    const isGroup = positionals.length === 1 && isGroupName(name);
    if (positionals.length === 0 || isGroup || (values.help && (command || isGroupName(name)))) {
      return console.log(helpOf(name, command));
    }
    const given = positionals.slice(0, 2).join(' ').trim();
    if (!command) throw wrongUsage(given ? `There is no command ${given}.` : 'The command is blank.');
    const rest = positionals.slice(name.split(' ').length);
    checkArguments(name, command, rest);
    await command.run(values, rest);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const isWrongUsage = error.exitCode === EXIT.wrongUsage;
    const message = isWrongUsage && command ? inWords(error.message, command) : error.message;
    console.error(isWrongUsage ? `${message}\n\n${helpOf(name, command)}` : message);
    process.exit(error.exitCode);
  }
}

/** `help sync` and `webhooks help` stand for `sync --help` and `webhooks --help`. */
function asOption(args: string[]): string[] {
  const [first = '', second = ''] = args;
  if (first === 'help') return second === 'help' ? ['--help'] : [...args.slice(1), '--help'];
  return isGroupName(first) && second === 'help' ? [first, '--help'] : args;
}

function isGroupName(name: string): boolean {
  return Object.keys(COMMANDS).some(other => other.startsWith(`${name} `));
}

/** A command is one word, such as `track`, or a group and a word, such as `shipments list`. */
function nameIn([first = '', second = '']: string[]): string {
  const both = `${first} ${second}`;
  return Object.hasOwn(COMMANDS, both) ? both : first;
}

function parsed(args: string[], command: Command | undefined): { values: OptionValues; positionals: string[] } {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...command?.options, ...GLOBAL_OPTIONS } });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function checkArguments(name: string, { arguments: names = [] }: Command, given: string[]): void {
  const missing = names[given.length];
  if (missing !== undefined && !missing.startsWith('[')) throw wrongUsage(`The command ${name} needs ${missing}.`);
  const blank = given.findIndex(text => text.trim() === '');
  if (blank >= 0) throw wrongUsage(`${names[Math.min(blank, names.length - 1)] ?? 'An argument'} is blank.`);
  if (given.length > names.length && !names.at(-1)?.includes('...')) {
    throw wrongUsage(`The command ${name} takes no argument ${given[names.length]}.`);
  }
}

/** The help of a command, else of its group, else of all. */
function helpOf(name: string, command: Command | undefined): string {
  const isGroup = isGroupName(name);
  const lines = Object.entries(COMMANDS)
    .filter(([other]) => (command ? other === name : !isGroup || other.startsWith(`${name} `)))
    .map(([, { usage, summary }]) => `  container-tracking ${usage}\n      ${summary}\n`);
  const rest =
    command?.details ?? `  container-tracking help <command>\n      Tells what the options of a command mean.\n`;
  return `container-tracking ${VERSION}\n\n${lines.join('\n')}\n${rest}\n${EXIT_CODES}`;
}
