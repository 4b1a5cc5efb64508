/** A response of the service, with the local times between which it was made. */
export interface DatedAnswer {
  /** Time at which its request was sent, by the local clock, in ms. */
  sentAt: number;
  /** Time at which it arrived, by the local clock, in ms. */
  receivedAt: number;
  /** The header `Date` of the response; `null` if the service sent none. */
  date: string | null;
}

/** Upper bound for the delay of the service's clock behind the local one, for a service that sends no `Date`. */
const UNKNOWN_CLOCK_MS = 300_000;
const SECOND = 1000;
const MINUTE = 60_000;

/**
 * Dates responses by the clock of the service. `asOf` must never be later than the moment at which the service made the
 * response. A later time would hide a notification that was made after the response.
 *
 * The header `Date` is written when the response is sent, rounded down to a second, and the response arrives after
 * that. So `Date - receivedAt` is a lower bound of the difference of the clocks, and the largest of all bounds so far
 * is the best: one of them was written just after a tick. A response to a request that began at a local time is then at
 * least as new as that time plus this difference. The `Date` of the response itself is not used, because a clock that
 * runs fast (a sandbox) or jumps would date it too late.
 *
 * Everything is rounded down to whole seconds, as the times of notifications are. Within one second nothing can be ordered by
 * these times: the store reports such a pair as a tie, and the record is read again.
 */
export class ServiceClock {
  readonly #now: () => number;
  #offset: number | undefined;

  /** @param now the local clock in ms, which never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The local time in ms. */
  local(): number {
    return this.#now();
  }

  /** The time of the service, or an earlier one, at a local time. In ms since 1970, a whole second. */
  at(local: number): number {
    const offset = this.#offset ?? Date.now() - this.#now() - UNKNOWN_CLOCK_MS;
    return Math.floor((local + offset) / SECOND) * SECOND;
  }

  now(): number {
    return this.at(this.#now());
  }

  /** True for a time that is still to come: it must not decide about freshness. */
  isAhead(time: number): boolean {
    const unknown = this.#offset === undefined ? 2 * UNKNOWN_CLOCK_MS : 0;
    return time > this.now() + unknown + MINUTE;
  }

  /** The earliest time at which the content of a response was true. Also updates the clock from the response. */
  date(answer: DatedAnswer): number {
    const date = answer.date === null ? Number.NaN : Date.parse(answer.date);
    if (Number.isNaN(date)) return this.at(answer.sentAt);
    const isFirst = this.#offset === undefined;
    const asOf = this.at(answer.sentAt);
    this.#learn(date, answer);
    return isFirst ? this.at(answer.sentAt) : Math.min(asOf, date);
  }

  #learn(date: number, { sentAt, receivedAt }: DatedAnswer): void {
    const least = date - receivedAt;
    const most = date + SECOND - sentAt;
    const known = this.#offset ?? least;
    // The known difference is greater than this response allows: the clock of the service was set back.
    this.#offset = known > most ? least : Math.max(known, least);
  }
}
