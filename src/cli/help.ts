import { VERSION } from '../version.ts';
import type { Command, Option } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { isGroupName } from './suggestions.ts';

const PROGRAM = 'container-tracking';

/** Variables of the environment that commands read. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  TRACKING_API_KEY: 'the API key',
  TRACKING_BASE_URL: 'the address of the service with its version, such as https://host.example/v2',
  TRACKING_WEBHOOK_SECRET: 'the secret of a webhook',
  TRACKING_WEBHOOK_HEADER: 'the name of the header with the signature of deliveries',
  DATABASE_URL: 'the database of sync and of an inbox, with its password',
  PGPASSWORD: 'the password of PostgreSQL',
  REDIS_URL: 'the Redis of an inbox',
  NO_COLOR: 'any value: tables have no colours',
};

export const EXIT_CODES =
  'Exit codes: 0 done, or a server was stopped by a signal; 1 failed; 2 wrong command line or address, or an argument that fits several records; 3 key refused; 4 not found; 5 rate limited; 6 service not available; 7 still pending; 8 another process is doing this already; 130 interrupted.';

/** The command that prints the help of a command, of a group, or of all commands. */
export function pageOf(name: string, command: Command | undefined): string {
  return [PROGRAM, 'help', command || isGroupName(name) ? name : ''].join(' ').trim();
}

function lineOf(name: string, { arguments: names = [] }: Command): string {
  return [PROGRAM, name, ...names, '[options]'].join(' ');
}

/** The help of a command, of a group, or of all commands. */
export function helpOf(name: string, command: Command | undefined, columns = 80): string {
  const width = Math.max(20, columns);
  if (command) return helpOfCommand(name, command, width);
  return isGroupName(name) ? helpOfGroup(name, width) : helpOfAll(width);
}

function helpOfCommand(name: string, command: Command, width: number): string {
  const { summary, example, others = [] } = COMMANDS[name] ?? {};
  return sections([
    wrapped(`${lineOf(name, command)}`, width),
    wrapped(`${summary}`, width),
    ...(command.about
      ? command.about
          .trim()
          .split('\n\n')
          .map(paragraph => wrapped(paragraph, width))
      : []),
    `${others.length > 0 ? 'Examples' : 'Example'}:\n${[example, ...others].map(each => `  ${each}`).join('\n')}`,
    titled('Options', optionRows(command), width),
    ...choicesOf(command).map(
      ([title, names]) => `${title}:\n${wrapped(names.join(', '), width - 2).replace(/^/gm, '  ')}`,
    ),
    titled('Environment', environmentRows(command), width),
    wrapped(EXIT_CODES, width),
  ]);
}

function helpOfGroup(name: string, width: number): string {
  const names = Object.keys(COMMANDS).filter(other => other.startsWith(`${name} `));
  return sections([
    titled(`${PROGRAM} ${name}`, commandRows(names), width),
    `  ${PROGRAM} help ${names[0]}   the options of a command`,
  ]);
}

function helpOfAll(width: number): string {
  return sections([
    wrapped(`${PROGRAM} ${VERSION}: ocean shipments and containers on the command line`, width),
    `Example:\n  ${PROGRAM} sandbox --shipments 20\n  TRACKING_API_KEY=sandbox ${PROGRAM} worklist --base-url http://127.0.0.1:4010/v2`,
    ...Object.entries(GROUPS).map(([title, words]) => titled(title, words.map(rowOf), width)),
    titled('Environment', Object.entries(ENVIRONMENT), width),
    `  ${PROGRAM} help <command>   the options of a command, and an example`,
    wrapped(EXIT_CODES, width),
  ]);
}

type Row = readonly [left: string, right: string];

function commandRows(names: readonly string[]): Row[] {
  return names.map(name => [name, COMMANDS[name]?.summary ?? '']);
}

/** A command of one word with its summary, or a group with the words that may follow it. */
function rowOf(word: string): Row {
  const { summary } = COMMANDS[word] ?? {};
  const names = Object.keys(COMMANDS).filter(name => name.startsWith(`${word} `));
  return [word, summary ?? names.map(name => name.slice(word.length + 1)).join(', ')];
}

function optionRows({ options }: Command): Row[] {
  return Object.entries(options).map(([name, option]) => [`--${name}${placeholderOf(option)}`, textOf(option)]);
}

const placeholderOf = ({ type, value = 'TEXT' }: Option) => (type === 'boolean' ? '' : ` ${value}`);

/** The help text of an option, with its default. It also says if the option may be repeated. */
export function textOf({ help, default: preset, multiple }: Option): string {
  const unless = preset === undefined || preset.length === 0 ? '' : `; ${preset} unless given`;
  return `${help}${unless}${multiple ? '; may be repeated' : ''}`;
}

/** The options whose known names are listed in the help, with the title of each list. */
const CHOICES = {
  columns: 'Columns (--columns)',
  filter: 'Filters (--filter)',
  sort: 'Orders (--sort)',
  include: 'Related records (--include)',
  event: 'Events (--event)',
} as const;

/** The known names of these options, each list with its title. */
export function choicesOf({
  options,
  arguments: [argument] = [],
  argumentValues = [],
}: Command): (readonly [title: string, names: readonly string[]])[] {
  return [
    ...(argument === 'EVENT' ? ([['Events', argumentValues]] as const) : []),
    ...Object.entries(CHOICES).flatMap(([name, title]): [string, readonly string[]][] => {
      const values = options[name]?.values ?? [];
      return values.length > 0 ? [[title, name === 'filter' ? withValues(values) : values]] : [];
    }),
  ];
}

/** `has_holds=true|false`: each filter once, with its values where they are known. */
function withValues(filters: readonly string[]): string[] {
  const found = new Map<string, string[]>();
  for (const filter of filters) {
    const [name = '', value = ''] = filter.split('=');
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return [...found].map(([name, values]) =>
    values[0] === '' ? name : `${name}=${values.join(values.length > 2 ? ' | ' : '|')}`,
  );
}

/** The environment variables that the help texts of a command mention. */
export function environmentRows({ about = '', options }: Command): Row[] {
  const texts = [about, ...Object.values(options).map(({ help }) => help)].join(' ');
  return Object.entries(ENVIRONMENT).filter(([name]) => new RegExp(`\\b${name}\\b`).test(texts));
}

const sections = (parts: readonly string[]) => parts.filter(Boolean).join('\n\n');

/** Two columns under a title. On a narrow terminal, each text is below its name. */
function titled(title: string, rows: readonly Row[], width: number): string {
  if (rows.length === 0) return '';
  const widest = Math.max(...rows.map(([left]) => left.length));
  const indent = Math.min(widest + 4, 34);
  const lines = rows.map(([left, right]) => {
    if (width < 60) return `  ${left}\n${wrapped(right, width - 6).replace(/^/gm, '      ')}`;
    const text = wrapped(right, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
    const start = `  ${left}`;
    return start.length + 2 > indent ? `${start}\n${' '.repeat(indent)}${text}` : start.padEnd(indent) + text;
  });
  return `${title}:\n${lines.join('\n')}`;
}

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
