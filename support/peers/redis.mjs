import { redisInbox, redisLimiter } from 'container-tracking-sdk/redis';
import { createClient } from 'redis';
import { readThrough } from './limited.mjs';
import { roundTrip } from './round-trip.mjs';

const redis = createClient({ url: process.env.REDIS_URL });
await redis.connect();
await readThrough(redisLimiter({ client: redis, key: 'sandbox', processes: 1 }));
await roundTrip(redisInbox({ client: redis }));
await redis.quit();
