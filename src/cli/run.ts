import { parseArgs } from 'node:util';
import { VERSION } from '../version.ts';
import { type Command, CommandError, type Option, type OptionValues, wrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';
import { isGroupName, optionHint, unknownCommand } from './suggestions.ts';

const GLOBAL_OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  'no-color': { type: 'boolean', default: false },
} as const;

/** Runs a command line. @returns The exit code of a command that has failed. */
export async function run(given: readonly string[]): Promise<number | undefined> {
  const args = asOption(given);
  const name = nameIn(args);
  const isGroup = isGroupName(name);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  let command: Command | undefined;
  try {
    command = (await entry?.load())?.command;
    const { values, positionals } = parsed(args, command);
    if (values['no-color']) withoutColours();
    if (values.version) return print(VERSION);
    if (positionals.length === 0 || (isGroup && positionals.length === 1) || (values.help && (command || isGroup))) {
      const { helpOf } = await import('./help.ts');
      return print(helpOf(name, command, process.stdout.columns));
    }
    if (!command) throw unknownCommand(positionals);
    const rest = positionals.slice(name.split(' ').length);
    checkArguments(name, command, rest);
    const { OUTPUT } = await import('./output/print.ts');
    const chosen = command;
    await OUTPUT.run({ isJson: values.json === true }, () => chosen.run(values, rest));
    return undefined;
  } catch (error) {
    // The reader has closed the pipe: that is not a failure.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
    if (!(error instanceof CommandError)) throw error;
    await tell(error, name, command, args.includes('--json'));
    return error.exitCode;
  }
}

/** Sets NO_COLOR, and deletes FORCE_COLOR: if both are set, Node ignores NO_COLOR. */
function withoutColours(): void {
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}

function print(text: string): undefined {
  process.stdout.write(`${text}\n`);
}

/** `help sync` and `webhooks help` stand for `sync --help` and `webhooks --help`. */
function asOption(args: readonly string[]): string[] {
  const [first = '', second = ''] = args;
  if (first === 'help') return second === 'help' ? ['--help'] : [...args.slice(1), '--help'];
  return isGroupName(first) && second === 'help' ? [first, '--help'] : [...args];
}

/** A command is one word, such as `track`, or a group and a word, such as `shipments list`. */
function nameIn([first = '', second = '']: string[]): string {
  const both = `${first} ${second}`;
  return Object.hasOwn(COMMANDS, both) ? both : first;
}

function parsed(args: string[], command: Command | undefined): { values: OptionValues; positionals: string[] } {
  const options = { ...command?.options, ...GLOBAL_OPTIONS };
  try {
    return parseArgs({ args: joined(args, options), allowPositionals: true, options });
  } catch (error) {
    const option = args.findIndex(text => text.startsWith('-'));
    const isWord = !command && option > 0 && !(option === 1 && isGroupName(args[0] ?? ''));
    if (isWord) throw unknownCommand(args.slice(0, option));
    if (!command && option === 0 && args.length > 1)
      throw wrongUsage(`Options come after the command: container-tracking COMMAND ${args[0]}.`);
    throw wrongUsage(parseMessage(error as NodeJS.ErrnoException, Object.keys(options), command));
  }
}

/** `--sort -arrival` stands for `--sort=-arrival`: only the options `-h` and `-v` begin with one dash. */
function joined(args: readonly string[], options: Readonly<Record<string, Pick<Option, 'type'>>>): string[] {
  const isValue = (text: string, before = '') =>
    before.startsWith('--') && options[before.slice(2)]?.type === 'string' && /^-(?![hv]$)[^-]/.test(text);
  return args.flatMap((text, index) => {
    const next = args[index + 1] ?? '';
    if (isValue(text, args[index - 1])) return [];
    return isValue(next, text) ? `${text}=${next}` : text;
  });
}

function parseMessage({ code, message }: NodeJS.ErrnoException, known: readonly string[], command?: Command): string {
  const [, dashes = '', option = ''] = /'(?:-\w, )?(--?)([^\s'=<]+)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `There is no option ${dashes}${option}.${optionHint(option, known, command)}`;
  }
  if (message.includes('does not take an argument')) return `--${option} takes no value.`;
  if (message.includes('ambiguous'))
    return `--${option} needs a value. A value that begins with two dashes is written after "=": --${option}=--….`;
  return message.includes('argument missing') ? `--${option} needs a value.` : message;
}

/** The options that take the place of further arguments. */
const HINTS = [
  ['filter', ' To choose records, use --filter: --help lists the filters.'],
  ['sqlite', ' To name the database, use --sqlite FILE or --postgres URL.'],
  ['from', ' For the numbers of a file, use --from FILE --to FILE.'],
] as const;

function checkArguments(name: string, { arguments: names = [], options }: Command, given: string[]): void {
  const missing = names[given.length];
  if (missing !== undefined && !missing.startsWith('[')) throw wrongUsage(`The command ${name} needs ${missing}.`);
  const blank = given.findIndex(text => text.trim() === '');
  if (blank >= 0) throw wrongUsage(`${names[Math.min(blank, names.length - 1)] ?? 'An argument'} is blank.`);
  if (given.length > names.length && !names.at(-1)?.includes('...')) {
    const isVerb = ['get', 'show', 'view'].includes(given[0] ?? '') && given.length === names.length + 1;
    const hint = isVerb
      ? ` Did you mean ${[name, ...given.slice(1)].join(' ')}?`
      : (HINTS.find(([option]) => Object.hasOwn(options, option))?.[1] ?? '');
    throw wrongUsage(`The command ${name} takes no argument ${given[names.length]}.${hint}`);
  }
}

/**
 * Prints why a command has failed: one line of JSON for programs, otherwise the message. If the command line was wrong,
 * the command that prints the help follows.
 */
async function tell(error: CommandError, name: string, command: Command | undefined, isJson: boolean): Promise<void> {
  const { inWords } = await import('./words.ts');
  const message = command ? inWords(error.message, command) : error.message;
  if (isJson) {
    const { printableJson } = await import('./output/printable.ts');
    process.stderr.write(`${printableJson({ ...error.details, message })}\n`);
    return;
  }
  process.stderr.write(`${message}\n`);
  if (error.details.code !== 'wrong_usage') return;
  const { pageOf } = await import('./help.ts');
  process.stderr.write(`See: ${pageOf(name, command)}\n`);
}
