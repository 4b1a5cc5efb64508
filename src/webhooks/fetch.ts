import type { Delivery } from './accept.ts';
import { notRaw } from './raw-body.ts';
import { BodyCollector } from './read-body.ts';

export function fetchDelivery(request: Request): Delivery {
  return {
    method: request.method,
    header: name => request.headers.get(name),
    async read(limit, signal) {
      if (request.bodyUsed || request.body?.locked) throw notRaw();
      const collector = new BodyCollector(limit);
      const write = (chunk: Uint8Array) => {
        collector.add(chunk);
        if (collector.isTooLarge) throw new Error('The body is too large.');
      };
      try {
        await request.body?.pipeTo(new WritableStream({ write }), { signal });
        return collector.bytes();
      } catch {
        return collector.isTooLarge ? 'too_large' : 'incomplete';
      }
    },
  };
}
