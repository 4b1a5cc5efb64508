import { vi } from 'vitest';

/**
 * For all tests. `vi.waitFor` gives up after one second by default, which a busy machine may need for what is right. The limit
 * is only there for what never comes.
 */
const { waitFor } = vi;
vi.waitFor = (condition, options) =>
  waitFor(condition, { timeout: 15_000, ...(typeof options === 'number' ? { timeout: options } : options) });
