/**
 * Runs the whole official conformance suite against our client, on each revision of the protocol. Fails if the baseline
 * does not expect the failure of a scenario.
 *
 * node conformance/run-client.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SUITE = resolve(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = `${process.execPath} ${resolve(import.meta.dirname, 'client.ts')}`;
const BASELINE = resolve(import.meta.dirname, 'expected-failures-client.yml');
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

const results = mkdtempSync(join(tmpdir(), 'conformance-'));
try {
  for (const revision of REVISIONS) {
    const command = [SUITE, 'client', '--command', CLIENT, '--suite', 'all', '--spec-version', revision];
    const options = ['--expected-failures', BASELINE, '--output-dir', results];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...options], { encoding: 'utf8' });
    console.log(`Client, ${revision}: ${/^Total: .*$/m.exec(stdout)?.[0] ?? 'no total'}, exit code ${status}`);
    if (status === 0) continue;
    console.error(`${stdout}${stderr}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(results, { recursive: true, force: true });
}
