import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests of the board, which need its packages: `npm run board:check` installs them. */
export default defineConfig({ test: { ...base.test, include: ['test/board/*.browser.ts'] } });
