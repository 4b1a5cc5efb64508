import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, ConfigurationError, TrackingClient } from '../src/index.ts';
import { resolveOptions } from '../src/transport/settings.ts';

const baseUrl = 'https://host.example/v2';
const apiKey = 'key-1';

beforeEach(() => {
  vi.stubEnv('TRACKING_BASE_URL', undefined);
  vi.stubEnv('TRACKING_API_KEY', undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The message of the error with which the client refuses these options. They may have any type. */
function refusal(options: unknown): string {
  try {
    new TrackingClient(options as ClientOptions);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('the options were accepted');
}

describe('base URL', () => {
  test.each([
    ['missing', undefined, /TRACKING_BASE_URL.* createSandbox\(\)/],
    ['relative', '/v2', /absolute URL/],
    ['empty', '', /absolute URL/],
    ['a host and its port', 'localhost:3000', /absolute URL.* or http:\/\/localhost:3000\/v2/],
    ['a host, its port and a path', 'host.example:8443/v2', /absolute URL/],
    ['no text', { href: baseUrl }, /absolute URL/],
    ['without a version segment', 'https://host.example', /version segment/],
    ['with another segment after the version segment', 'https://host.example/v2/shipments', /version segment/],
    ['with a query', 'https://host.example/v2?a=1', /version segment/],
    ['with an empty query', 'https://host.example/v2?', /version segment/],
    ['with a fragment', 'https://host.example/v2#a', /version segment/],
    ['plain http', 'http://host.example/v2', /https/],
    ['plain http on a name that only begins like loopback', 'http://127.0.0.1.host.example/v2', /https/],
    ['plain http on every interface', 'http://0.0.0.0/v2', /https/],
    ['another scheme', 'ftp://host.example/v2', /https/],
    ['with a password', 'https://me:pass@host.example/v2', /user name or password/],
    ['with a user name', 'https://me@host.example/v2', /user name or password/],
  ])('%s is refused', (_, url, message) => {
    expect(refusal({ baseUrl: url, apiKey })).toMatch(message);
  });

  test('that is malformed and has a password is refused without repeating the password', () => {
    try {
      resolveOptions({ baseUrl: 'https://me:hunter22@ho st/v2', apiKey });
      expect.unreachable();
    } catch (error) {
      expect(`${error} ${(error as Error).stack} ${JSON.stringify((error as Error).cause)}`).not.toContain('hunter22');
      expect((error as Error).cause).toBeUndefined();
    }
  });

  test.each([
    ['https://host.example/v2/', 'https://host.example/v2'],
    ['https://HOST.example:443/api/v2//', 'https://host.example/api/v2'],
    ['http://localhost:8080/v2', 'http://localhost:8080/v2'],
    ['http://api.localhost/v2', 'http://api.localhost/v2'],
    ['http://127.1.2.3/v10', 'http://127.1.2.3/v10'],
    ['http://[::1]:9/v2', 'http://[::1]:9/v2'],
  ])('%s is read as %s', (url, expected) => {
    expect(resolveOptions({ baseUrl: url, apiKey }).baseUrl).toBe(expected);
  });
});

describe('credential', () => {
  test.each([
    ['missing', {}, /TRACKING_API_KEY/],
    ['both', { apiKey, accessToken: 'token-1' }, /Both/],
    ['an empty key', { apiKey: '' }, /apiKey is empty/],
    ['a key of null', { apiKey: null }, /missing/],
    ['a token that is neither text nor function', { accessToken: 5 }, /accessToken is not a string/],
    ['the scheme word alone', { apiKey: 'Token' }, /Token or Bearer.*Pass the credential alone/],
    ['a key with its scheme', { apiKey: 'Token abcdef' }, /Token or Bearer.*Pass the credential alone/],
    ['a token with its scheme', { accessToken: 'Bearer abcdef' }, /Pass the credential alone/],
    ['a key in quotes', { apiKey: '"abcdef"' }, /apiKey begins with a quote/],
    ['a key with a line break at its end', { apiKey: 'abcdef\n' }, /line break/],
  ])('%s is refused', (_, options, message) => {
    expect(refusal({ baseUrl, ...options })).toMatch(message);
  });

  test.each([
    ['begins with a quote', '"hunter22"'],
    ['holds a space, line break or non-ASCII text', 'hunter22\r'],
    ['begins with Token or Bearer', 'Bearer hunter22'],
    ['holds a space, line break or non-ASCII text', 'hunter22é'],
  ])('that %s is refused with the name of its variable, if it is from the environment', (fault, key) => {
    vi.stubEnv('TRACKING_API_KEY', key);
    expect(refusal({ baseUrl })).toBe(`TRACKING_API_KEY ${fault}. Pass the credential alone.`);
  });

  test.each([
    ['a line break', 'hunter22\nhunter22'],
    ['a space', 'hunter22 hunter22'],
    ['a carriage return at the end', 'hunter22\r'],
    ['a letter outside ASCII', 'hunter22é'],
  ])('is refused without repeating the key if it has %s', (_, key) => {
    const apiKeyMessage = refusal({ baseUrl, apiKey: key });
    const tokenMessage = refusal({ baseUrl, accessToken: key });
    expect(apiKeyMessage).toMatch(/apiKey holds/);
    expect(tokenMessage).toMatch(/accessToken holds/);
    expect(apiKeyMessage + tokenMessage).not.toContain('hunter22');
  });
});

describe('environment', () => {
  test('variables replace a missing address and key', async () => {
    vi.stubEnv('TRACKING_BASE_URL', 'https://env.example/v2');
    vi.stubEnv('TRACKING_API_KEY', 'env-key');
    const settings = resolveOptions({});
    expect(settings.baseUrl).toBe('https://env.example/v2');
    expect(await headerOf(settings)).toBe('Token env-key');
  });

  test('variables do not replace an explicit address, key or token', async () => {
    vi.stubEnv('TRACKING_BASE_URL', 'https://env.example/v2');
    vi.stubEnv('TRACKING_API_KEY', 'env-key');
    expect(resolveOptions({ baseUrl }).baseUrl).toBe(baseUrl);
    expect(await headerOf(resolveOptions({ apiKey }))).toBe('Token key-1');
    expect(await headerOf(resolveOptions({ accessToken: 'token-1' }))).toBe('Bearer token-1');
  });

  test('variables that are empty count as missing, while an empty option is refused', () => {
    vi.stubEnv('TRACKING_API_KEY', '');
    expect(refusal({ baseUrl })).toMatch(/missing/);
    vi.stubEnv('TRACKING_API_KEY', 'env-key');
    expect(refusal({ baseUrl, apiKey: '' })).toMatch(/empty/);
  });

  test('variables count as missing in a runtime without `process`', () => {
    vi.stubGlobal('process', undefined);
    expect(refusal({ baseUrl })).toMatch(/missing/);
  });
});

describe('in a web page', () => {
  beforeEach(() => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
  });

  test('a key is refused, even if it is from the environment', () => {
    expect(refusal({ baseUrl, apiKey })).toMatch(/dangerouslyAllowBrowser/);
    expect(refusal({ baseUrl, apiKey, dangerouslyAllowBrowser: 'no' })).toMatch(/dangerouslyAllowBrowser: true/);
    vi.stubEnv('TRACKING_API_KEY', 'env-key');
    expect(refusal({ baseUrl })).toMatch(/dangerouslyAllowBrowser/);
  });

  test('a key is accepted with permission, and a token is always accepted', () => {
    expect(() => resolveOptions({ baseUrl, apiKey, dangerouslyAllowBrowser: true })).not.toThrow();
    expect(() => resolveOptions({ baseUrl, accessToken: 'token-1' })).not.toThrow();
  });
});

describe('other options', () => {
  test.each([
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout is "5"', { timeout: '5' }],
    ['timeout is 30000000000; it must be milliseconds above 0, at most 24 days', { timeout: 3e10 }],
    ['deadline', { deadline: 2 ** 31 }],
    ['deadline', { deadline: 0 }],
    ['validation', { validation: 'loose' }],
    ['retry', { retry: 3 }],
    ['retry', { retry: 0 }],
    ['retry', { retry: true }],
    ['retry', { retry: null }],
    ['retry.limit', { retry: { limit: -1 } }],
    ['retry.limit', { retry: { limit: Number.NaN } }],
    ['retry.maxRetryAfter', { retry: { maxRetryAfter: '60' } }],
    ['rateLimit', { rateLimit: 5 }],
    ['rateLimit.windowMs', { rateLimit: { windowMs: 0 } }],
    ['rateLimit.limits.default', { rateLimit: { limits: { default: 0 } } }],
    ['rateLimit.limits.inferNumber', { rateLimit: { limits: { inferNumber: '100' } } }],
    ['rateLimit.maxInFlight', { rateLimit: { maxInFlight: 0 } }],
    ['rateLimit.maxQueue', { rateLimit: { maxQueue: Number.NaN } }],
    ['rateLimit.limiter', { rateLimit: { limiter: {} } }],
    ['fetch', { fetch: 'fetch' }],
    ['logger', { logger: { warn: () => {} } }],
    ['logger', { logger: true }],
    ['logger', { logger: null }],
    ['Authorization', { headers: { authorization: 'Token x' } }],
    ['Authorization', { headers: { AUTHORIZATION: 'Token x' } }],
    ['x y', { headers: { 'x y': '1' } }],
    ['x-break', { headers: { 'x-break': 'a\r\nb: c' } }],
    ['x-number', { headers: { 'x-number': 5 } }],
    ['plain object', { headers: new Headers({ 'x-trace': '1' }) }],
    ['plain object', { headers: [['x-trace', '1']] }],
    ['plain object', { headers: 'x-trace: 1' }],
  ])('%s: %o is refused', (name, options) => {
    expect(refusal({ baseUrl, apiKey, ...options })).toContain(name);
  });

  test('do not show the value of a header in a refusal', () => {
    expect(refusal({ baseUrl, apiKey, headers: { 'x-break': 'hunter22\n' } })).not.toContain('hunter22');
  });

  test('have the documented defaults', () => {
    const { timeout, deadline, retry, rateLimit, validation } = resolveOptions({ baseUrl, apiKey, retry: undefined });
    expect({ timeout, deadline, validation }).toEqual({ timeout: 30_000, deadline: Infinity, validation: 'warn' });
    expect(retry).toEqual({ limit: 4, minDelay: 500, maxDelay: 30_000, maxRetryAfter: 120_000 });
    expect(rateLimit.windowMs).toBe(60_000);
    expect(rateLimit.limits).toEqual({
      default: 100,
      createTrackingRequest: 100,
      inferNumber: 200,
      refreshContainer: 10,
    });
  });

  test('with a wrong limit are refused before the budget of other clients of the same key changes', () => {
    const client = new TrackingClient({ baseUrl, apiKey, logger: false });
    refusal({ baseUrl, apiKey, rateLimit: { limits: { default: 0 } } });
    expect(client.rateLimit.snapshot()?.default.limit).toBe(100);
  });

  test('are copied: a later change of the headers does not affect the client', () => {
    const headers = { 'x-trace': '1' };
    const settings = resolveOptions({ baseUrl, apiKey, headers });
    Object.assign(headers, { authorization: 'Token other' });
    expect(settings.headers).toMatchObject({ 'x-trace': '1' });
    expect(settings.headers).not.toHaveProperty('authorization');
  });
});

async function headerOf({ credentials }: ReturnType<typeof resolveOptions>): Promise<string> {
  return (typeof credentials.current === 'object' ? credentials.current : await credentials.current()).header;
}
