import { notRaw } from '../notification/raw-body.ts';
import { BodyCollector } from './body-collector.ts';
import type { Delivery } from './delivery.ts';

export function fetchDelivery(request: Request): Delivery {
  // Some frameworks have their own type of request.
  if (!request?.headers?.get) throw notRaw();
  return {
    method: request.method,
    header: name => request.headers.get(name),
    names: () => request.headers.keys(),
    async read(limit, signal) {
      if (request.bodyUsed || request.body?.locked) throw notRaw();
      const collector = new BodyCollector(limit);
      const write = (chunk: Uint8Array) => {
        if (collector.add(chunk)) throw new Error();
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
