export type { RedisClient } from './internal/redis.ts';
export { type RedisLimiterOptions, redisLimiter } from './rate-limit/redis/redis-limiter.ts';
export { type RedisInboxOptions, redisInbox } from './webhooks/inbox/redis-inbox.ts';
