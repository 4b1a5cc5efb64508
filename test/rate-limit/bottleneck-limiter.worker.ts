/** Makes twelve calls without awaiting them. Only the limiter keeps the process alive. */
import Bottleneck from 'bottleneck';
import { bottleneckLimiter } from '../../src/rate-limit/bottleneck-limiter.ts';

const limiter = bottleneckLimiter(new Bottleneck({ maxConcurrent: 3 }), { windowMs: 300 });
const last = bottleneckLimiter(new Bottleneck({ maxConcurrent: 3 }), { windowMs: 3_600_000 });
let sent = 0;
for (let i = 0; i < 12; i++) {
  const which = i < 9 ? limiter : last;
  which.acquire({ bucket: 'default', priority: 'bulk' }).then(slot => {
    sent += 1;
    slot.release();
  });
}
process.on('exit', () => process.stdout.write(`${sent} sent\n`));
