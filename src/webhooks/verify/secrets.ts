import { ConfigurationError } from '../../errors.ts';

/**
 * The signing secret of a webhook, or several while you replace one: each is tried. `undefined` is what a missing environment
 * variable is: it compiles, and is refused at run time.
 */
export type SecretList = string | undefined | readonly (string | undefined)[];

/**
 * The secrets, or a function that fetches them. A receiver keeps its result for 30 seconds. Before it refuses a signature it
 * calls the function again, at most once a second. So a new secret is accepted at once, and a removed one is accepted for at
 * most 30 seconds. `verifyWebhook` calls the function each time.
 */
export type Secrets = SecretList | (() => SecretList | Promise<SecretList>);

/** With an empty key anybody could sign. The other two values come from a missing environment variable. */
const NOT_SECRET = ['', 'undefined', 'null'];

/** @throws {ConfigurationError} if a secret is missing or empty. The message contains no secret. */
export function checkSecrets(secrets: unknown, name = 'secrets'): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const index = list.findIndex(secret => !isSecret(secret));
  if (list.length > 0 && index < 0) return list as string[];
  const place = list === secrets && list.length > 0 ? `${name}[${index}]` : name;
  throw new ConfigurationError(`Set ${place}: the webhook secret is missing or empty.`);
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !NOT_SECRET.includes(value.trim());
}

const KEPT_MS = 30_000;
/** In ms: forged deliveries must not cause one look-up each. */
const BETWEEN_MS = 1000;
/** In ms. A slower look-up is given up: some platforms end it together with the request in which it began. */
const PATIENCE_MS = 5000;

export interface SecretSource {
  current(): SecretList | Promise<SecretList>;
  /** After a mismatch: newer secrets than those that were tried, if there may be any. */
  newer(tried: SecretList): Promise<SecretList> | undefined;
}

/** The secrets for many deliveries. Deliveries at the same time share one look-up, and a failed look-up is not kept. */
export function secretSource(secrets: Secrets): SecretSource {
  if (typeof secrets !== 'function') return { current: () => secrets, newer: () => undefined };
  const now = () => performance.now();
  let kept: SecretList | undefined;
  let keptSince = Number.NEGATIVE_INFINITY;
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
      const latest = lookUp(askedAt).finally(() => {
        if (asking === latest) asking = undefined;
      });
      asking = latest;
    }
    return asking;
  }

  async function lookUp(since: number): Promise<SecretList> {
    const list = checkSecrets(await (secrets as () => SecretList)());
    // A look-up that was given up may be answered after a later one.
    if (since >= keptSince) {
      kept = list;
      keptSince = since;
      keptUntil = now() + KEPT_MS;
    }
    return list;
  }
}
