/** A program that runs the snippets of one page, and sends the outcome of each snippet to its parent process. */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { beginTurn, isReasonOfMoment } from './surroundings.ts';

export interface Turn {
  file: string;
  isEndless: boolean;
}

export interface Task {
  turns: Turn[];
}

export interface Outcome {
  /** The reason of the failure. */
  failure?: string;
  /** The output of the snippet. */
  output: string;
}

/** Time in ms for the work that a snippet has started and does not await. */
const GRACE_MS = 50;

/** Upper bound in ms for a snippet that would never end. */
const LIMIT_MS = 20_000;
/** Time in ms until an endless snippet is stopped, and until `signal` aborts. */
const MOMENT_MS = 500;

const { turns } = JSON.parse(process.argv[2] ?? '') as Task;
let output = '';
let fail = (_failure: string) => {};

for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}
process.exit = code => {
  throw new Error(`It ended the process with the code ${code}.`);
};
const { reallyExit } = process as unknown as { reallyExit(code: number): never };
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, error => isReasonOfMoment(error) || fail(`${event}: ${inspect(error)}`));
}

for (const turn of turns) {
  await beginTurn(dirname(turn.file), MOMENT_MS);
  output = '';
  const failure = await failureOf(turn);
  const outcome: Outcome = { output, ...(failure !== undefined && { failure }) };
  await new Promise<unknown>(resolve => process.send?.(outcome, resolve));
}
reallyExit.call(process, 0);

async function failureOf({ file, isEndless }: Turn): Promise<string | undefined> {
  const failed = new Promise<string>(resolve => {
    fail = resolve;
  });
  const settled = import(pathToFileURL(file).href).then(
    () => (isEndless ? 'It ended, and its fence says that it is endless.' : undefined),
    error => (isReasonOfMoment(error) ? undefined : inspect(error)),
  );
  const late = wait(isEndless ? MOMENT_MS : LIMIT_MS).then(() =>
    isEndless ? undefined : `It has not ended after ${LIMIT_MS} ms.`,
  );
  const failure = await Promise.race([failed, settled, late]);
  const later = failure ?? (await Promise.race([failed, wait(GRACE_MS).then(() => undefined)]));
  const code = process.exitCode;
  process.exitCode = undefined;
  return later ?? (code ? `It set the exit code ${code}.` : undefined);
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
