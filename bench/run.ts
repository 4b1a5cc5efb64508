/**
 * Everything that is measured in one process after another: requests beside other clients, linking, deliveries, cold start,
 * import, sizes. Writes `bench/results/latest.json`, prints tables, and fails if a bound is broken.
 *
 * node --expose-gc bench/run.ts [group …]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { coldStart } from './cold-start.ts';
import { draining } from './draining.ts';
import { feed } from './feed.ts';
import { importTime } from './import.ts';
import { linking } from './linking.ts';
import { mcpStart } from './mcp-start.ts';
import { type Difference, isOver, type Ratio } from './measure.ts';
import { overhead } from './overhead.ts';
import { sizes } from './size.ts';
import { validating } from './validating.ts';
import { verifying } from './verifying.ts';

const GROUPS: Record<string, () => (Ratio | Difference)[] | Promise<(Ratio | Difference)[]>> = {
  overhead,
  validating,
  linking,
  verifying,
  'cold-start': coldStart,
  import: importTime,
  'mcp-start': mcpStart,
  draining,
  feed,
};
const asked = process.argv.slice(2);
const unknown = asked.filter(name => name !== 'sizes' && !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) throw new Error(`There is no group ${unknown}; there are ${Object.keys(GROUPS)}, sizes.`);
const isAsked = (name: string) => asked.length === 0 || asked.includes(name);

const figures: (Ratio | Difference)[] = [];
for (const [name, measure] of Object.entries(GROUPS)) {
  if (isAsked(name)) figures.push(...(await measure()));
}
const bytes = isAsked('sizes') ? await sizes() : [];

let isAnyOver = false;
for (const group of new Set(figures.map(({ group }) => group))) {
  console.log(`\n| ${group} | against | figure | ms | limit | |\n|---|---|---:|---:|---:|---|`);
  for (const figure of figures.filter(figure => figure.group === group)) {
    const value = 'ratio' in figure ? figure.ratio : figure.difference;
    const unit = 'ratio' in figure ? '×' : 'ms';
    const cells = [figure.name, figure.against, `${value.toFixed(2)} ${unit}`, figure.ms.toFixed(3)];
    console.log(`| ${[...cells, boundsOf(figure), mark(value, figure)].join(' | ')} |`);
  }
}
if (bytes.length > 0) console.log('\n| min + gzip | bytes | limit | |\n|---|---:|---:|---|');
for (const { name, gzip, limit } of bytes) console.log(`| ${name} | ${gzip} | ${limit} | ${mark(gzip, { limit })} |`);

const directory = resolve(import.meta.dirname, 'results');
mkdirSync(directory, { recursive: true });
writeFileSync(
  resolve(directory, 'latest.json'),
  `${JSON.stringify({ node: process.version, at: new Date(), figures, bytes }, null, 2)}\n`,
);
if (isAnyOver) process.exitCode = 1;

function boundsOf(figure: Ratio | Difference): string {
  const atLeast = 'atLeast' in figure ? `${figure.atLeast} to ` : '';
  return `${atLeast}${figure.limit ?? ''}`;
}

function mark(value: number, bounds: { limit?: number; atLeast?: number }): string {
  if (!isOver(value, bounds)) return '';
  isAnyOver = true;
  return 'OVER';
}
