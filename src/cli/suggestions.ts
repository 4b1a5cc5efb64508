import { meantName } from '../internal/meant-name.ts';
import { type Command, type CommandError, wrongUsage } from './command.ts';
import { COMMANDS } from './commands.ts';

/** True for the first word of several commands, such as `shipments`. */
export function isGroupName(name: string): boolean {
  return Object.keys(COMMANDS).some(other => other.startsWith(`${name} `));
}

/** Words that other programs use, with the words of this program. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ ls: 'list', show: 'get', view: 'get', describe: 'get', info: 'get', read: 'get', find: 'search' },
  ...{ rm: 'delete', remove: 'delete', add: 'create', new: 'create', edit: 'update', set: 'update' },
  ...{ me: 'whoami', account: 'whoami', version: '--version', auth: 'login', signin: 'login', events: 'notifications' },
  ...{ pickup: 'worklist ready', pickups: 'worklist ready', ready: 'worklist ready', late: 'worklist late' },
  ...{ hold: 'worklist held', holds: 'worklist held', held: 'worklist held', demurrage: 'worklist demurrage' },
  ...{ lfd: 'worklist last-free-day', due: 'worklist last-free-day', silent: 'worklist silent' },
};

/** The error for a command that does not exist, with the command that the user may have meant. */
export function unknownCommand([first = '', second = '']: string[]): CommandError {
  if (first.trim() === '') return wrongUsage('The command is blank.');
  const names = Object.keys(COMMANDS);
  const words = [...new Set(names.map(name => name.split(' ')[0] as string))];
  const turned = turnedCommand(first, meantName(second, words) ?? second, names);
  if (turned) return wrongUsage(`There is no command ${first} ${second}. Did you mean ${turned}?`);
  const group = isGroupName(first) ? first : meantName(first, words);
  const given = group !== undefined && isGroupName(group) && second !== '' ? `${first} ${second}` : first;
  const meant = given === first ? meantWord(first, words, names) : meantIn(group as string, second, names);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const known = group === first && !hint ? ` There are: ${wordsIn(first, names).join(', ')}.` : '';
  return wrongUsage(`There is no command ${given}.${hint}${known}`);
}

/** `shipments list` for `list shipments`. */
function turnedCommand(verb: string, group: string, names: readonly string[]): string | undefined {
  const ours = Object.hasOwn(WORDS, verb) ? WORDS[verb] : verb;
  return names.find(name => name === `${group} ${ours}`);
}

function wordsIn(group: string, names: readonly string[]): string[] {
  return names.filter(name => name.startsWith(`${group} `)).map(name => name.slice(group.length + 1));
}

/**
 * The command that one word may stand for. A word with a digit may be a number, so the command `search` is suggested.
 */
function meantWord(word: string, words: readonly string[], names: readonly string[]): string | undefined {
  if (/\d/.test(word)) return `search ${word}`;
  const ours = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (ours === undefined) return meantName(word, words);
  const isWhole = ours.startsWith('-') || words.includes(ours.split(' ')[0] as string);
  return isWhole ? ours : names.find(name => name.endsWith(` ${ours}`));
}

/** The command of a group that an unknown word may stand for. */
function meantIn(group: string, word: string, names: readonly string[]): string | undefined {
  const words = wordsIn(group, names);
  const ours = words.find(each => each === word || (Object.hasOwn(WORDS, word) && each === WORDS[word]));
  if (ours === undefined && /\d/.test(word) && words.includes('get')) return `${group} get ${word}`;
  const near = ours ?? meantName(word, words);
  return near === undefined ? undefined : `${group} ${near}`;
}

/** Options of other programs, with the options of this program. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  ...{ output: ['to', 'json', 'csv'], format: ['json', 'csv'], o: ['json', 'csv'], 'no-headers': ['csv'] },
  ...{ n: ['limit'], max: ['limit'], count: ['limit'], top: ['limit'], 'per-page': ['limit'], 'page-size': ['limit'] },
  ...{ order: ['sort'], 'order-by': ['sort'], 'sort-by': ['sort'], where: ['filter'], query: ['filter'] },
  ...{ file: ['from'], input: ['from'], database: ['sqlite', 'postgres'] },
  ...{ selector: ['filter'], select: ['fields'], field: ['fields'], column: ['columns'], expand: ['include'] },
  ...{
    force: ['yes'],
    y: ['yes'],
    host: ['base-url'],
    url: ['base-url'],
    'api-key': ['key-file'],
    token: ['key-file'],
  },
};

/** Suggests the option or the argument that the user may have meant: `ready` for `worklist --ready`. */
export function optionHint(option: string, known: readonly string[], command?: Command): string {
  const others = Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
  const ours = others?.filter(name => known.includes(name)) ?? [];
  const values = command?.argumentValues ?? [];
  if (ours.length > 0) return ` Did you mean --${ours.join(' or --')}?`;
  const value =
    values.find(each => each === option) ?? (meantName(option, known) ? undefined : meantName(option, values));
  if (value !== undefined) return ` Did you mean ${value}, without dashes?`;
  const near = meantName(option, known);
  return near === undefined ? '' : ` Did you mean --${near}?`;
}
