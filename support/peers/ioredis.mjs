import { redisInbox, redisLimiter } from 'container-tracking-sdk/redis';
import * as ioredis from 'ioredis';
import { readThrough } from './limited.mjs';
import { roundTrip } from './round-trip.mjs';

// Version 5.0 is a CommonJS module whose exports Node does not detect.
const { Redis = ioredis.default } = ioredis;
const redis = new Redis(process.env.REDIS_URL);
await readThrough(redisLimiter({ client: redis, key: 'sandbox', processes: 1 }));
await roundTrip(redisInbox({ client: redis }));
await redis.quit();
