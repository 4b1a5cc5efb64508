import type { ContainerDeadline, ContainerState, Delay, DemurrageDays, LocalTime, Money } from '../domain/index.ts';
import type { Container, TerminalHold } from '../model/index.ts';

/** A container as a worklist reads it. */
export type WorklistContainer = Container<['shipment', 'pod_terminal', 'pickup_facility']>;

/** What each row of a worklist has. */
interface Row {
  /** Container number. */
  number: string;
  /** Number of the bill of lading or the booking. */
  shipmentNumber: string | null;
  /** Name of the carrier. */
  shippingLine: string | null;
  /** Name of the customer. */
  customer: string | null;
  /** Name of the port of discharge. */
  port: string | null;
  /** Name of the inland destination; `null` if the journey ends at the port. */
  destination: string | null;
  /** Name of the terminal where it stands or, before that, where it is to be picked up. */
  terminal: string | null;
  /** Where it is, whether it can be picked up and why not: `containerState()`. */
  state: ContainerState;
  /** The last free day that counts where it is: `earliest` of `lastFreeDays()`. */
  deadline: ContainerDeadline | null;
  /** The pickup appointment, in local time. */
  appointment: LocalTime | null;
  /** Why it is on this list, as a sentence. */
  reason: string;
  /** What to do next, as a sentence. */
  next: string;
  /** The record, with its shipment, the terminal at the port and the facility inland. */
  container: WorklistContainer;
}

/** A container that can be picked up. */
export interface ReadyRow extends Row {
  /** The list that it is on. */
  list: 'ready';
}

/** A container whose last free day is near. */
export interface LastFreeDayRow extends Row {
  /** The list that it is on. */
  list: 'lastFreeDay';
  /** The last free day, with its source and the days that are left. */
  deadline: ContainerDeadline;
}

/** A container beyond its last free day. */
export interface DemurrageRow extends Row {
  /** The list that it is on. */
  list: 'demurrage';
  /** The last free day, with its source. */
  deadline: ContainerDeadline;
  /** The days for which demurrage is due until today: `demurrageDays()`. */
  days: NonNullable<DemurrageDays['days']>;
  /** The demurrage that the terminal charges so far, in each currency. Empty if it has named no amount. */
  demurrage: Money[];
  /** All that the terminal charges so far, in each currency. */
  fees: Money[];
}

/** A container that is held. */
export interface HeldRow extends Row {
  /** The list that it is on. */
  list: 'held';
  /** Who or what holds it, each once. */
  by: TerminalHold['name'][];
  /** The active holds, with the words of the terminal. */
  holds: TerminalHold[];
}

/** A container that arrives later than the first estimate, or has arrived later. */
export interface LateRow extends Row {
  /** The list that it is on. */
  list: 'late';
  /** The arrival that is the later one: at the port of discharge, or at the destination inland. */
  at: 'port' | 'destination';
  /** The arrival against its first estimate: `delays()`. */
  delay: Delay;
  /** When it was first expected, in local time: it is late since then. */
  since: LocalTime;
  /** When it is expected now or, with `delay.isActual`, when it arrived, in local time. */
  arrival: LocalTime;
}

/** A container of which nothing was heard. */
export interface SilentRow extends Row {
  /** The list that it is on. */
  list: 'silent';
  /** Whole days of 24 hours since the last news. */
  days: number;
  /** When something was heard last, in local time of the place where it is to be picked up. */
  since: LocalTime;
}

/** The rows of each list. */
export interface WorklistRows {
  /** Containers that can be picked up. */
  ready: ReadyRow;
  /** Containers whose last free day is near. */
  lastFreeDay: LastFreeDayRow;
  /** Containers beyond their last free day. */
  demurrage: DemurrageRow;
  /** Containers that are held. */
  held: HeldRow;
  /** Containers that arrive later than the first estimate. */
  late: LateRow;
  /** Containers of which nothing was heard. */
  silent: SilentRow;
}

/** The name of a list. */
export type WorklistName = keyof WorklistRows;

/** A row of the lists that some options name, by default of any list. Narrow it by `list`. */
export type WorklistRow<Options extends object = WorklistRows> = {
  [Name in keyof Options & WorklistName]: [Options[Name]] extends [false | undefined] ? never : WorklistRows[Name];
}[keyof Options & WorklistName];

/** What a worklist costs. */
export interface WorklistEstimate {
  /** Requests from the beginning to the end of an iteration; `null` if the service does not count its records. */
  requests: number | null;
  /** Containers that are read for it; `null` if the service does not count its records. */
  containers: number | null;
}

/**
 * The rows of some lists, from one reading of the containers. Nothing is sent before the first row is asked for. A container is on
 * each list whose rule it fulfils, with a row for each; the rows of one container come one after the other.
 */
export interface Worklist<R> extends AsyncIterable<R> {
  /** All rows, or the first `limit` of them. */
  toArray(options?: { limit?: number | undefined }): Promise<R[]>;
  /**
   * What an iteration costs. It reads the first page of what is to be read. The next iteration of this worklist begins with these
   * pages, so that both together take `requests`.
   */
  estimate(): Promise<WorklistEstimate>;
}
