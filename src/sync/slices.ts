/** Time in ms for which long work continues before the event loop runs again. */
const SLICE_MS = 5;

/** Runs work whose steps are separated by `yield`. The event loop runs after each slice of time. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await new Promise(resolve => setImmediate(resolve));
    until = performance.now() + SLICE_MS;
  }
}
