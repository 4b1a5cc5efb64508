/**
 * The worker of `queues.ts` in another process. It sends the time at which each handler began. Arguments: the system, and
 * its store.
 */
import { openQueue, type QueueName } from './queue-systems.ts';

const [name, address] = process.argv.slice(2);
const queue = await openQueue(name as QueueName, String(address));
await queue.work(8, id => process.send?.({ id, at: performance.timeOrigin + performance.now() }));
