/**
 * Runs all measurements in one process, one after the other: requests compared with other clients, linking, deliveries,
 * cold start, import, sizes. Writes `docs/reference/benchmarks.json` and all pages with figures, and fails if a bound
 * is broken. Groups that are not named keep their figures.
 *
 * node --expose-gc bench/run.ts [group …]
 */

import { GROUPS, type GroupName } from '../support/benchmarks/groups.ts';
import type { Difference, Ratio, Requests } from '../support/benchmarks/measure.ts';
import { tables, writeReport } from '../support/benchmarks/report.ts';
import { type Figure, figureOf, isOver, merged, readResults, writeResults } from '../support/benchmarks/results.ts';
import { type Size, sizes } from '../support/benchmarks/sizes.ts';
import { coldStart } from './cold-start.ts';
import { draining } from './draining.ts';
import { feed } from './feed.ts';
import { importTime } from './import.ts';
import { linking } from './linking.ts';
import { mcpStart } from './mcp-start.ts';
import { overhead } from './overhead.ts';
import { polling } from './polling.ts';
import { validating } from './validating.ts';
import { verifying } from './verifying.ts';

type Measured = (Ratio | Difference | Size | Requests)[];

const MEASURE: Record<GroupName, () => Measured | Promise<Measured>> = {
  overhead,
  draining,
  linking,
  validating,
  verifying,
  feed,
  polling,
  'cold-start': coldStart,
  import: importTime,
  'mcp-start': mcpStart,
  sizes,
};
const names = Object.keys(GROUPS) as GroupName[];
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) throw new Error(`There is no group ${unknown}; there are ${names}.`);

const measured: Record<string, Figure[]> = {};
for (const name of names) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const figures = (await MEASURE[name]()).map(figureOf);
  measured[name] = figures;
  console.log(`\n${tables(figures)}`);
}
writeResults(merged(readResults(), measured, names));
writeReport();
if (Object.values(measured).flat().some(isOver)) process.exitCode = 1;
