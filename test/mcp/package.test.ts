import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPacked, type PackedProject, tool } from '../../support/packed.ts';

const PEER = '@modelcontextprotocol/client';
const PROGRAM = `connectMcp({ url: 'https://host.example/mcp', auth: { apiKey: 'k' } }).catch(error => {
  console.log(error.name, error.message);
});
console.log(typeof fileTokenStore, typeof memoryTokenStore);
`;
const SAID = `function function
ConfigurationError connectMcp() needs the package ${PEER}, which is not installed. Run: npm install ${PEER}
`;

let project: PackedProject;

beforeAll(() => {
  project = installPacked();
  const names = '{ connectMcp, fileTokenStore, memoryTokenStore }';
  writeFileSync(join(project.directory, 'a.mjs'), `import ${names} from 'container-tracking-sdk/mcp';\n${PROGRAM}`);
  writeFileSync(
    join(project.directory, 'a.cjs'),
    `const ${names} = require('container-tracking-sdk/mcp');\n${PROGRAM}`,
  );
}, 120_000);

afterAll(() => project?.remove());

async function run(command: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(command, args, {
    cwd: project.directory,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
  });
}

describe('without the official package, the import works, and calls name the package to install', () => {
  test.each<[string, string, string[]]>([
    ['import in Node', process.execPath, ['a.mjs']],
    ['require in Node', process.execPath, ['a.cjs']],
    ['Bun', tool('bun'), ['--no-install', 'a.mjs']],
    ['Deno', tool('deno'), ['run', '--allow-all', '--node-modules-dir=manual', 'a.mjs']],
  ])('%s', async (_, command, args) => {
    expect((await run(command, ...args)).stdout).toBe(SAID);
  });
});
