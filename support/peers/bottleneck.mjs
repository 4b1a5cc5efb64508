import Bottleneck from 'bottleneck';
import { bottleneckLimiter } from 'container-tracking-sdk/bottleneck';
import { readThrough } from './limited.mjs';

await readThrough(bottleneckLimiter(new Bottleneck({ maxConcurrent: 100 }), { windowMs: 100 }));
