import { describe, expect, test } from 'vitest';
import { AuthenticationError, ConfigurationError, TrackingError } from '../../src/index.ts';
import { clientFor, KEY, PARTY, rejection } from '../../support/client.ts';
import { type Answer, serve, type TestServer } from '../../support/server.ts';

const UNAUTHORIZED: Answer = { status: 401, body: { errors: [{ title: 'Unauthorized' }] } };
const UNAVAILABLE: Answer = { status: 503 };

const sent = (server: TestServer) => server.requests.map(request => request.headers.authorization);

/** A token function that returns `t1`, then `t2` and so on. */
function tokens() {
  let count = 0;
  return async () => `t${++count}`;
}

describe('a fixed credential', () => {
  test('is sent with the scheme Token for an API key, and Bearer for an access token', async () => {
    const server = await serve({ body: PARTY });
    await clientFor(server).parties.get('1');
    await clientFor(server, { accessToken: 'token-1' }).parties.get('1');
    expect(sent(server)).toEqual([`Token ${KEY}`, 'Bearer token-1']);
  });

  test('is not tried again after a 401', async () => {
    const server = await serve(UNAUTHORIZED);
    const errors = [
      await rejection(clientFor(server).parties.get('1')),
      await rejection(clientFor(server, { accessToken: 'token-1' }).parties.get('1')),
    ];
    for (const error of errors) expect(error).toMatchObject({ name: 'AuthenticationError', attempts: 1 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a token function', () => {
  test('is called before every attempt', async () => {
    const server = await serve(UNAVAILABLE, UNAVAILABLE, { body: PARTY });
    const client = clientFor(server, { accessToken: tokens() });
    await client.parties.get('1');
    await client.parties.get('1');
    expect(sent(server)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t3', 'Bearer t4']);
  });

  test('may return its token without a promise', async () => {
    const server = await serve({ body: PARTY });
    await clientFor(server, { accessToken: () => 'now' }).parties.get('1');
    expect(sent(server)).toEqual(['Bearer now']);
  });

  test('is called again after a 401, even for a POST and without retries', async () => {
    const server = await serve(UNAUTHORIZED, { body: PARTY });
    const client = clientFor(server, { accessToken: tokens(), retry: false });
    const { attempts } = await client.parties.create({ company_name: 'A' }).withResponse();
    expect(attempts).toBe(2);
    expect(sent(server)).toEqual(['Bearer t1', 'Bearer t2']);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });

  test('is not called a third time if the service also refuses the second token', async () => {
    const server = await serve(UNAUTHORIZED);
    const error = await rejection(clientFor(server, { accessToken: tokens() }).parties.get('1'));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ attempts: 2 });
    expect(sent(server)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  test('may renew the token without using up a retry', async () => {
    const server = await serve(UNAVAILABLE, UNAUTHORIZED, UNAVAILABLE, { body: PARTY });
    const client = clientFor(server, { accessToken: tokens(), retry: { limit: 2, minDelay: 0 } });
    expect((await client.parties.get('1').withResponse()).attempts).toBe(4);
  });

  test('that fails makes the call reject before anything is sent, and is not retried', async () => {
    const server = await serve({ body: PARTY });
    let asked = 0;
    const accessToken = async () => {
      asked += 1;
      throw new Error('the vault is sealed');
    };
    const error = await rejection(clientFor(server, { accessToken }).parties.get('1'));
    expect(error).toBeInstanceOf(TrackingError);
    expect(error).toMatchObject({ code: 'access_token', cause: { message: 'the vault is sealed' } });
    expect(asked).toBe(1);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a header instead of a token', 'Bearer abc'],
    ['a line break', 'abc\n'],
  ])('that returns %s rejects the call with a ConfigurationError', async (_, token) => {
    const server = await serve({ body: PARTY });
    const error = await rejection(clientFor(server, { accessToken: () => token as string }).parties.get('1'));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('that never settles is ended by the timeout of the attempt', async () => {
    const server = await serve({ body: PARTY });
    const accessToken = () => new Promise<string>(() => {});
    const error = await rejection(clientFor(server, { accessToken, retry: false, timeout: 30 }).parties.get('1'));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
  });

  test('that fails does not use up the budget of the rate limit, because nothing was sent', async () => {
    const server = await serve({ body: PARTY });
    let works = false;
    const accessToken = async () => {
      if (!works) throw new Error('not yet');
      return 'token';
    };
    const client = clientFor(server, { accessToken, rateLimit: { windowMs: 60_000, limits: { default: 1 } } });
    await rejection(client.parties.get('1'));
    works = true;
    await client.parties.get('1', { deadline: 5_000 });
    expect(client.rateLimit.snapshot()?.default.used).toBe(1);
  });
});

test('the headers of a call cannot replace the credential', async () => {
  const server = await serve({ body: PARTY });
  const error = await rejection(clientFor(server).parties.get('1', { headers: { Authorization: 'Token other' } }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(server.requests).toHaveLength(0);
});
