/** An answer of the service, with the local times between which it was made. */
export interface DatedAnswer {
  /** When its request was sent, by the local clock, in ms. */
  sentAt: number;
  /** When it arrived, by the local clock, in ms. */
  receivedAt: number;
  /** The header `Date` of the answer; `null` if the service sent none. */
  date: string | null;
}

/** For a service that sends no `Date`: how far its clock may be behind the local one. */
const UNKNOWN_CLOCK_MS = 300_000;
const SECOND = 1000;
const MINUTE = 60_000;

/**
 * Dates what is read, by the clock of the service: `asOf` must never be later than the moment at which the service put an
 * answer together. A later one would hide a notification that was made after it.
 *
 * The header `Date` is written when the answer is sent, rounded down to a second, and the answer arrives after that. So
 * `Date - receivedAt` is a lower bound of the difference of the clocks, and the largest of all bounds so far is the best: one
 * of them was written just after a tick. What began to be read at a local time is then at least as new as that time plus this
 * difference. The own answer is not used, since a clock that runs fast (a sandbox) or jumps would date it too late.
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

  /** True for a time that is no time yet: it must not decide about what is newer. */
  isAhead(time: number): boolean {
    const unknown = this.#offset === undefined ? 2 * UNKNOWN_CLOCK_MS : 0;
    return time > this.now() + unknown + MINUTE;
  }

  /** When the content of an answer was true, at the earliest. Also learns from the answer. */
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
    // Beyond what this answer allows: the clock of the service was set back.
    this.#offset = known > most ? least : Math.max(known, least);
  }
}
