import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importTime } from './import.ts';
import { linking } from './linking.ts';
import type { Ratio } from './measure.ts';
import { overhead } from './overhead.ts';
import { sizes } from './size.ts';
import { verifying } from './verifying.ts';

const ratios: Ratio[] = [...(await overhead()), ...linking(), ...(await verifying()), ...(await importTime())];
const bytes = await sizes();

console.log('| what | against | ratio | ms | limit |\n|---|---|---:|---:|---:|');
for (const { group, name, against, ratio, ms, limit } of ratios) {
  console.log(`| ${group}: ${name} | ${against} | ${ratio.toFixed(2)} | ${ms.toFixed(3)} | ${limit ?? ''} |`);
}
console.log('\n| min + gzip | bytes | limit |\n|---|---:|---:|');
for (const { name, gzip, limit } of bytes) console.log(`| ${name} | ${gzip} | ${limit ?? ''} |`);

const directory = resolve(import.meta.dirname, 'results');
mkdirSync(directory, { recursive: true });
writeFileSync(
  resolve(directory, 'latest.json'),
  `${JSON.stringify({ node: process.version, ratios, bytes }, null, 2)}\n`,
);
