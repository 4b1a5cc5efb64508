/**
 * Runs one program with the packed tarball in every runtime, and compares the output of each job with the expected output.
 * Writes `runtimes/results.json` and the table of the README. In CI, the script fails if the table differs from the
 * run.
 *
 * node runtimes/run.ts [names]   only runtimes whose name has one of these words; does not change the table
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { installPacked } from '../support/packed.ts';
import { faultsOf, JOBS, smokeSandbox } from '../support/smoke.ts';
import { prepare, type Runtime } from './runtimes.ts';
import { type Result, updateTable } from './table.ts';

const words = process.argv.slice(2);
const project = installPacked();
const results: Result[] = [];
try {
  const runtimes = (await prepare(project.directory)).filter(
    ({ name }) => words.length === 0 || words.some(word => name.toLowerCase().includes(word.toLowerCase())),
  );
  const waiting = runtimes.entries();
  // The workers share one iterator, so each runtime is tried once.
  const work = async () => {
    for (const [index, runtime] of waiting) results[index] = await tried(runtime);
  };
  await Promise.all(Array.from({ length: Math.max(2, cpus().length) }, work));
} finally {
  project.remove();
}

for (const { name, version, ms, faults } of results) {
  const failed = Object.entries(faults);
  console.log(
    `${failed.length === 0 ? '✓' : '✗'} ${name} (${version}): ${JOBS.length - failed.length} of ${JOBS.length} jobs, ${ms} ms`,
  );
  for (const [job, fault] of failed) console.error(`  ${job}: ${fault}`);
}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
const complaint = words.length === 0 && updateTable(results);
if (complaint) console.error(complaint);
process.exitCode =
  results.length === 0 || complaint || results.some(({ faults }) => Object.keys(faults).length > 0) ? 1 : 0;

/** Each runtime has its own sandbox, so that it does not see records that another runtime has written. */
async function tried({ name, version, run }: Runtime): Promise<Result> {
  const sandbox = smokeSandbox();
  const server = await sandbox.listen();
  const startedAt = performance.now();
  try {
    const told = await run(server.baseUrl).catch(error => ({ list: String(error) }));
    const ms = Math.round(performance.now() - startedAt);
    return { name, version, ms, faults: faultsOf(told, sandbox) };
  } finally {
    await server.close();
  }
}
