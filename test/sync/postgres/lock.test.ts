import { expect, test } from 'vitest';
import type { PostgresClient } from '../../../src/internal/postgres.ts';
import { AdvisoryLock } from '../../../src/sync/postgres/lock.ts';

test('if a store closes its lock, release() of the lock waits until the server has freed the lock', async () => {
  let answer = () => {};
  const said: string[] = [];
  const client = {
    query(text: string) {
      said.push(text);
      return new Promise(resolve => (answer = () => resolve({ rows: [] })));
    },
    on() {},
    removeListener() {},
    release: () => said.push('release'),
  } as unknown as PostgresClient;
  const lock = new AdvisoryLock(client, () => {});
  const closed = lock.close();
  expect(lock.signal.aborted).toBe(true);
  const released = lock.release().then(() => 'released');
  await new Promise(resolve => setImmediate(resolve));
  expect(await Promise.race([released, 'under way'])).toBe('under way');
  answer();
  expect(await released).toBe('released');
  await closed;
  expect(said).toEqual(['ROLLBACK', 'release']);
});
