import type { ContainerDeadline, ContainerState, Delay, DemurrageDays, LocalTime, Money } from '../domain/index.ts';
import type { Container, TerminalHold } from '../model/index.ts';

/** A container with the related records that a worklist reads. */
export type WorklistContainer = Container<['shipment', 'pod_terminal', 'pickup_facility']>;

/** The properties of each row of a worklist. */
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
  /**
   * Name of the terminal where the container is. Before the container arrives, name of the terminal where it can be
   * picked up.
   */
  terminal: string | null;
  /** The place of the container, its availability, and the reasons against a pickup: `containerState()`. */
  state: ContainerState;
  /** The last free day that applies at the current place of the container: `earliest` of `lastFreeDays()`. */
  deadline: ContainerDeadline | null;
  /** The pickup appointment, in local time. */
  appointment: LocalTime | null;
  /** Reason why the container is on this list, as a sentence. */
  reason: string;
  /** The next action, as a sentence. */
  next: string;
  /** The record, with its shipment, the terminal at the port and the facility inland. */
  container: WorklistContainer;
}

/** A container that can be picked up. */
export interface ReadyRow extends Row {
  /** Name of the list. */
  list: 'ready';
}

/** A container whose last free day is near. */
export interface LastFreeDayRow extends Row {
  /** Name of the list. */
  list: 'lastFreeDay';
  /** The last free day, with its source and the days that are left. */
  deadline: ContainerDeadline;
}

/** A container beyond its last free day. */
export interface DemurrageRow extends Row {
  /** Name of the list. */
  list: 'demurrage';
  /** The last free day, with its source. */
  deadline: ContainerDeadline;
  /** The days for which demurrage is due until today: `demurrageDays()`. */
  days: NonNullable<DemurrageDays['days']>;
  /**
   * The demurrage that the terminal charges so far, in each currency. Empty if the terminal has not named an amount.
   */
  demurrage: Money[];
  /** All that the terminal charges so far, in each currency. */
  fees: Money[];
}

/** A container that is held. */
export interface HeldRow extends Row {
  /** Name of the list. */
  list: 'held';
  /** Names of the active holds, each once. */
  by: TerminalHold['name'][];
  /** The active holds, with the words of the terminal. */
  holds: TerminalHold[];
}

/** A container that arrives later than the first estimate, or has arrived later. */
export interface LateRow extends Row {
  /** Name of the list. */
  list: 'late';
  /** The arrival that is late: at the port of discharge, or at the destination inland. */
  at: 'port' | 'destination';
  /** The arrival compared with its first estimate: `delays()`. */
  delay: Delay;
  /** First estimate of the arrival, in local time. The container has been late since this time. */
  since: LocalTime;
  /** Current estimate of the arrival, or the arrival itself if `delay.isActual` is true; in local time. */
  arrival: LocalTime;
}

/** A container without news. */
export interface SilentRow extends Row {
  /** Name of the list. */
  list: 'silent';
  /** Whole days of 24 hours since the last news. */
  days: number;
  /** Time of the last news, in the local time of the place where the container is picked up. */
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
  /** Containers without news. */
  silent: SilentRow;
}

/** The name of a list. */
export type WorklistName = keyof WorklistRows;

/** A row of one of the lists that the options name. By default, a row of any list. Narrow it by `list`. */
export type WorklistRow<Options extends object = WorklistRows> = {
  [Name in keyof Options & WorklistName]: [Options[Name]] extends [false | undefined] ? never : WorklistRows[Name];
}[keyof Options & WorklistName];

/** The cost of a worklist. */
export interface WorklistEstimate {
  /**
   * Number of requests from the beginning to the end of an iteration; `null` if the service does not count its records.
   */
  requests: number | null;
  /** Number of containers that an iteration reads; `null` if the service does not count its records. */
  containers: number | null;
}

/**
 * The rows of some lists, from one reading of the containers. Nothing is sent before the first row is requested. A
 * container has a row for each list whose rule it fulfils. These rows come one after the other.
 */
export interface Worklist<R> extends AsyncIterable<R> {
  /** All rows, or the first `limit` of them. */
  toArray(options?: { limit?: number | undefined }): Promise<R[]>;
  /**
   * The cost of an iteration. This method reads the first page of each list. The next iteration of this worklist uses
   * these pages, so that the estimate and the iteration together send only `requests` requests.
   */
  estimate(): Promise<WorklistEstimate>;
}
