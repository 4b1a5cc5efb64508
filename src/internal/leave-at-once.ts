/**
 * Makes `return()` and `throw()` of a generator abort the signal that its body uses. Without this, they would take
 * effect only after the next item has arrived.
 */
export function leaveAtOnce<G extends AsyncGenerator>(generator: G, left: AbortController): G {
  const { return: end, throw: fail } = generator;
  generator.return = value => {
    left.abort();
    return end.call(generator, value);
  };
  generator.throw = error => {
    left.abort();
    return fail.call(generator, error);
  };
  return generator;
}
