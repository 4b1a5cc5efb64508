import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { JOBS, type Job } from '../support/smoke.ts';

export interface Result {
  name: string;
  version: string;
  /** Duration of the program in ms. */
  ms: number;
  faults: Partial<Record<Job, string>>;
}

const README = resolve(import.meta.dirname, '../README.md');
const [START, END] = ['<!-- runtimes: written by `npm run runtimes` -->', '<!-- /runtimes -->'];
const TITLES: Record<Job, string> = {
  list: 'List',
  include: 'Include',
  paginate: 'Pages',
  upload: 'Upload',
  verify: 'Webhook',
  abort: 'Abort',
  rateLimited: '429',
  sandbox: 'Sandbox',
};

/** Puts the table of a run between the two marks. In CI nothing is written, and the result describes the difference. */
export function updateTable(results: readonly Result[]): string | undefined {
  const readme = readFileSync(README, 'utf8');
  const [before, rest = ''] = readme.split(START);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) return 'README.md has no place for the table.';
  const filled = `${before}${START}\n${tableOf(results)}\n${END}${after}`;
  if (filled === readme) return undefined;
  if (process.env.CI) return `The table of README.md differs from the table of this run:\n${tableOf(results)}`;
  writeFileSync(README, filled);
  return undefined;
}

function tableOf(results: readonly Result[]): string {
  const rows = [
    ['Runtime', ...JOBS.map(job => TITLES[job])],
    ['---', ...JOBS.map(() => ':-:')],
    ...results.map(result => [titleOf(result), ...JOBS.map(job => (job in result.faults ? '✗' : '✓'))]),
  ];
  return rows.map(row => `| ${row.join(' | ')} |`).join('\n');
}

/**
 * The title of a runtime. Chromium comes from the machine, so its version can change although the project has not
 * changed.
 */
function titleOf({ name, version }: Result): string {
  return name.startsWith('Chromium') ? name : `${name} ${version}`;
}
