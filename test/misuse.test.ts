import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseContainerNumber, TrackingClient, TrackingError } from '../src/index.ts';
import { createSandbox, type SandboxOptions } from '../src/sandbox/index.ts';
import { clientFor } from './support/client.ts';
import { startServer } from './support/server.ts';

type AnyMethod = (...args: unknown[]) => unknown;
type AnyGroup = Record<string, AnyMethod>;

/** What a caller without a compiler may pass where more is needed. */
const ARGUMENTS: Record<string, unknown[]> = {
  nothing: [],
  null: [null],
  'null twice': [null, null],
  'a number': [42],
  'a number twice': [42, 42],
  'a text in place of options': [undefined, 'x'],
  'an array': [[]],
};

/** Those that need nothing to be given. */
const WITHOUT_ARGUMENTS = /\.(list|events|examples|ips|types|withOptions)$/;

/** Every method of the client and of its groups. */
function methodsOf(client: TrackingClient): [name: string, method: AnyMethod][] {
  const groups: [string, object][] = [['client', client], ...Object.entries(client)];
  const isClass = ([, target]: [string, object]) => Object.getPrototypeOf(target) !== Object.prototype;
  return groups.filter(isClass).flatMap(([group, target]) => {
    const names = new Set([...Object.keys(target), ...Object.getOwnPropertyNames(Object.getPrototypeOf(target))]);
    return [...names]
      .filter(name => name !== 'constructor' && typeof (target as AnyGroup)[name] === 'function')
      .map((name): [string, AnyMethod] => [`${group}.${name}`, (...args) => (target as AnyGroup)[name]?.(...args)]);
  });
}

/** Calls it and takes what comes; a list or a generator is asked for its first item. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const value = call();
    const iterator = (value as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator]?.();
    return await (iterator ? iterator.next() : value);
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(ARGUMENTS))('with %s', (_, args) => {
  test('no method fails with anything but an error of this package, or spends a request on what cannot work', async () => {
    const server = await startServer({ body: { data: [] } });
    const client = clientFor(server, { rateLimit: { maxQueue: 0 }, retry: false });
    const methods = methodsOf(client);
    expect(methods.length).toBeGreaterThan(60);
    for (const [name, method] of methods) {
      if (name === 'client.close') continue;
      const requests = server.requests.length;
      const outcome = await outcomeOf(() => method(...args));
      if (outcome instanceof Error) expect.soft(outcome, name).toBeInstanceOf(TrackingError);
      if (WITHOUT_ARGUMENTS.test(name) || (Array.isArray(args[0]) && name.endsWith('Many'))) continue;
      expect.soft(server.requests.length - requests, `requests of ${name}`).toBe(0);
      expect.soft(outcome, name).toBeInstanceOf(ConfigurationError);
    }
  });
});

describe('the constructor', () => {
  const good = { baseUrl: 'https://host.example/v2', apiKey: 'key' };
  test.each<[string, unknown, RegExp]>([
    ['null', null, /TrackingClient is null/],
    ['a text', 'https://host.example/v2', /must be an object/],
    ['a misspelt option', { ...good, timeOut: 5 }, /no timeOut; there are: .*timeout/],
    ['a misspelt limit', { ...good, rateLimit: { limits: { create: 5 } } }, /no create; .*createTrackingRequest/],
    ['a misspelt budget', { ...good, rateLimit: { window: 5 } }, /no window; .*windowMs/],
    ['limits of null', { ...good, rateLimit: { limits: null } }, /rateLimit.limits is null/],
    ['a limiter of null', { ...good, rateLimit: { limiter: null } }, /no method acquire/],
    ['a misspelt rule for retries', { ...good, retry: { retries: 5 } }, /no retries; .*limit/],
    ['a misspelt hook', { ...good, hooks: { onResponses() {} } }, /no onResponses; .*onResponse/],
    ['a hook that is no function', { ...good, hooks: { onRetry: 'log' } }, /hooks.onRetry is "log"; .*a function/],
    ['hooks that are a function', { ...good, hooks() {} }, /hooks is a function/],
  ])('refuses %s and says what is wrong', (_, options, message) => {
    expect(() => new TrackingClient(options as typeof good)).toThrow(message);
    expect(() => new TrackingClient(options as typeof good)).toThrow(ConfigurationError);
  });

  test('takes an option that is undefined, known or not', () => {
    const options = { ...good, timeout: undefined, other: undefined };
    expect(new TrackingClient(options)).toBeInstanceOf(TrackingClient);
  });
});

test('many numbers, or files, are an iterable', async () => {
  const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key' });
  for (const items of [undefined, 'MAEU123456789', { number: 'MAEU123456789' }]) {
    const expected = /must be an array or another iterable/;
    await expect(client.trackMany(items as never).next()).rejects.toThrow(expected);
    await expect(client.documents.uploadMany(items as never).next()).rejects.toThrow(expected);
  }
});

test('what is no item fails by itself among many', async () => {
  const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key' });
  for await (const result of client.trackMany([null, {}] as never)) {
    expect(result).toMatchObject({ ok: false, error: expect.any(ConfigurationError) });
  }
});

describe('createSandbox', () => {
  test.each<[string, unknown, RegExp]>([
    ['null', null, /is null/],
    ['a misspelt option', { sed: 7 }, /no sed; there are: seed/],
    ['a seed of text', { seed: 'x' }, /seed is x/],
    ['a speed below zero', { speed: -1 }, /speed is -1/],
    ['one key in place of several', { apiKeys: 'sandbox' }, /apiKeys/],
    ['a time that is none', { now: 'soon' }, /now is not a date/],
    ['a clock that is no function', { monotonic: 5 }, /monotonic is 5/],
  ])('refuses %s and says what is wrong', (_, options, message) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(message);
  });

  test('advances by a duration only, and forwards', () => {
    const sandbox = createSandbox();
    for (const duration of [undefined, 5, { days: 'x' }, { days: -1 }]) {
      expect(() => sandbox.advance(duration as never)).toThrow(ConfigurationError);
    }
  });
});

test('parseContainerNumber takes anything', () => {
  for (const text of [undefined, null, 42, {}]) {
    expect(parseContainerNumber(text as unknown as string)).toEqual({ valid: false, reason: 'format', number: '' });
  }
});
