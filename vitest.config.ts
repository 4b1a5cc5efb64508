import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Some 200 workers and several hundred programs load the same code again and again.
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, 'node_modules/.cache/compiled');

/** Files that take long because they wait, or because one test has to be long. At the end, nothing would be left to run beside them. */
const LONG = [
  'rate-limit/redis-limiter-outage',
  'cli/commands',
  'rate-limit/redis-limiter',
  'feed/killed',
  'documents/upload-browser',
  'package',
  'sandbox/page-browser',
  'mcp-server/failures',
  'sync/soak',
  'cli/sync',
  'webhooks/soak',
].map(name => `test/${name}.test.ts`);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex(name => moduleId.endsWith(`/${name}`));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** The board imports the package by its name, as its readers do. Tests of its data need no build. */
const boardFromSource = {
  name: 'board-from-source',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) =>
    id === 'container-tracking-sdk' && importer?.includes('/examples/board/')
      ? resolve(import.meta.dirname, 'src/index.ts')
      : null,
};

// The type tests in test/types need no runner: `tsc`, the first step of `npm test`, checks what they expect.
// The limits end what hangs. They are long, so that a busy machine fails no test.
export default defineConfig({
  plugins: [boardFromSource],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['support/patience.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One core would be idle by default. Many files wait for a process or a timer: hence one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    expect: { poll: { timeout: 15_000 } },
  },
});
