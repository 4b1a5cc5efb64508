/** A queue of items: `push` adds an item, and a loop reads it later. */
export function queue<T>(): AsyncIterable<T> & { push(item: T): void } {
  const items: T[] = [];
  let wake = () => {};
  return {
    push(item) {
      items.push(item);
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else await new Promise<void>(resolve => (wake = resolve));
      }
    },
  };
}
