import { type Command, wrongUsage } from '../command.ts';

/** The commands, by their names. */
type Commands = Readonly<Record<string, { load(): Promise<{ command: Command }> }>>;

export const completion = (commands: Commands): Command => ({
  details: `      For bash: eval "$(container-tracking completion bash)". For zsh, the same with zsh. For fish:
      container-tracking completion fish | source
`,
  options: {},
  arguments: ['bash|zsh|fish'],
  async run(_, [shell = '']) {
    const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined;
    if (!write) throw wrongUsage(`There is no completion for ${shell}: use bash, zsh or fish.`);
    console.log(write(await choicesOf(commands)));
  },
});

/** What may follow: for each beginning of a command line, such as `shipments`, its words; for a whole command, its options. */
type Choices = ReadonlyMap<string, readonly string[]>;

async function choicesOf(commands: Commands): Promise<Choices> {
  const found = new Map<string, string[]>();
  const add = (beginning: string, word: string) => {
    const words = found.get(beginning) ?? [];
    if (!words.includes(word)) found.set(beginning, [...words, word]);
  };
  for (const [name, entry] of Object.entries(commands)) {
    const words = name.split(' ');
    for (const [index, word] of words.entries()) add(words.slice(0, index).join(' '), word);
    const { command } = await entry.load();
    for (const option of [...Object.keys(command.options), 'help']) add(name, `--${option}`);
  }
  return found;
}

const SCRIPTS = {
  bash: (choices: Choices) => `_container_tracking() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[*]:1:2}" in
${cases(choices)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _container_tracking container-tracking`,

  zsh: (choices: Choices) => `#compdef container-tracking
_container_tracking() {
  local -a matches
  local words_given="\${words[2,3]}" words
  case "$words_given" in
${cases(choices)}
  esac
  matches=(\${=words})
  compadd -a matches
  _default
}
compdef _container_tracking container-tracking`,

  fish: (choices: Choices) =>
    [...choices]
      .flatMap(([beginning, words]) =>
        words.map(word => {
          const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
          return `complete -c container-tracking -n '${fishCondition(beginning)}' ${what}`;
        }),
      )
      .join('\n'),
};

/** The longest beginning first, because the first that fits is taken. */
function cases(choices: Choices): string {
  return [...choices]
    .sort(([one], [other]) => other.length - one.length)
    .map(([beginning, words]) => `    ${beginning === '' ? '*' : `"${beginning}"*`}) words="${words.join(' ')}" ;;`)
    .join('\n');
}

function fishCondition(beginning: string): string {
  if (beginning === '') return '__fish_use_subcommand';
  const [first = '', second] = beginning.split(' ');
  const group = `__fish_seen_subcommand_from ${first}`;
  return second === undefined ? group : `${group}; and __fish_seen_subcommand_from ${second}`;
}
