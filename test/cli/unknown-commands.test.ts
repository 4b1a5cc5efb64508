import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { commandLine } from './command-line.ts';

const ct = commandLine(() => ({}));

test.each([
  [['shipments', 'ls'], 'shipments list'],
  [['containers', 'show', 'MSCU1234565'], 'containers get'],
  [['container', 'get', 'MSCU1234565'], 'containers get'],
  [['container', 'ls'], 'containers list'],
  [['shipment'], 'shipments'],
  [['webhooks', 'rm'], 'webhooks delete'],
  [['shipments', 'lst'], 'shipments list'],
  [['containers', 'MSCU1234565'], 'containers get MSCU1234565'],
  [['MSCU1234565'], 'search MSCU1234565'],
  [['ls'], 'shipments list'],
  [['find', 'MSCU1234565'], 'search'],
  [['me'], 'whoami'],
  [['version'], '--version'],
])('%j names the command that was meant', async (args, meant) => {
  const { code, err, last } = await ct(...args);
  expect(code).toBe(2);
  expect(last).toMatch(new RegExp(`^There is no command \\S.* Did you mean ${meant}\\?$`));
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
});

test.each([
  [['shipments', 'delete'], /^There is no command shipments delete\. There are: list, get, update, stop, resume\.$/],
  [['frobnicate', 'x'], /^There is no command frobnicate\.$/],
  [['toString'], /^There is no command toString\.$/],
])('%j resembles none', async (args, message) => {
  expect((await ct(...args)).last).toMatch(message);
});

test.each([
  [['--version']],
  [['containers', 'list', '--version']],
  [['shipments', '--version']],
  [['track', '--version']],
])('%j prints the version', async args => {
  expect(await ct(...args)).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: '' });
});

test.each([[['containers', 'list', '--colums', 'number']], [['containers', 'get']], [['search']]])(
  '%j is refused with the message first, and with the page of the help',
  async args => {
    const { code, err } = await ct(...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^[^\n]+\nSee: container-tracking help [^\n]+\n$/);
  },
);
