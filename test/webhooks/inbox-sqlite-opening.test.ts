import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ENTRY = resolve(import.meta.dirname, '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts');

test('several processes can open a new SQLite inbox at the same moment', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'opening-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (let round = 0; round < 3; round += 1) {
    const program = `
      import { sqliteInbox } from ${JSON.stringify(ENTRY)};
      while (Date.now() < ${Date.now() + 700}) {}
      sqliteInbox(${JSON.stringify(join(directory, `${round}.db`))}).close();`;
    const codes = Array.from({ length: 5 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
      const [code] = await once(child, 'exit');
      return code;
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0, 0]);
  }
});
