/**
 * Compares the sizes of the published files in a user's bundle with the limits of the project. Fails if a size exceeds
 * its limit. Needs `npm run build`.
 *
 * node scripts/budgets.ts [--sources]   also the part of each source file
 */
import { sizes } from '../support/benchmarks/sizes.ts';

const measured = await sizes();
const over = measured.filter(({ gzip, limit }) => !(gzip <= limit));
console.log('| min + gzip | KiB | limit | goal | |\n|---|---:|---:|---:|---|');
for (const { name, gzip, limit, goal } of measured) {
  console.log(`| ${name} | ${kib(gzip)} | ${kib(limit)} | ${kib(goal)} | ${gzip <= limit ? '' : 'over'} |`);
}
if (process.argv.includes('--sources')) {
  for (const { name, sources } of await sizes({ published: false })) {
    console.log(`\n${name}: minified bytes\n`);
    for (const [file, bytes] of sources) console.log(`${String(bytes).padStart(7)}  ${file}`);
  }
}
if (over.length > 0) {
  console.error(`Over budget: ${over.map(({ name }) => name).join('; ')}.`);
  process.exitCode = 1;
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(2);
}
