import { describe, expect, test } from 'vitest';
import { type RedisClient, redisInbox } from '../../src/redis.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  type Inbox,
  ipAllowlist,
  memoryInbox,
  stream,
} from '../../src/webhooks/index.ts';

const inbox = memoryInbox({ ephemeral: true });
const router = createRouter();
const logger = false;
const client = { eval: async () => null, evalsha: true } as unknown as RedisClient;

/** Additional properties of a valid argument, as a caller without TypeScript may pass them. */
type Given = Record<string, unknown>;

const HANDLING = 'schema, leaseMs, maxAttempts, minDelay, maxDelay, pollMs, onDead, logger';

const OPENERS: [name: string, misspelt: string, open: (given: Given) => unknown, names: string][] = [
  [
    'createReceiver()',
    'maxBodySize',
    given => createReceiver({ secrets: ['s'], inbox, logger, ...given }),
    'secrets, inbox, header, maxBodyBytes, deadlineMs, onPoison, orderBy, onRejected, logger, schema, algorithm, encoding, prefix',
  ],
  [
    'createWorker()',
    'handlerTimeout',
    given => createWorker({ inbox, router, logger, ...given }),
    `inbox, router, concurrency, handlerTimeoutMs, ${HANDLING}`,
  ],
  ['stream()', 'concurrency', given => stream(inbox, { logger, ...given }), `signal, ${HANDLING}`],
  [
    'stream()',
    'handlerTimeoutMs',
    given => (inbox as Inbox & { stream(given: Given): unknown }).stream(given),
    `signal, ${HANDLING}`,
  ],
  [
    'ipAllowlist()',
    'maxAge',
    given => ipAllowlist({ ips: async () => ({ webhook_notification_ips: [] }), ...given }),
    'ips, maxAgeMs, logger',
  ],
  ['memoryInbox', 'retentonMs', given => memoryInbox({ ephemeral: true, ...given }), 'retentionMs, ephemeral'],
  [
    'sqliteInbox',
    'retentonMs',
    given => sqliteInbox(':memory:', { ephemeral: true, ...given }),
    'retentionMs, ephemeral',
  ],
  ['redisInbox', 'prefix', given => redisInbox({ client, ...given }), 'retentionMs, client, key, warn'],
];

describe('options with an unknown name', () => {
  test.each(OPENERS)('are refused by %s, and the error lists the known names (%s)', (name, misspelt, open, names) => {
    expect(() => open({ [misspelt]: 1 })).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringContaining(`${name} has no ${misspelt}; `),
      }),
    );
    expect(() => open({ [misspelt]: 1 })).toThrow(`here are: ${names}.`);
  });

  test.each(OPENERS)('are accepted by %s if the value is undefined (%s)', (_, misspelt, open) => {
    expect(() => open({ [misspelt]: undefined })).not.toThrow();
  });

  test.each(OPENERS)('do not include the documented options of %s (besides %s)', (_, _misspelt, open, names) => {
    for (const name of names.split(', ')) {
      const call = () => open({ [name]: Symbol('of the wrong kind') });
      try {
        call();
      } catch (error) {
        expect(String(error)).not.toMatch(/has no (?!method)/);
      }
    }
  });
});
