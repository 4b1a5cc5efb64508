/** The public entries; `package.json` exports the same names. */
export const entries = {
  index: 'src/index.ts',
  schemas: 'src/schemas/index.ts',
  webhooks: 'src/webhooks/index.ts',
  'webhooks/sqlite': 'src/webhooks/inbox/sqlite/sqlite-inbox.ts',
  sandbox: 'src/sandbox/index.ts',
  'sandbox/msw': 'src/sandbox/msw.ts',
  'mcp-server': 'src/mcp-server/index.ts',
  redis: 'src/redis.ts',
  bottleneck: 'src/rate-limit/bottleneck-limiter.ts',
  postgres: 'src/postgres.ts',
  sync: 'src/sync/index.ts',
  'sync/sqlite': 'src/sync/sqlite/sqlite-store.ts',
  'sync/testing': 'src/sync/testing/index.ts',
  mcp: 'src/mcp/index.ts',
  otel: 'src/otel/index.ts',
};
