import { ConfigurationError } from '../../errors.ts';

/** The signing secret of a webhook, or several while one replaces another: each is tried. */
export type SecretList = string | readonly (string | undefined)[];

/**
 * The secrets, or what fetches them. A receiver keeps what that gave for 30 seconds, and asks again before it refuses a
 * signature, at most once a second: a new secret works at once, an old one for 30 seconds at most. `verifyWebhook` keeps
 * nothing.
 */
export type Secrets = SecretList | (() => SecretList | Promise<SecretList>);

/** An empty key would let anybody sign, and the last two are what becomes of a missing variable. */
const NOT_SECRET = ['', 'undefined', 'null'];

/** @throws {ConfigurationError} unless every secret can be one. The message holds no secret. */
export function checkSecrets(secrets: unknown): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (list.length > 0 && list.every(isSecret)) return list;
  throw new ConfigurationError('A webhook secret is missing or empty.');
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !NOT_SECRET.includes(value.trim());
}

const KEPT_MS = 30_000;
/** So that forgeries cannot make one look-up each. */
const BETWEEN_MS = 1000;
/** A look-up that takes longer is no longer waited for: a platform may have ended it with the request that it began in. */
const PATIENCE_MS = 5000;

export interface SecretSource {
  current(): SecretList | Promise<SecretList>;
  /** After a mismatch: other secrets than those that were tried, where there may be some. */
  newer(tried: SecretList): Promise<SecretList> | undefined;
}

/** The secrets for many deliveries: those that come at a time share one look-up, and one that fails is not kept. */
export function secretSource(secrets: Secrets): SecretSource {
  if (typeof secrets !== 'function') return { current: () => secrets, newer: () => undefined };
  const now = () => performance.now();
  let kept: SecretList | undefined;
  let keptUntil = 0;
  let asking: Promise<SecretList> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  return {
    current: () => (kept && now() < keptUntil ? kept : ask()),
    newer(tried) {
      if (kept && kept !== tried) return Promise.resolve(kept);
      return asking || now() - askedAt >= BETWEEN_MS ? ask() : undefined;
    },
  };

  function ask(): Promise<SecretList> {
    if (!asking || now() - askedAt >= PATIENCE_MS) {
      askedAt = now();
      asking = lookUp().finally(() => {
        asking = undefined;
      });
    }
    return asking;
  }

  async function lookUp(): Promise<SecretList> {
    kept = checkSecrets(await (secrets as () => SecretList)());
    keptUntil = now() + KEPT_MS;
    return kept;
  }
}
