/** The times of a response. The service made it between `sentAt` and `receivedAt`. */
export interface DatedAnswer {
  /** Time at which the request was sent, on the local clock, in ms. */
  sentAt: number;
  /** Time at which the response arrived, on the local clock, in ms. */
  receivedAt: number;
  /** The header `Date` of the response; `null` if the service sent none. */
  date: string | null;
}

/**
 * Upper bound in ms for the time by which the clock of the service is behind the local clock. It is used if the service
 * sends no `Date`.
 */
const UNKNOWN_CLOCK_MS = 300_000;
const SECOND = 1000;
const MINUTE = 60_000;

/**
 * Finds the times of responses on the clock of the service. `asOf` must never be later than the moment at which the
 * service made the response. A later time would hide a notification that was made after the response.
 *
 * The service writes the header `Date` when it sends the response, and rounds it down to a second. The response arrives
 * later. Therefore `Date - receivedAt` is a lower bound for the difference of the clocks. The largest of these bounds
 * is the best: its `Date` was written just after the start of a second. The time of a response is then the local time
 * of its request plus this difference. The `Date` of the response itself is not used, because a clock that jumps or
 * runs fast (in a sandbox) would give a time that is too late.
 *
 * Everything is rounded down to whole seconds, like the times of notifications. Two contents of a record from the
 * same second cannot be ordered by these times: the store reports them as a tie, and the record is read again.
 */
export class ServiceClock {
  readonly #now: () => number;
  #offset: number | undefined;

  /** @param now the local clock in ms, which is never set back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False before the first response: until then, times of the service are estimated by the clock of this machine. */
  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /** The local time in ms. */
  local(): number {
    return this.#now();
  }

  /** The time of the service at a local time, or an earlier time. In ms since 1970, rounded down to a second. */
  at(local: number): number {
    const offset = this.#offset ?? Date.now() - this.#now() - UNKNOWN_CLOCK_MS;
    return Math.floor((local + offset) / SECOND) * SECOND;
  }

  now(): number {
    return this.at(this.#now());
  }

  /** True for a time in the future. Such a time must not decide which content is newer. */
  isAhead(time: number): boolean {
    const unknown = this.#offset === undefined ? 2 * UNKNOWN_CLOCK_MS : 0;
    return time > this.now() + unknown + MINUTE;
  }

  /**
   * The time at which the content of a response was certainly true, or an earlier time. Also updates the clock from the
   * response.
   */
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
    // If the known difference is greater than this response allows, the clock of the service was set back.
    this.#offset = known > most ? least : Math.max(known, least);
  }
}
