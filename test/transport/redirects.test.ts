import { describe, expect, test } from 'vitest';
import { APIError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

describe('a redirect is not followed', () => {
  test.each([301, 302, 303, 307, 308])('%i to another origin: this origin receives nothing of a POST', async status => {
    const other = await serve({ body: PARTY });
    const server = await serve({ status, headers: { location: `${other.origin}/elsewhere?token=abc` } });
    const call = clientFor(server).parties.create({ company_name: 'A' }, { headers: { 'x-custom': 'private' } });
    const error = await rejection(call);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ name: 'APIError', code: 'api_error', status, attempts: 1 });
    expect((error as APIError).message).toContain(`redirect to ${other.origin}, not followed`);
    expect((error as APIError).message).not.toContain('elsewhere');
    expect(other.connections).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('within the same origin', async () => {
    const server = await serve({ status: 302, headers: { location: '/v2/parties/2' } }, { body: PARTY });
    const error = await rejection(clientFor(server).parties.get('1'));
    expect((error as APIError).message).toContain(`redirect to ${server.origin}, not followed`);
    expect(server.requests).toHaveLength(1);
  });

  test('to an invalid address', async () => {
    const server = await serve({ status: 302, headers: { location: 'http://' } });
    expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({
      status: 302,
      message: expect.stringContaining('an address that cannot be read'),
    });
  });

  test('in a call of asResponse()', async () => {
    const other = await serve({ body: PARTY });
    const server = await serve({ status: 307, headers: { location: other.origin } });
    expect(await rejection(clientFor(server).parties.get('1').asResponse())).toMatchObject({ status: 307 });
    expect(other.connections).toBe(0);
  });
});

test.each([300, 304])('%i without an address causes an APIError', async status => {
  const server = await serve({ status });
  expect(await rejection(clientFor(server).parties.get('1'))).toMatchObject({ name: 'APIError', status });
});
