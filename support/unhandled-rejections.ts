import { onTestFinished, vi } from 'vitest';

/** Notes the rejections that nobody looks at: each of them ends a process of Node. */
export function unhandledRejections(): { settle(): Promise<unknown[]> } {
  const listener = vi.fn();
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return {
    /** What was noted, once the turn is over in which Node tells of them. */
    async settle() {
      await new Promise(resolve => setImmediate(resolve));
      return listener.mock.calls.map(([reason]) => reason);
    },
  };
}
