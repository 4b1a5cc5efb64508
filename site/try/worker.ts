/** A program that runs one snippet in a worker of the page. It ends when the snippet has ended. */
import { BEGIN, LINES_BEFORE, prepare, SHOW } from './prepare.ts';
import { isData, printed, shown } from './print.ts';
import type { Report, Task } from './protocol.ts';
import { CACHE, CODE } from './service-worker.ts';
import { isReasonOfMoment } from './surroundings.ts';

/** Time in ms for work that a snippet has started and does not await. */
const GRACE_MS = 100;
const MODULES = new URL('./', import.meta.url).href;
const address = `${MODULES}${CODE}${crypto.randomUUID()}.js`;

for (const level of ['log', 'info', 'debug', 'warn', 'error', 'table', 'dir'] as const) {
  const isError = level === 'warn' || level === 'error';
  console[level] = (...values: unknown[]) => report({ kind: 'output', text: printed(...values), isError });
}
Object.assign(globalThis, {
  [BEGIN]: () => report({ kind: 'begin' }),
  [SHOW](values: Record<string, unknown>) {
    for (const [name, value] of Object.entries(values)) {
      if (isData(value)) report({ kind: 'value', name, text: shown(value) });
    }
  },
});
addEventListener('unhandledrejection', event => {
  event.preventDefault();
  fail(event.reason);
});
addEventListener('error', event => {
  event.preventDefault();
  fail(event.error ?? event.message);
});
addEventListener('message', ({ data }) => run(data as Task), { once: true });

async function run({ code, given }: Task): Promise<void> {
  try {
    const module = prepare(code, given, specifier => `${MODULES}${specifier}.js`);
    // The service worker responds with the code. A policy allows this even if it forbids `eval` and `blob:`.
    const cache = await caches.open(CACHE);
    await cache.put(address, new Response(module, { headers: { 'content-type': 'text/javascript' } }));
    await import(address);
  } catch (error) {
    fail(error);
  }
  setTimeout(() => report({ kind: 'end' }), GRACE_MS);
}

function fail(error: unknown): void {
  if (isReasonOfMoment(error)) return;
  report({ kind: 'error', text: textOf(error), line: lineOf(error) });
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return shown(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` [${error.code}]` : '';
  return `${error.name}${code}: ${error.message}`;
}

/** The line of an error, from its stack or from the parser. */
function lineOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { loc } = error as { loc?: { line: number } };
  if (loc) return loc.line;
  const line = error.stack?.split(`${address}:`)[1]?.match(/^\d+/)?.[0];
  return line === undefined ? undefined : Number(line) - LINES_BEFORE;
}

function report(message: Report): void {
  postMessage(message);
}
