/**
 * Writes the reference of the command line, `docs/reference/cli.md`, from the commands themselves. A test compares the
 * page with the commands.
 *
 * node scripts/cli-page.ts
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { API_OPTIONS } from '../src/cli/api.ts';
import type { Command } from '../src/cli/command.ts';
import { COMMANDS, GROUPS } from '../src/cli/commands.ts';
import { choicesOf, ENVIRONMENT, EXIT_CODES, textOf } from '../src/cli/help.ts';
import { TABLE_OPTIONS } from '../src/cli/output/print.ts';

const PAGE = resolve(import.meta.dirname, '../docs/reference/cli.md');

export async function cliPage(): Promise<string> {
  const parts = [];
  for (const [title, words] of Object.entries(GROUPS)) {
    parts.push(`## ${title}`);
    for (const [name, { summary, example, others = [], load }] of Object.entries(COMMANDS)) {
      if (!words.includes(name.split(' ')[0] ?? '')) continue;
      const { command } = await load();
      parts.push(
        `### ${name}`,
        summary,
        fence([
          `container-tracking ${[name, ...(command.arguments ?? [])].join(' ')}`,
          '',
          others.length > 0 ? '# examples' : '# example',
          example,
          ...others,
        ]),
      );
      if (command.about) parts.push(escaped(command.about));
      const own = Object.entries(command.options).filter(([option]) => !isCommon(command, option));
      if (own.length > 0) parts.push(optionTable(Object.fromEntries(own)));
      for (const [title, names] of choicesOf(command)) {
        parts.push(`${title}: ${names.map(each => `\`${each}\``).join(', ')}.`);
      }
      if (isApiCommand(command))
        parts.push(
          `This command ${own.length > 0 ? 'also has' : 'has'} the [options of every command that calls the service](#options-of-every-command).`,
        );
    }
  }
  const variables = Object.entries(ENVIRONMENT).map(([name, meaning]) => `| \`${name}\` | ${escaped(meaning)} |`);
  return `${[
    '# Command line',
    'The reference of `container-tracking` lists every command with its options and an example. `npx -p container-tracking-sdk container-tracking help` prints the same texts.',
    fence([
      'export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…',
      'npx -p container-tracking-sdk container-tracking worklist',
    ]),
    'On a terminal, a command prints a list as a table that fits the width of the terminal, and a single record as its main fields with plain labels. `--json` prints all fields. In a pipe, the output of each command is JSON: one record per line, as the pages arrive. With `--json` on a terminal, the JSON is indented. Fields have the names of the service, such as `pod_eta_at`, and fields that the SDK adds have the same spelling, such as `days_left`. `--csv` prints a list as CSV. With `--columns`, a command prints a table even in a pipe, with the width in the variable `COLUMNS`. A table shows numbers and ids in full, so that you can pass them to other commands. If a table has no space for a column, or a list ends at its limit, the command prints a line about it on stderr. Times are in the time zone of their place, or of this machine. The output shows the time zone.',
    '## Options of every command',
    'Commands that call the service have these options:',
    optionTable(API_OPTIONS),
    'Commands that print records have these options:',
    optionTable(TABLE_OPTIONS),
    'A duration is a number with `ms`, `s`, `m`, `h` or `d`, such as `30s`.',
    `## Environment\n\n| Variable | Meaning |\n|---|---|\n${variables.join('\n')}`,
    `## Exit codes\n\n${EXIT_CODES.replace(/^Exit codes: /, '').replace(/^\w/, letter => letter)}`,
    'With `--json`, a command prints an error as one line of JSON on stderr. It has `message`, `code` and `retryable`. If the service has responded, it also has `status`, `request` and `request_id`. A warning is a line with `warning`, and a report of progress is a line with `note`. The codes are listed on the page about [errors](errors.md). The command line has more codes: `wrong_usage`, `not_configured`, `wrong_address` (another program has responded), `ambiguous` (with the records that fit as `candidates`), `tracked_already`, `failed`, `pending`, `interrupted`, `not_filled` and `behind`.',
    ...parts,
  ].join('\n\n')}\n`;
}

function isApiCommand({ options }: Command): boolean {
  return Object.keys(API_OPTIONS).every(name => Object.hasOwn(options, name));
}

function isCommon(command: Command, name: string): boolean {
  return Object.hasOwn(TABLE_OPTIONS, name) || (isApiCommand(command) && Object.hasOwn(API_OPTIONS, name));
}

function optionTable(options: Command['options']): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const value = option.type === 'boolean' ? '' : ` ${option.value ?? 'TEXT'}`;
    return `| \`--${name}${value.replaceAll('|', '\\|')}\` | ${escaped(textOf(option))} |`;
  });
  return `| Option | Meaning |\n|---|---|\n${rows.join('\n')}`;
}

const fence = (lines: readonly string[]) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``;

const escaped = (text: string) =>
  text.replaceAll('|', '\\|').replace(/[<>]/g, character => (character === '<' ? '&lt;' : '&gt;'));

if (import.meta.main) writeFileSync(PAGE, await cliPage());
