import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// The type tests in test/types need no runner: `tsc`, the first step of `npm test`, checks what they expect.
// The limits end what hangs. They are long, so that a busy machine fails no test.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['support/patience.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One core would be idle by default. Many files wait for a process or a timer: hence one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    expect: { poll: { timeout: 15_000 } },
  },
});
