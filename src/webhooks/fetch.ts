import type { Delivery } from './accept.ts';
import { notRaw } from './raw-body.ts';
import { BodyCollector } from './read-body.ts';

export function fetchDelivery(request: Request): Delivery {
  return {
    method: request.method,
    header: name => request.headers.get(name),
    async read(limit, signal) {
      if (request.bodyUsed || request.body?.locked) throw notRaw('Something has read the request before.');
      if (!request.body) return new Uint8Array();
      const reader = request.body.getReader();
      const collector = new BodyCollector(limit);
      const cancel = () => reader.cancel().catch(() => {});
      signal.addEventListener('abort', cancel);
      try {
        for (;;) {
          const { done, value } = await reader.read();
          // A cancelled reader says that it is done.
          if (signal.aborted) return 'incomplete';
          if (done) return collector.bytes();
          if (!collector.add(value)) {
            cancel();
            return 'too_large';
          }
        }
      } catch {
        return 'incomplete';
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}
