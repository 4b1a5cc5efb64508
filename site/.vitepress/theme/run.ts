import type { Report, Task } from '../../try/protocol.ts';

export const LIMIT_MS = 30_000;

export interface Run {
  /** Ends the run immediately, even in an endless loop. */
  stop(): void;
}

let registered: Promise<void> | undefined;

/** Runs a snippet in its own worker. `over` is called once, unless the caller stops the run. */
export function startRun(task: Task, folder: string, report: (report: Report) => void, over: () => void): Run {
  let worker: Worker | undefined;
  let isOver = false;
  const stop = () => {
    isOver = true;
    clearTimeout(limit);
    worker?.terminate();
  };
  const end = () => {
    if (isOver) return;
    stop();
    over();
  };
  const fail = (text: string) => {
    if (isOver) return;
    report({ kind: 'error', text, line: undefined });
    end();
  };
  const limit = setTimeout(() => {
    const seconds = LIMIT_MS / 1000;
    if (task.isEndless) end();
    else fail(`It was stopped after ${seconds} seconds: no snippet runs for longer.`);
  }, LIMIT_MS);
  ready(folder).then(
    () => {
      if (isOver) return;
      worker = new Worker(`${folder}worker.js`, { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
        if (isOver) return;
        if (data.kind === 'end') end();
        else report(data);
      });
      worker.addEventListener('error', event => fail(event.message || 'The worker of the run could not be loaded.'));
      worker.postMessage(task);
    },
    error => fail(String(error)),
  );
  return { stop };
}

/** Resolves when the service worker responds with the code of snippets. */
function ready(folder: string): Promise<void> {
  registered ??= register(folder).catch(error => {
    registered = undefined;
    throw error;
  });
  return registered;
}

async function register(folder: string): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    throw new Error('Snippets run only if this page is loaded over HTTPS, or from your own machine.');
  }
  const registration = await navigator.serviceWorker.register(`${folder}service-worker.js`, { scope: folder });
  const waiting = registration.active ? undefined : (registration.installing ?? registration.waiting);
  if (!waiting) return;
  await new Promise<void>((resolve, reject) => {
    const check = () => {
      if (waiting.state === 'activated') resolve();
      if (waiting.state === 'redundant') reject(new Error('The service worker of this page could not start.'));
    };
    waiting.addEventListener('statechange', check);
    check();
  });
}
