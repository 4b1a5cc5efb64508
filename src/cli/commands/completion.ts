import { hintOf } from '../../internal/meant-name.ts';
import { type Command, wrongUsage } from '../command.ts';
import { print } from '../output/print.ts';

/** The commands, by their names. */
type Commands = Readonly<Record<string, { load(): Promise<{ command: Command }> }>>;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion = (commands: Commands): Command => ({
  about:
    'For bash: eval "$(container-tracking completion bash)". For zsh, the same with zsh. For fish: container-tracking completion fish | source',
  options: {},
  arguments: [SHELLS.join('|')],
  argumentValues: SHELLS,
  async run(_, [given = '']) {
    const shell = SHELLS.find(name => name === given);
    if (!shell) throw wrongUsage(`There is no completion for ${given}: use bash, zsh or fish.${hintOf(given, SHELLS)}`);
    await print(SCRIPTS[shell](await choicesOf(commands)));
  },
});

/**
 * The words that may follow the beginning of a command line, such as `shipments`, and the values of the options that
 * may follow.
 */
interface Choice {
  words: string[];
  values: Map<string, readonly string[]>;
}
type Choices = ReadonlyMap<string, Choice>;

async function choicesOf(commands: Commands): Promise<Choices> {
  const found = new Map<string, Choice>();
  const at = (beginning: string): Choice => {
    const choice = found.get(beginning) ?? { words: [], values: new Map() };
    found.set(beginning, choice);
    return choice;
  };
  for (const [name, entry] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) {
      const choice = at(words.slice(0, index).join(' '));
      if (!choice.words.includes(word)) choice.words.push(word);
    }
    const { options, argumentValues = [] } = (await entry.load()).command;
    const own = at(name);
    own.words.push(...argumentValues, ...[...Object.keys(options), 'help'].map(option => `--${option}`));
    for (const [option, { values = [] }] of Object.entries(options)) {
      if (values.length > 0) own.values.set(option, values);
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
  local given="\${words[2,3]}" prev="\${words[CURRENT-1]}" words
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
      .flatMap(([beginning, { words, values }]) => {
        const start = `complete -c container-tracking -n '${fishCondition(beginning)}'`;
        return words.map(word => {
          if (!word.startsWith('--')) return `${start} -f -a ${word}`;
          const known = values.get(word.slice(2))?.join(' ');
          return `${start} -l ${word.slice(2)}${known ? ` -x -a '${fishList(known)}'` : ''}`;
        });
      })
      .join('\n'),
};

/** Offers the values also after a comma, unless they contain "=". */
function fishList(known: string): string {
  return known.includes('=') ? known : `(__fish_complete_list , "for each in ${known}; echo \\$each; end")`;
}

/** The longest beginning comes first, because the shell takes the first case that fits. */
function cases(choices: Choices): string {
  return [...choices]
    .sort(([one], [other]) => other.length - one.length)
    .map(([beginning, { words, values }]) => {
      const inner = [...values].map(([option, known]) => `--${option}) words="${known.join(' ')}" ;; `).join('');
      const all = `words="${words.join(' ')}"`;
      const body = inner === '' ? all : `case "$prev" in ${inner}*) ${all} ;; esac`;
      return `    ${beginning === '' ? '*' : `"${beginning}"*`}) ${body} ;;`;
    })
    .join('\n');
}

function fishCondition(beginning: string): string {
  if (beginning === '') return '__fish_use_subcommand';
  const [first = '', second] = beginning.split(' ');
  const group = `__fish_seen_subcommand_from ${first}`;
  return second === undefined ? group : `${group}; and __fish_seen_subcommand_from ${second}`;
}
