import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'inbox-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a command with a separate disk of 32 MiB, if the system allows it. */
function onSmallDisk(...command: string[]) {
  const script = 'mount -t tmpfs -o size=32m tmpfs "$0" && exec "$@"';
  return spawnSync('unshare', ['-Urm', 'sh', '-c', script, directory, ...command], {
    encoding: 'utf8',
    timeout: 60_000,
  });
}

const hasDisks = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;
const WORKER = resolve(import.meta.dirname, 'inbox-full-disk.worker.ts');

describe.skipIf(!hasDisks)('the inbox in SQLite on a full disk', { timeout: 60_000 }, () => {
  test.each([
    ['stay', 100],
    ['stay', 20_000],
    ['restart', 100],
    ['restart', 20_000],
  ])('delivers every stored entry, and then accepts new entries (%s, bodies of %d bytes)', (mode, bytes) => {
    const { stdout, stderr } = onSmallDisk(
      ...[process.execPath, '--disable-warning=ExperimentalWarning', WORKER, directory, mode, String(bytes)],
    );
    expect(stderr).toBe('');
    const { stored, handled, ...result } = JSON.parse(stdout);
    expect(result).toEqual({
      refused: 20,
      refusal: expect.stringMatching(/disk is full/),
      errors: [],
      again: 'stored',
      later: 'stored',
    });
    expect(stored).toBeGreaterThanOrEqual(100);
    expect(handled).toBe(stored);
  });
});
