import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cliPage } from '../../scripts/cli-page.ts';
import { COMMANDS, GROUPS } from '../../src/cli/commands.ts';
import { environmentRows, helpOf } from '../../src/cli/help.ts';
import { parseContainerNumber } from '../../src/domain/container-number.ts';

test('docs/reference/cli.md is up to date with the commands; to update it: node scripts/cli-page.ts', async () => {
  expect(await cliPage()).toBe(readFileSync('docs/reference/cli.md', 'utf8'));
});

test('each command is in one group of the help', () => {
  const words = Object.values(GROUPS).flat();
  const first = [...new Set(Object.keys(COMMANDS).map(name => name.split(' ')[0]))];
  expect(words.toSorted()).toEqual(first.toSorted());
});

test.each(Object.keys(COMMANDS))(
  'the help of %s fits the terminal, and each of its examples contains the command',
  async name => {
    const { command } = (await COMMANDS[name]?.load()) ?? {};
    for (const width of [20, 60, 80]) {
      const text = helpOf(name, command, width);
      const { example = '', others: more = [] } = COMMANDS[name] ?? {};
      const examples = [example, ...more];
      const others = text.split('\n').filter(line => !examples.includes(line.trim()) && line.trim().includes(' '));
      expect(Math.max(...others.map(line => line.length))).toBeLessThanOrEqual(Math.max(width, 40));
      for (const each of examples) expect(each).toContain(`container-tracking ${name}`);
    }
  },
);

test('the container numbers in the examples are valid', () => {
  const examples = Object.values(COMMANDS).flatMap(({ example, others = [] }) => [example, ...others]);
  const numbers = examples.flatMap(text => text.match(/\b[A-Z]{3}[UJZ]\d{7}\b/g) ?? []);
  expect(numbers.length).toBeGreaterThan(5);
  for (const number of numbers) expect(parseContainerNumber(number)).toMatchObject({ valid: true });
});

test('the help of a command that calls the service names its environment variables', async () => {
  const { command } = (await COMMANDS['shipments list']?.load()) ?? {};
  expect(environmentRows(command as NonNullable<typeof command>).map(([variable]) => variable)).toEqual([
    'TRACKING_API_KEY',
    'TRACKING_BASE_URL',
    'NO_COLOR',
  ]);
});

test('the help of a list names its columns, filters, sort orders and related records', async () => {
  const { command } = (await COMMANDS['containers list']?.load()) ?? {};
  const text = helpOf('containers list', command, 80);
  expect(text).toMatch(/^Columns \(--columns\):\n {2}number, status, ready, last-free-day, holds/m);
  expect(text).toMatch(/^Filters \(--filter\):\n {2}number, pol, pod/m);
  expect(text).toContain('has_holds=true|false');
  expect(text).toMatch(/^Orders \(--sort\):\n {2}\w/m);
  expect(text).toMatch(/^Related records \(--include\):\n {2}party_roles, shipment/m);
  const { command: worklist } = (await COMMANDS.worklist?.load()) ?? {};
  expect(helpOf('worklist', worklist, 80)).toMatch(/^Columns \(--columns\):\n {2}number, days-left, lists, holds/m);
});
