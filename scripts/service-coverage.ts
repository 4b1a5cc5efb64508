/**
 * Writes `docs/service/coverage.md`: every operation of the service, with the results of its type test and of its call over a
 * socket.
 *
 * node scripts/service-coverage.ts
 */
import { writeFileSync } from 'node:fs';
import { coverage, coveragePage } from '../support/service/coverage.ts';

writeFileSync(new URL('../docs/service/coverage.md', import.meta.url), coveragePage(await coverage()));
