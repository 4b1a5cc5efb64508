import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientFor, rejection } from '../../support/client.ts';
import { type Answer, serve } from '../../support/server.ts';

const UNAUTHORIZED: Answer = { status: 401, body: { errors: [{ title: 'Invalid or missing API token.' }] } };

afterEach(() => {
  vi.unstubAllEnvs();
});

async function messageOf(answer: Answer, options: object = {}): Promise<string> {
  const server = await serve(answer);
  const error = await rejection(clientFor(server, options).parties.get('1'));
  return (error as Error).message.replace(/127\.0\.0\.1:\d+/, 'HOST');
}

describe('the message of a 401 names the host and the credential, and not its value', () => {
  const refused = 'GET /parties/1: 401 Invalid or missing API token. (';

  test.each<[string, object, string]>([
    ['an apiKey', { apiKey: 'key-of-option' }, 'apiKey was sent to HOST)'],
    ['an apiKey of the environment', { apiKey: 'key-of-variable' }, 'TRACKING_API_KEY was sent to HOST)'],
    ['an accessToken', { apiKey: undefined, accessToken: 'token-1' }, 'accessToken was sent to HOST)'],
    ['a function', { apiKey: undefined, accessToken: async () => 'token-2' }, 'accessToken was sent to HOST)'],
  ])('for %s', async (_, options, end) => {
    vi.stubEnv('TRACKING_API_KEY', 'key-of-variable');
    expect(await messageOf(UNAUTHORIZED, options)).toBe(refused + end);
  });
});

describe('the message of a response with Retry-After states the wait', () => {
  test.each([429, 503])('after a %d when the request is not repeated again', async status => {
    const answer = { status, headers: { 'retry-after': '30' } };
    expect(await messageOf(answer, { retry: false })).toMatch(
      /^GET \/parties\/1: \d+ [A-Za-z ]+ \(retry after 30 s\)$/,
    );
  });

  test('and the option that forbids this wait', async () => {
    expect(await messageOf({ status: 429, headers: { 'retry-after': '3600' } })).toBe(
      'GET /parties/1: 429 Too Many Requests (retry after 3600 s; retry.maxRetryAfter is 120 s)',
    );
  });
});
