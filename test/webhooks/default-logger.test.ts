import { afterEach, expect, test, vi } from 'vitest';
import { createRouter, createWorker, ipAllowlist, memoryInbox } from '../../src/webhooks/index.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const misspelt = 'container.udpated' as string;
const said = 'The router: unknown event container.udpated; did you mean container.updated?';

test('the console gets the name of the package before each message', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  createRouter().on(misspelt, () => {});
  await ipAllowlist({ ips: () => Promise.reject(new Error('down')) })('192.0.2.1');
  expect(warn.mock.calls).toEqual([
    [`[container-tracking-sdk] ${said}`],
    [expect.stringMatching(/^\[container-tracking-sdk\] The list of webhook addresses could not be read/)],
  ]);
});

test('a logger of the program gets messages without the name of the package, even if that logger is the console', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  createRouter({ logger: console }).on(misspelt, () => {});
  expect(warn.mock.calls).toEqual([[said]]);
});

test('a worker without a router or an inbox names a function that makes one', () => {
  const create = createWorker as (options: object) => unknown;
  const inbox = memoryInbox({ ephemeral: true });
  expect(() => create({ inbox })).toThrow('router is missing. createRouter() makes one.');
  expect(() => create({ inbox, router: {} })).toThrow('router has no method handle().');
  expect(() => create({ router: createRouter() })).toThrow('inbox is missing. sqliteInbox() makes one.');
});
