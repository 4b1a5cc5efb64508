import type { TrackingClient } from '../../client.ts';
import { AuthenticationError } from '../../errors.ts';
import { Caller } from '../caller.ts';
import type { ServiceCredential } from './options.ts';

/** Time for which a key is not checked again after the service has accepted it. */
const TRUSTED_MS = 5 * 60_000;

/**
 * Time for which a refused key is refused again without a request. A caller who tries many keys therefore does not use
 * up the requests.
 */
const REFUSED_MS = 10_000;

const CHECK_DEADLINE_MS = 10_000;

/** Maximum number of checks in one minute, for keys that the service has not accepted before. Further keys get 429. */
const CHECKS_A_MINUTE = 120;

interface Entry {
  caller: Caller;
  /** The latest check of an API key. */
  check: { accepted: Promise<boolean>; until: number } | undefined;
  /** True if the service accepted the key in its latest check. */
  isKnown: boolean;
}

/** The callers of a handler, by credential. Each caller keeps its client, because the client counts the requests of its key. */
export class Callers {
  readonly #entries = new Map<string, Entry>();
  readonly #clientFor: (credential: ServiceCredential) => TrackingClient;
  readonly #max: number;
  #unknown = { checks: 0, until: 0 };

  constructor(clientFor: (credential: ServiceCredential) => TrackingClient, max: number) {
    this.#clientFor = clientFor;
    this.#max = max;
  }

  /** The caller with a credential that the handler does not have to check. */
  trusted(credential: ServiceCredential): Caller {
    return this.#entry(credential).caller;
  }

  /**
   * The caller with this key, or the reason for a refusal: the service refuses the key, or this minute had too many checks
   * of unknown keys. Parallel requests share one check.
   */
  async withKey(apiKey: string): Promise<Caller | 'refused' | 'too_many'> {
    const known = this.#entries.get(nameOf({ apiKey }));
    const isDue = !known?.check || known.check.until < Date.now();
    if (isDue && !known?.isKnown && !this.#mayCheck()) return 'too_many';
    const entry = this.#entry({ apiKey });
    if (isDue) entry.check = this.#check(entry);
    return (await entry.check?.accepted) === false ? 'refused' : entry.caller;
  }

  clear(): void {
    for (const { caller } of this.#entries.values()) caller.client.close();
    this.#entries.clear();
  }

  #entry(credential: ServiceCredential): Entry {
    const name = nameOf(credential);
    const entry = this.#entries.get(name) ?? {
      caller: new Caller(this.#clientFor(credential)),
      check: undefined,
      isKnown: false,
    };
    // The caller moves to the end, so the first caller has sent no request for the longest time.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  #mayCheck(): boolean {
    if (this.#unknown.until < Date.now()) this.#unknown = { checks: 0, until: Date.now() + 60_000 };
    this.#unknown.checks += 1;
    return this.#unknown.checks <= CHECKS_A_MINUTE;
  }

  #check(entry: Entry): NonNullable<Entry['check']> {
    const check = { accepted: this.#isAccepted(entry.caller), until: Infinity };
    void check.accepted.then(
      accepted => {
        check.until = Date.now() + (accepted ? TRUSTED_MS : REFUSED_MS);
        if (accepted && !entry.isKnown) this.#unknown.checks -= 1;
        entry.isKnown = accepted;
      },
      () => {
        // It is not known if the key is valid. The call itself will show whether the key is valid, and the next call
        // checks the key again.
        entry.check = undefined;
      },
    );
    check.accepted = check.accepted.catch(() => true);
    return check;
  }

  /** Checks the key with the smallest possible request. */
  async #isAccepted({ client }: Caller): Promise<boolean> {
    try {
      await client.request({
        path: '/shipping_lines',
        query: { page: { size: 1 } },
        retry: false,
        deadline: CHECK_DEADLINE_MS,
      });
      return true;
    } catch (error) {
      if (error instanceof AuthenticationError) return false;
      throw error;
    }
  }
}

function nameOf(credential: ServiceCredential): string {
  return JSON.stringify(credential);
}
