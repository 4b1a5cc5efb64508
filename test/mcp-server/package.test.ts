import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainResult, stdioPeer } from '../../support/mcp-peer.ts';
import { installPacked, type PackedProject } from '../../support/packed.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';

const PEER = '@modelcontextprotocol/server';
const ENTRY = 'container-tracking-sdk/mcp-server';
const IMPORT = `await import('${ENTRY}')`;
const REQUIRE = `require('${ENTRY}')`;

let project: PackedProject;
let bin: string;

beforeAll(() => {
  project = installPacked();
  bin = join(project.directory, 'node_modules/.bin/container-tracking');
}, 120_000);

afterAll(() => project?.remove());

async function node(args: string[], environment: Record<string, string> = {}) {
  const options = { cwd: project.directory, env: { ...process.env, ...environment } };
  const ended = await promisify(execFile)(process.execPath, args, options).catch(error => error);
  return { code: ended.code ?? 0, stdout: String(ended.stdout), stderr: String(ended.stderr) };
}

describe('without the official package', () => {
  test.each([
    ['import', ['--input-type=module', '-e', IMPORT]],
    ['require', ['--input-type=commonjs', '-e', REQUIRE]],
  ])('%s fails with a message that names the missing package', async (_, args) => {
    const { code, stderr } = await node(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Cannot find (package|module) '${PEER}'`));
  });

  test('the command mcp prints a command line that installs the package', async () => {
    const { code, stdout, stderr } = await node([bin, 'mcp'], {
      TRACKING_API_KEY: 'x',
      TRACKING_BASE_URL: 'http://127.0.0.1:9/v2',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `The command mcp needs the package ${PEER}. Install it, or run:\n  npx -p container-tracking-sdk -p ${PEER} container-tracking mcp\nIf the folder in which you start npx has one of these packages, npx leaves this package out: start npx in another folder.\n`,
    );
  });

  test('the other commands and the main entry work', async () => {
    expect(await node([bin, '--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await node(['--input-type=module', '-e', `await import('container-tracking-sdk')`])).toMatchObject({
      code: 0,
    });
  });
});

describe('with the official package', () => {
  let service: SandboxServer;

  beforeAll(async () => {
    // The folders are at the same places as after an installation by npm.
    for (const name of ['server', 'core']) {
      const from = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol', name);
      cpSync(from, join(project.directory, 'node_modules/@modelcontextprotocol', name), { recursive: true });
    }
    service = await createSandbox().listen();
  });

  afterAll(async () => {
    rmSync(join(project.directory, 'node_modules/@modelcontextprotocol'), { recursive: true });
    await service?.close();
  });

  test('import and require give the same names', async () => {
    for (const args of [
      ['--input-type=module', '-e', `console.log(Object.keys(${IMPORT}).sort().join())`],
      ['--input-type=commonjs', '-e', `console.log(Object.keys(${REQUIRE}).sort().join())`],
    ]) {
      expect(await node(args)).toEqual({ code: 0, stdout: 'createMcpHandler,createMcpServer\n', stderr: '' });
    }
  });

  test('the command of the packed package serves requests', async () => {
    const peer = await stdioPeer(service.baseUrl, { command: [bin] });
    expect(plainResult(await peer.call('list_shipments')).items).toEqual([]);
    expect(peer.stderr()).toBe('');
    expect(await peer.close()).toBe(0);
  });
});
