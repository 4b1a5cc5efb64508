import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { TrackingClient } from '../../src/index.ts';
import { createSandbox, type SandboxOptions, type SandboxServer } from '../../support/sandbox.ts';

/**
 * A sandbox for the tests of a file. The client calls the sandbox without a socket, and the command lines over a
 * socket.
 */
export function sandboxed(options: SandboxOptions, variables: Readonly<Record<string, string>> = {}) {
  const sandbox = createSandbox({ rateLimit: false, trackingDelayMs: 1, ...options });
  const service = { baseUrl: 'http://localhost/v2', apiKey: 'sandbox', rateLimit: false } as const;
  const client = new TrackingClient({ ...service, fetch: sandbox.fetch });
  const environment: Record<string, string> = { TRACKING_API_KEY: 'sandbox', ...variables };
  let server: SandboxServer;
  beforeAll(async () => {
    server = await sandbox.listen();
    environment.TRACKING_BASE_URL = server.baseUrl;
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  return { sandbox, client, environment, ct: commandLine(() => environment) };
}

/** Runs command lines in the process of the test file, with the variables that `environment` returns. */
export function commandLine(environment: () => Readonly<Record<string, string | undefined>>) {
  let out = '';
  let err = '';

  beforeEach(() => {
    for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      out += text;
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation(text => {
      err += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    terminal(undefined);
  });

  return async (...args: string[]) => {
    [out, err] = ['', ''];
    const code = (await run(args)) ?? 0;
    const lines = out.split('\n').filter(Boolean);
    const last = messageIn(err);
    return { code, out, err, last, json: () => lines.map(line => JSON.parse(line)) };
  };
}

/**
 * Makes stdout a terminal with this number of columns until the end of the test. It has colours if `hasColors` is true.
 */
export function terminal(columns: number | undefined, hasColors = () => false): void {
  for (const [name, value] of Object.entries({ isTTY: columns !== undefined, columns, hasColors })) {
    Object.defineProperty(process.stdout, name, { value, configurable: true, writable: true });
  }
}

/** The last line that a command has printed on stderr, without the hint after it. */
export function messageIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast(line => !line.startsWith('See: ')) ?? '';
}
