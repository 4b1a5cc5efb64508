import { startTimer } from '../internal/signal.ts';
import type { Shipment } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { isErrorOfListOnly } from './read-errors.ts';

/** The related records that are read with a shipment. */
export interface Including {
  include: readonly string[];
}

/** The methods that read shipments. */
export interface ShipmentGroup {
  get(id: string, options: RequestOptions & Partial<Including>): PromiseLike<Shipment>;
  list(options: ListOptions & Including & { filter: { number: string[] } }): List<Shipment>;
}

/** A shipment that exists, with its number if known. */
export interface FoundShipment {
  id: string;
  number: string | undefined;
}

/** One of the numbers that are tracked at the same time. */
export interface Reading {
  /** Reads the shipment, perhaps together with other shipments. */
  read(shipment: FoundShipment): Promise<Shipment>;
  /** Declares that no shipment will be read for this number. */
  end(): void;
}

interface Waiting extends FoundShipment {
  number: string;
  resolve(shipment: Shipment | PromiseLike<Shipment>): void;
  reject(error: unknown): void;
}

/**
 * Upper bound for the numbers in one request. With more numbers, the URL of the request could be longer than servers
 * and proxies accept.
 */
const MOST_AT_ONCE = 50;

const MOST_PAGES = 3;

/**
 * Reads the shipments of many numbers. One request reads several shipments. The read of a shipment waits for other
 * shipments, but only while other numbers are in progress, and at most for a sixth of the rate limit's window.
 */
export class ShipmentReader {
  readonly #shipments: ShipmentGroup;
  readonly #options: RequestOptions & Including;
  readonly #patienceMs: number;
  #waiting: Waiting[] = [];
  #underway = 0;
  #stopTimer = () => {};
  /**
   * False if the first pages of the list had none of the shipments, because the service ignores the filter for an older
   * account.
   */
  #isListUseful = true;

  constructor(shipments: ShipmentGroup, options: RequestOptions & Including, { windowMs }: { windowMs: number }) {
    this.#shipments = shipments;
    this.#options = options;
    this.#patienceMs = windowMs / 6;
  }

  begin(): Reading {
    let isUnderway = true;
    this.#underway += 1;
    const end = () => {
      if (!isUnderway) return;
      isUnderway = false;
      this.#underway -= 1;
      if (this.#underway === 0) this.#readWaiting();
    };
    return {
      end,
      read: ({ id, number }) => {
        if (number === undefined || !this.#isListUseful) return Promise.resolve(this.#get(id)).finally(end);
        const shipment = new Promise<Shipment>((resolve, reject) => {
          this.#waiting.push({ id, number, resolve, reject });
        });
        if (this.#waiting.length === 1) this.#stopTimer = startTimer(this.#patienceMs, () => this.#readWaiting());
        end();
        if (this.#waiting.length >= MOST_AT_ONCE) this.#readWaiting();
        return shipment;
      },
    };
  }

  #get(id: string): PromiseLike<Shipment> {
    return this.#shipments.get(id, this.#options);
  }

  /**
   * This is also called after an abort, which ends every number in progress. The request then rejects without being
   * sent.
   */
  #readWaiting(): void {
    this.#stopTimer();
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length > 0) void this.#read(batch);
  }

  /** Reads a batch. Never rejects: each shipment has a separate outcome. */
  async #read(batch: readonly Waiting[]): Promise<void> {
    let missing = batch;
    try {
      if (batch.length > 1) {
        for await (const found of this.#pages(batch)) {
          for (const { id, resolve } of missing) {
            const shipment = found.get(id);
            if (shipment) resolve(shipment);
          }
          missing = missing.filter(({ id }) => !found.has(id));
          if (missing.length === 0) break;
        }
      }
    } catch (error) {
      if (!isErrorOfListOnly(error)) {
        for (const { reject } of missing) reject(error);
        return;
      }
    }
    this.#isListUseful = batch.length === 1 || missing.length < batch.length;
    for (const { id, resolve } of missing) resolve(this.#get(id));
  }

  /**
   * Pages of the list of shipments. For an older account, the service ignores the filter. Then only the first pages are
   * likely to have new shipments, so the other pages are not read.
   */
  async *#pages(batch: readonly Waiting[]): AsyncGenerator<Map<string, Shipment>, void, undefined> {
    const filter = { number: batch.map(({ number }) => number) };
    let left = MOST_PAGES;
    for await (const { data } of this.#shipments.list({ ...this.#options, filter, pageSize: 100 }).pages()) {
      yield new Map(data.map(shipment => [shipment.id, shipment]));
      left -= 1;
      if (left === 0) break;
    }
  }
}
