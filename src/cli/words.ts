import { meantName } from '../internal/meant-name.ts';
import { type Command, inUnits } from './command.ts';

const TIME = 'such as 2026-03-09T03:00:00Z';

/**
 * Phrases in messages of the library about options that have another name on the command line, or do not exist there.
 */
const PHRASES: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/^\w+\.\w+: (filter|sort) has no /, 'There is no --$1 '],
  [/^\w+\.\w+: (filter\.|(?:filter|sort) )/, '--$1'],
  [/^--filter\./, '--filter '],
  [/(?<=^There is no --sort .*), -\w+/g, ''],
  [/^(There is no --\w+ (\S+)); (did you mean .*\?)? ?there are: (.*)\.$/is, meantOrAll],
  [/^(\w+)\.(\w+): /, '$1 $2: '],
  [/, set acceptOtherAccount: sync then marks them as deleted\./, ', fill a new database.'],
  [/\bdoes not have the option history, so/, 'runs without --history, so'],
  [
    /\bSet history to the same value in every process, or to false if this is intended\./,
    'Use --history or --history-fields in every process.',
  ],
  [/\bhistory\.fields\.(?=\w)/g, '--history-fields '],
  [/\bhistory\.fields\b/g, '--history-fields'],
  [/\bfilter\.(?=\w)/g, ''],
  [/\bretry\.limit\b/g, '--retries'],
  [/, not an id: search\(\) finds it\./, ', not an id. To find the id, use the command search.'],
  [/\bPass scac and type\b/g, 'Use --scac and --type'],
  [/\bPass baseUrl\b/g, 'Pass --base-url'],
  [/\bcheck baseUrl\b/, 'check --base-url or TRACKING_BASE_URL'],
  [/\band pass apiKey or accessToken\b/g, 'and use TRACKING_API_KEY or --key-file'],
  [
    /^sqlite\w+\(\) needs node:sqlite, which Node has from (\S+) on; this is (\S+)\. .*$/s,
    'SQLite needs Node $1 or newer, and this is $2. Update Node.',
  ],
  [/^apiKey /, 'The key of TRACKING_API_KEY or --key-file '],
  [/ For any other value, the service sends an empty list\. For a new value, pass unknownValue\(.*\)\.$/s, ''],
  // The last line of the failure already says this.
  [/ onDuplicate: 'return' returns the document \S+\./, ''],
  [/\b(\d+) ms\b/g, (_, ms: string) => inUnits(Number(ms))],
  [/\bPass a Date or an ISO 8601 string(?:, or pass from)?/g, `Pass a time ${TIME}`],
];

/** The names that the user may have meant; all names if there are none. The help of the command lists them too. */
function meantOrAll(_: string, problem = '', given = '', hint = '', list = ''): string {
  const names = list.split(', ');
  const word = meantName(given, [...new Set(names.flatMap(name => name.split('_')))]);
  const similar = names.filter(name => word !== undefined && name.split('_').includes(word)).slice(0, 3);
  const meant = hint.slice(1) || (similar.length > 0 && `id you mean ${similar.join(' or ')}?`);
  return `${problem}. ${meant ? `D${meant}` : `There are: ${list}.`}`;
}

/** A message of the library about an option, in the words of the command line: `--base-url` for `baseUrl`. */
export function inWords(message: string, { options }: Pick<Command, 'options'>): string {
  const phrased = PHRASES.reduce((text, [phrase, words]) => text.replace(phrase, words as string), message);
  return Object.keys(options).reduce((text, name) => {
    const camelCase = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return text.replace(new RegExp(`^${camelCase}(?= \\w)`), `--${name}`);
  }, phrased);
}
