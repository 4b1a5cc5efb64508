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
  [['pickup'], 'worklist ready'],
  [['late'], 'worklist late'],
  [['list', 'shipment'], 'shipments list'],
  [['ls', 'containers'], 'containers list'],
  [['new', 'webhook'], 'webhooks create'],
  [['wl'], 'worklist'],
  [['lgoin'], 'login'],
  [['webhoosk', 'list'], 'webhooks list'],
  [['containers', 'lst', '--limit', '3'], 'containers list'],
  [['worklst', '--within', '3'], 'worklist'],
])('%j gets a message with the command that was probably meant', async (args, meant) => {
  const { code, err, last } = await ct(...args);
  expect(code).toBe(2);
  expect(last).toMatch(new RegExp(`^There is no command \\S.* Did you mean ${meant}\\?$`));
  expect(err.trim().split('\n').length).toBeLessThanOrEqual(3);
});

test.each([
  [['shipments', 'delete'], /^There is no command shipments delete\. There are: list, get, update, stop, resume\.$/],
  [['frobnicate', 'x'], /^There is no command frobnicate\.$/],
  [['toString'], /^There is no command toString\.$/],
])('%j gets a message without a suggestion, because no command is similar', async (args, message) => {
  expect((await ct(...args)).last).toMatch(message);
});

test.each([
  [['--version']],
  [['-v']],
  [['worklist', '-v']],
  [['containers', 'list', '--version']],
  [['shipments', '--version']],
  [['track', '--version']],
])('%j prints the version', async args => {
  expect(await ct(...args)).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: '' });
});

test.each([[['containers', 'list', '--colums', 'number']], [['containers', 'get']], [['search']]])(
  '%j gets a message, and then the command that prints the help',
  async args => {
    const { code, err } = await ct(...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^[^\n]+\nSee: container-tracking help [^\n]+\n$/);
  },
);

test.each([
  [['worklist', '--redy'], '--redy. Did you mean ready, without dashes?'],
  [['worklist', '--late'], '--late. Did you mean late, without dashes?'],
  [['shipments', 'list', '--lim', '4'], '--lim. Did you mean --limit?'],
  [['shipments', 'list', '--output', 'json'], '--output. Did you mean --json or --csv?'],
  [['shipments', 'get', 'X', '--format', 'json'], '--format. Did you mean --json?'],
  [['shipments', 'list', '--page-size', '5'], '--page-size. Did you mean --limit?'],
  [['shipments', 'list', '-n', '4'], '-n. Did you mean --limit?'],
  [['shipments', 'list', '--zzzzzz'], '--zzzzzz.'],
])(
  '%j gets a message about its unknown option, with the option or argument that was probably meant',
  async (args, message) => {
    expect((await ct(...args)).last).toBe(`There is no option ${message}`);
  },
);

test('an option before the command gets a message that says where options belong', async () => {
  expect(await ct('--timeout', '5s', 'shipments', 'list')).toMatchObject({
    code: 2,
    last: 'Options come after the command: container-tracking COMMAND --timeout.',
  });
  expect((await ct('--timeot')).last).toBe('There is no option --timeot.');
});
