import { afterEach, beforeEach, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';

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

/** Makes the output a terminal of so many columns, until the end of the test. */
export function terminal(columns: number | undefined): void {
  for (const [name, value] of Object.entries({ isTTY: columns !== undefined, columns })) {
    Object.defineProperty(process.stdout, name, { value, configurable: true, writable: true });
  }
}

/** The last line of what a command has said, without the hint after it. */
export function messageIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast(line => !line.startsWith('See: ')) ?? '';
}
