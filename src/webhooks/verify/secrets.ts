import { ConfigurationError } from '../../errors.ts';

/**
 * The signing secret of a webhook. While you replace a secret, pass several secrets: each of them is tried. The type
 * allows `undefined`, the value of a missing environment variable, but `undefined` is rejected at run time.
 */
export type SecretList = string | undefined | readonly (string | undefined)[];

/**
 * The secrets, or a function that fetches them. A receiver caches the result for 30 seconds. Before it refuses a
 * signature, it calls the function again, at most once a second. So a new secret is accepted immediately, and a removed
 * secret is accepted for at most 30 seconds. `verifyWebhook` calls the function each time.
 */
export type Secrets = SecretList | (() => SecretList | Promise<SecretList>);

/** With an empty key, anyone could sign. The other two values come from a missing environment variable. */
const NOT_SECRET = /^\s*(undefined|null)?\s*$/;

/** @throws {ConfigurationError} if a secret is missing or empty. The message contains no secret. */
export function checkSecrets(secrets: unknown, name = 'secrets'): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const index = list.findIndex(secret => !isSecret(secret));
  if (list.length > 0 && index < 0) return list as string[];
  const place = list === secrets && list.length > 0 ? `${name}[${index}]` : name;
  throw new ConfigurationError(`Set ${place}: the webhook secret is missing or empty.`);
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !NOT_SECRET.test(value);
}

const KEPT_MS = 30_000;
/**
 * Minimum time between two look-ups, in ms. Otherwise each forged delivery would cause a look-up. After this time, a delivery
 * does not wait for an earlier look-up: some platforms end a look-up together with the request in which it began.
 */
const BETWEEN_MS = 1000;

export interface SecretSource {
  current(): SecretList | Promise<SecretList>;
  /** Newer secrets after a mismatch; `undefined` if there cannot be newer secrets. */
  newer(tried: SecretList): Promise<SecretList> | undefined;
}

/** The secrets for many deliveries. Simultaneous deliveries share one look-up, and a failed look-up is not cached. */
export function secretSource(secrets: Secrets): SecretSource {
  if (typeof secrets !== 'function') return { current: () => secrets, newer: () => undefined };
  const now = () => performance.now();
  let kept: SecretList | undefined;
  let keptSince = -Infinity;
  let keptUntil = 0;
  let asking: Promise<SecretList> | undefined;
  let askedAt = -Infinity;

  return {
    current: () => (kept && now() < keptUntil ? kept : ask()),
    newer(tried) {
      if (kept && kept !== tried) return Promise.resolve(kept);
      return asking || now() - askedAt >= BETWEEN_MS ? ask() : undefined;
    },
  };

  function ask(): Promise<SecretList> {
    if (!asking || now() - askedAt >= BETWEEN_MS) {
      askedAt = now();
      const latest = lookUp(askedAt).finally(() => {
        if (asking === latest) asking = undefined;
      });
      asking = latest;
    }
    return asking;
  }

  async function lookUp(since: number): Promise<SecretList> {
    const list = checkSecrets(await (secrets as () => SecretList)());
    // A slow look-up may end after a later look-up. It must not replace the result of the later look-up.
    if (since >= keptSince) {
      kept = list;
      keptSince = since;
      keptUntil = now() + KEPT_MS;
    }
    return list;
  }
}
