import { hintOf } from '../../internal/meant-name.ts';
import { type Command, wrongUsage } from '../command.ts';
import { print } from '../output/print.ts';

/** The commands, by their names. */
type Commands = Readonly<Record<string, { load(): Promise<{ command: Command }> }>>;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion = (commands: Commands): Command => ({
  about:
    'For bash: eval "$(container-tracking completion bash)". For zsh, use the same line with zsh in place of bash. For fish: container-tracking completion fish | source',
  options: {},
  arguments: [SHELLS.join('|')],
  argumentValues: SHELLS,
  async run(_, [given = '']) {
    const shell = SHELLS.find(name => name === given);
    if (!shell) throw wrongUsage(`There is no completion for ${given}: use bash, zsh or fish.${hintOf(given, SHELLS)}`);
    await print(SCRIPTS[shell](await choicesOf(commands)));
  },
});

/** What may follow the beginning of a command line, such as `shipments`. */
interface Choice {
  words: string[];
  /** The options that take a value. */
  taking: { name: string; values: readonly string[]; isFile: boolean }[];
  /** True if the command takes a file: the shell then offers file names, and options only after a dash. */
  takesFile: boolean;
}
type Choices = ReadonlyMap<string, Choice>;

async function choicesOf(commands: Commands): Promise<Choices> {
  const found = new Map<string, Choice>();
  const at = (beginning: string): Choice => {
    const choice = found.get(beginning) ?? { words: [], taking: [], takesFile: false };
    found.set(beginning, choice);
    return choice;
  };
  for (const [name, entry] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) {
      const choice = at(words.slice(0, index).join(' '));
      if (!choice.words.includes(word)) choice.words.push(word);
    }
    const { options, arguments: names = [], argumentValues = [] } = (await entry.load()).command;
    const own = at(name);
    own.words.push(...argumentValues, ...[...Object.keys(options), 'help'].map(option => `--${option}`));
    own.takesFile = names.some(argument => argument.includes('FILE'));
    for (const [name, { type, value, values = [] }] of Object.entries(options)) {
      if (type === 'string') own.taking.push({ name, values, isFile: value === 'FILE' });
    }
  }
  return found;
}

const SCRIPTS = {
  // Bash splits words at "=". So the script reads the word from the line, and does not insert the text before "="
  // again. Bash does not split at a comma, so the script inserts the text before the comma again.
  bash: (choices: Choices) => `_container_tracking() {
  local line="\${COMP_LINE:0:COMP_POINT}" words
  local cur="\${line##* }" given
  read -ra given <<< "\${line% *}"
  local prev="\${given[\${#given[@]}-1]}"
  case "\${given[*]:1:2}" in
${cases(choices)}
  esac
  local before=""
  case "$cur" in *=*) ;; *,*) before="\${cur%,*},"; cur="\${cur##*,}" ;; esac
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "$cur"))
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace ;; esac
  case "$cur" in *=*) COMPREPLY=("\${COMPREPLY[@]#\${cur%%=*}=}") ;; esac
}
complete -o default -F _container_tracking container-tracking`,

  zsh: (choices: Choices) => `#compdef container-tracking
_container_tracking() {
  local -a matches open
  local given="\${words[2,3]}" prev="\${words[CURRENT-1]}" cur="\${words[CURRENT]}" words
  case "$given" in
${cases(choices)}
  esac
  [[ "$PREFIX" == *=* ]] || compset -P '*,'
  matches=(\${=words})
  open=(\${(M)matches:#*=})
  matches=(\${matches:#*=})
  compadd -a matches
  compadd -S '' -a open
  _default
}
compdef _container_tracking container-tracking`,

  fish: (choices: Choices) =>
    [...choices]
      .flatMap(([beginning, { words, taking, takesFile }]) => {
        const start = `complete -c container-tracking -n '${fishCondition(beginning)}'`;
        const lines = words.map(word => {
          if (!word.startsWith('--')) return `${start} -f -a ${word}`;
          const option = taking.find(({ name }) => `--${name}` === word);
          return `${start} -l ${word.slice(2)}${option ? fishValue(option) : ''}`;
        });
        return takesFile ? [...lines, `${start} -F`] : lines;
      })
      .join('\n'),
};

function fishValue({ values, isFile }: Choice['taking'][number]): string {
  if (isFile) return ' -r -F';
  return values.length > 0 ? ` -x -a '${fishList(values.join(' '))}'` : ' -x';
}

/** Offers the values also after a comma, unless they contain "=". */
function fishList(known: string): string {
  return known.includes('=') ? known : `(__fish_complete_list , "for each in ${known}; echo \\$each; end")`;
}

/** The longest beginning comes first, because the shell takes the first case that fits. */
function cases(choices: Choices): string {
  return [...choices]
    .sort(([one], [other]) => other.length - one.length)
    .map(([beginning, { words, taking, takesFile }]) => {
      const free = taking.filter(({ values }) => values.length === 0).map(({ name }) => `--${name}`);
      const inner = [
        ...taking.filter(({ values }) => values.length > 0).map(({ name, values }) => offer(`--${name}`, values)),
        // Without words, the shell offers file names.
        ...(free.length > 0 ? [offer(free.join('|'), [])] : []),
      ];
      const all = `${takesFile ? '[[ "$cur" == -* ]] && ' : ''}words="${words.join(' ')}"`;
      const body = inner.length === 0 ? all : `case "$prev" in ${inner.join('')}*) ${all} ;; esac`;
      return `    ${beginning === '' ? '*' : `"${beginning}"*`}) ${body} ;;`;
    })
    .join('\n');
}

function offer(pattern: string, words: readonly string[]): string {
  return `${pattern}) words="${words.join(' ')}" ;; `;
}

function fishCondition(beginning: string): string {
  if (beginning === '') return '__fish_use_subcommand';
  const [first = '', second] = beginning.split(' ');
  const group = `__fish_seen_subcommand_from ${first}`;
  return second === undefined ? group : `${group}; and __fish_seen_subcommand_from ${second}`;
}
