import { onTestFinished, vi } from 'vitest';

/** Records the rejections without a handler, since each of them ends a process of Node. */
export function unhandledRejections(): { settle(): Promise<unknown[]> } {
  const listener = vi.fn();
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return {
    /** Waits until Node has reported the rejections of this turn of the event loop, and returns all that were recorded. */
    async settle() {
      await new Promise(resolve => setImmediate(resolve));
      return listener.mock.calls.map(([reason]) => reason);
    },
  };
}
