import type { WireDocument } from '../jsonapi/document.ts';
import type { Checkpoint } from './checkpoint.ts';
import { keyOf, keysIn } from './ids.ts';
import { creations } from './order.ts';

/** How many records have to come, of a list that grows and shrinks. */
class Tally {
  /** When the first page was answered, in ms since 1970; `NaN` if the service does not say. */
  readonly since: number;
  /** The records of that time, and those that were created later and have come. */
  expected: number;
  /** The highest total. */
  most: number;

  constructor(since: number, total: number, most = total) {
    this.since = since;
    this.expected = total;
    this.most = most;
  }

  take(document: WireDocument, total: number, fresh: ReadonlySet<string>): void {
    this.expected += creations(document).filter(({ id, at }) => at > this.since && fresh.has(id)).length;
    this.most = Math.max(this.most, total);
  }
}

/** Of a part of a reading, and of all where the reading has begun anew. */
const UNKNOWN = new Tally(Number.NaN, Number.POSITIVE_INFINITY);

/** The records of a list that came, and how many have to. */
export class Came {
  /** The ids, except of those that a checkpoint names by their keys. */
  readonly ids: Set<string>;
  readonly #keys: ReadonlySet<string>;
  /** For the next checkpoint: the keys of what came, and the ids of those whose keys are missing there. */
  #text: string;
  #unwritten: string[];
  /** What has to come in all readings, and in this one. */
  #all: Tally | undefined;
  #own: Tally | undefined;

  /** @param isPart whether others came before these, or may have. */
  constructor(ids: Iterable<string>, isPart: boolean, { moving, growth }: Pick<Checkpoint, 'moving' | 'growth'>) {
    this.ids = new Set(moving ? [] : ids);
    this.#unwritten = [...this.ids];
    this.#text = moving?.seen ?? '';
    this.#keys = keysIn(this.#text);
    if (isPart) this.#own = this.#all = UNKNOWN;
    if (growth) this.#all = new Tally(growth.since ?? Number.NaN, growth.expected, growth.most);
  }

  has(id: string): boolean {
    return this.ids.has(id) || (this.#keys.size > 0 && this.#keys.has(keyOf(id)));
  }

  /**
   * @param at when the page was answered, in ms since 1970; `NaN` if the service does not say.
   * @param fresh the records that have not come before.
   * @param inReading those that have not come in this reading.
   */
  add(
    document: WireDocument,
    { total, at }: { total: number | null; at: number },
    fresh: ReadonlySet<string>,
    inReading: ReadonlySet<string>,
  ): void {
    for (const id of fresh) this.ids.add(id);
    this.#unwritten.push(...fresh);
    if (total === null) return;
    this.#all ??= new Tally(at, total);
    this.#all.take(document, total, fresh);
    this.#own ??= new Tally(at, total);
    this.#own.take(document, total, inReading);
  }

  /** Another reading begins. */
  readAgain(): void {
    this.#own = undefined;
  }

  /** Nothing is left of what was read before. */
  restart(): void {
    this.#all = UNKNOWN;
  }

  /** How many records the list has had, with those that were created since and have come. */
  get expected(): number {
    return this.#tally.expected;
  }

  get #tally(): Tally {
    return (this.#all === UNKNOWN ? this.#own : this.#all) ?? UNKNOWN;
  }

  /**
   * How many records have not come, if none was removed before it could.
   *
   * @param inReading how many came in this reading.
   * @param before how many stand before the first page that was read.
   */
  lacking(inReading: number, before: number): number {
    const lacking = ({ expected, most } = UNKNOWN, came: number) => Math.max(expected, most) - before - came;
    return Math.max(0, Math.min(lacking(this.#own, inReading), lacking(this.#all, this.ids.size + this.#keys.size)));
  }

  /** The keys of all, for a checkpoint. */
  get keys(): string {
    this.#text += this.#unwritten.map(keyOf).join('');
    this.#unwritten = [];
    return this.#text;
  }

  /** What has to come, for a checkpoint. @param counted how many more than the total were expected before it. */
  growth(isMoving: boolean, counted: number): Checkpoint['growth'] {
    // Keys of before a reading that has begun anew name records that were removed.
    const { since, expected, most } = (isMoving ? this.#all : this.#tally) ?? UNKNOWN;
    if (expected === Number.POSITIVE_INFINITY) return undefined;
    return { since: since > 0 ? since : null, expected: expected - counted, most };
  }
}
