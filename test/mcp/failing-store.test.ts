import { expect, test } from 'vitest';
import { memoryTokenStore, type TokenStore } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { person, servedSandbox, signedIn, tokenRequests } from '../../support/mcp.ts';

/** A connection whose new tokens could not be written, because the disk of its store is full. */
async function onFullDisk() {
  const { sandbox, server } = await servedSandbox();
  const kept = memoryTokenStore();
  const disk = { isFull: false, opened: 0 };
  const store: TokenStore = {
    ...kept,
    async write(url, signIn) {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await kept.write(url, signIn);
    },
  };
  const openBrowser = (url: URL) => {
    disk.opened += 1;
    return person()(url);
  };
  const connected = () => signedIn(server, { store, openBrowser });
  const mcp = await connected();
  sandbox.advance({ hours: 2 });
  disk.isFull = true;
  expect(String(await rejection(mcp.listTools()))).toContain('ENOSPC');
  return { sandbox, disk, mcp, connected };
}

test('unsaved tokens are not lost, and later calls and the next refresh use them', async () => {
  const { sandbox, disk, mcp, connected } = await onFullDisk();
  expect(await mcp.listTools()).toHaveLength(10);
  expect(tokenRequests(sandbox)).toBe(2);

  disk.isFull = false;
  sandbox.advance({ hours: 2 });
  expect(await mcp.listTools()).toHaveLength(10);
  expect([disk.opened, tokenRequests(sandbox)]).toEqual([1, 3]);
  // The tokens in the store are valid again.
  sandbox.advance({ hours: 2 });
  const other = await connected();
  expect(await other.listTools()).toHaveLength(10);
  expect([disk.opened, tokenRequests(sandbox)]).toEqual([1, 4]);
});

test('unsaved tokens are replaced by tokens that another connection has saved in the meantime', async () => {
  const { sandbox, disk, mcp, connected } = await onFullDisk();
  disk.isFull = false;
  expect(await mcp.listTools()).toHaveLength(10);
  // The refresh token in the store was already used, so a person signs in.
  const other = await connected();
  await other.listTools();
  expect(disk.opened).toBe(2);
  sandbox.advance({ hours: 2 });
  await other.listTools();
  const before = tokenRequests(sandbox);
  expect(await mcp.listTools()).toHaveLength(10);
  expect([disk.opened, tokenRequests(sandbox)]).toEqual([2, before]);
});
