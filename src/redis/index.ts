export type { RedisClient } from './client.ts';
export { type RedisLimiterOptions, redisLimiter } from './limiter.ts';
