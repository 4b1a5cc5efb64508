export type { RedisClient } from './client.ts';
export { type RedisInboxOptions, redisInbox } from './inbox.ts';
export { type RedisLimiterOptions, redisLimiter } from './limiter.ts';
