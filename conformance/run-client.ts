/**
 * The official conformance suite against our client: the scenarios of its suite `auth` on both current revisions of the
 * protocol, and those about authorization that it keeps elsewhere. Fails if anything does.
 *
 * node conformance/run-client.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SUITE = resolve(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const CLIENT = `${process.execPath} ${resolve(import.meta.dirname, 'client.ts')}`;

const SCENARIOS: [revision: string, scenarios: string[]][] = [
  ['2025-03-26', ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback']],
  [
    '2026-07-28',
    [
      ...[
        'resource-mismatch',
        'offline-access-scope',
        'offline-access-not-supported',
        'authorization-server-migration',
      ],
      ...['iss-supported', 'iss-not-advertised', 'iss-supported-missing', 'iss-wrong-issuer', 'iss-unexpected'],
      ...['iss-normalized', 'metadata-issuer-mismatch'],
    ],
  ],
];

const results = mkdtempSync(join(tmpdir(), 'conformance-'));
const failed: string[] = [];
try {
  for (const revision of ['2025-11-25', '2026-07-28']) run('--suite', 'auth', '--spec-version', revision);
  for (const [revision, scenarios] of SCENARIOS) {
    for (const scenario of scenarios) run('--scenario', `auth/${scenario}`, '--spec-version', revision);
  }
} finally {
  rmSync(results, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(failed.join('\n'));
  process.exitCode = 1;
}

function run(...args: string[]): void {
  const command = [SUITE, 'client', '--command', CLIENT, '--output-dir', results, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  const name = args.filter(arg => !arg.startsWith('--')).join(' ');
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${name}`);
  if (status !== 0) failed.push(`${name}:\n${stdout}${stderr}`);
}
