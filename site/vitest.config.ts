import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], testTimeout: 1_200_000, hookTimeout: 60_000 },
});
