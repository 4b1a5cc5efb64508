import { defineConfig } from 'vitest/config';

// The type tests in test/types need no runner: `tsc`, the first step of `npm test`, checks what they expect.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
