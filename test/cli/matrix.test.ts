import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { API_OPTIONS } from '../../src/cli/api.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { textWidth } from '../../src/cli/output/text-width.ts';
import { freePort } from '../../support/free-port.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { commandLine, terminal } from './command-line.ts';

/**
 * These tests run each command that calls the service, with each kind of failure. If the first test fails, a command is
 * missing here: add it with its arguments.
 */
const ID = '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11';
const folder = mkdtempSync(join(tmpdir(), 'cli-matrix-'));
writeFileSync(join(folder, 'invoice.pdf'), '%PDF-1.4 one');
writeFileSync(join(folder, 'numbers.csv'), 'MAEU123456789,MAEU\n');

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  worklist: [],
  changes: [join(folder, 'state.json')],
  track: ['MAEU123456789', '--scac', 'MAEU', '--wait', '2s'],
  search: ['MAEU'],
  'shipments list': [],
  'shipments get': [ID],
  'shipments update': [ID, '--ref', 'PO-1'],
  'shipments stop': [ID, '--yes'],
  'shipments resume': [ID],
  'containers list': [],
  'containers get': [ID],
  'containers refresh': [ID],
  'containers route': [ID],
  'containers map': [ID],
  'tracking-requests list': [],
  'tracking-requests get': [ID],
  'tracking-requests create': ['MAEU123456789', '--scac', 'MAEU'],
  'tracking-requests update': [ID, '--ref', 'PO-1'],
  'tracking-requests infer': ['MAEU123456789'],
  'documents list': [],
  'documents get': [ID],
  'documents upload': [join(folder, 'invoice.pdf')],
  'documents download': [ID, '--to', join(folder, 'out.pdf')],
  'custom-fields list': [],
  'custom-fields get': ['shipments', ID],
  'custom-fields set': ['shipments', ID, 'service_contract=5'],
  carriers: [],
  ports: ['USLAX'],
  terminals: [ID],
  vessels: ['9321483'],
  parties: [],
  'webhooks listen': ['--port', '0'],
  'webhooks list': [],
  'webhooks get': [ID],
  'webhooks create': ['--url', 'https://app.example/hooks'],
  'webhooks update': [ID, '--active', 'off'],
  'webhooks delete': [ID, '--yes'],
  'webhooks trigger': ['container.updated', '--url', 'https://app.example/hooks'],
  'webhooks recover': ['--since', '2026-03-09T00:00:00Z'],
  'notifications list': [],
  'notifications get': [ID],
  whoami: [],
  limits: [],
};
const NAMES = Object.keys(ARGUMENTS);
/** Commands that end only after a failure. */
const ENDLESS = ['webhooks listen'];

let sandbox: Sandbox;
let server: SandboxServer;
/** One key for each test, because the clients of a process share what they have learnt about a key. */
const apiKeys = Array.from({ length: 8 * NAMES.length }, (_, index) => `key-${index}`);
let tests = 0;

beforeAll(async () => {
  sandbox = createSandbox({ apiKeys, shipments: 12, rateLimit: false, trackingDelayMs: 1 });
  server = await sandbox.listen();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const ct = commandLine(() => ({ TRACKING_API_KEY: apiKeys[tests++], TRACKING_BASE_URL: server.baseUrl }));
const command = (name: string, ...more: string[]) => ct(...name.split(' '), ...(ARGUMENTS[name] ?? []), ...more);

test('this file has the arguments of each command that calls the service', async () => {
  const calling = [];
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const { options } = (await load()).command;
    if (Object.keys(API_OPTIONS).every(option => Object.hasOwn(options, option))) calling.push(name);
  }
  expect(NAMES.toSorted()).toEqual(calling.toSorted());
});

describe.each(NAMES)('%s', name => {
  test.each([
    [401, 3, false],
    [429, 5, true],
    [500, 6, true],
  ])('ends after status %i with exit code %i and one line of JSON', async (status, exitCode, retryable) => {
    sandbox.fail({ status, times: Number.POSITIVE_INFINITY, ...(status === 429 && { retryAfter: 3600 }) });
    const { code, out, err, last } = await command(name, '--json', '--retries', '0');
    expect(code).toBe(exitCode);
    for (const line of err.trim().split('\n')) expect(JSON.parse(line), line).toBeTypeOf('object');
    sandbox.reset();
    expect(JSON.parse(last)).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      retryable,
      status,
    });
    expect(out).toBe('');
  });

  test('reports a refused connection, with exit code 6', async () => {
    vi.stubEnv('TRACKING_BASE_URL', `http://127.0.0.1:${await freePort()}/v2`);
    const { code, err } = await command(name, '--retries', '0');
    expect(code).toBe(6);
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe.each(NAMES.filter(name => !ENDLESS.includes(name)))('%s on a terminal', name => {
  test.each([
    [20, {}],
    [60, { NO_COLOR: '1' }],
    [80, { TERM: 'dumb' }],
  ])('of %i columns (%j) prints no line that is too long, and no control character', async (columns, environment) => {
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    terminal(columns);
    const { out } = await command(name, '--retries', '0');
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    // GeoJSON is for programs, so its lines may be longer.
    if (name === 'containers map') return;
    const widest = Math.max(...out.split('\n').map(textWidth));
    expect(widest).toBeLessThanOrEqual(columns);
  });
});
