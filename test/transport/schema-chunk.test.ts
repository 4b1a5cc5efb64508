import { expect, test, vi } from 'vitest';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

vi.mock('../../src/schemas/check.ts', () => {
  throw new Error('the chunk is gone');
});

test('warn: schemas that cannot be loaded are reported once, and calls succeed', async () => {
  const server = await serve({ body: PARTY });
  const warnings: string[] = [];
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, error: quiet, warn: (message: string) => warnings.push(message) };
  const client = clientFor(server, { logger });
  for (let i = 0; i < 3; i += 1) expect(await client.parties.get('1')).toMatchObject({ id: '1' });
  expect(warnings).toEqual([expect.stringContaining('schemas')]);
});

test('strict: schemas that cannot be loaded cause a ConfigurationError', async () => {
  const server = await serve({ body: PARTY });
  const error = await rejection(clientFor(server, { validation: 'strict' }).parties.get('1'));
  expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining('schemas') });
});

test('off: the schemas are not loaded', async () => {
  const server = await serve({ body: PARTY });
  expect(await clientFor(server, { validation: 'off' }).parties.get('1')).toMatchObject({ id: '1' });
});
