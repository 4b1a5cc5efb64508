import type { Document, Notification, Shipment, TrackingRequest } from './store.ts';

/** What the service does later. Tasks are data, so that they can be saved. */
export type Task =
  /** The carrier answers a tracking request. */
  | { kind: 'answer'; request: TrackingRequest }
  /** A tracking request ends, with a shipment or with the reason why there is none. */
  | { kind: 'outcome'; request: TrackingRequest; failedReason: string | null }
  /** An attempt to reach the carrier fails. */
  | { kind: 'attempt'; request: TrackingRequest; count: number }
  /** A step of the processing of a document. With `goOn`, the next one follows. */
  | { kind: 'document'; document: Document; step: 'classify' | 'extract' | 'link'; goOn: boolean }
  /** The next moment of a voyage at which webhooks may have to be notified. */
  | { kind: 'voyage'; shipment: Shipment; index: number }
  /** The email of a scenario arrives. */
  | { kind: 'email'; shipment: Shipment }
  /** A notification is sent again. */
  | { kind: 'delivery'; notification: Notification };

/** A task and its time. */
export interface Entry {
  at: number;
  task: Task;
}

/** What the service has to do later, ordered by time. All times are those of its own clock. */
export interface Agenda {
  /** Entries with the same time run in the order in which they were added. */
  add(at: number, task: Task): void;
  /** Removes and returns the next entry that is due. */
  take(now: number): Entry | undefined;
  /** All entries, in the order in which they will run. */
  list(): Entry[];
}

/** A binary heap: each entry comes before the two below it. */
export function createAgenda(): Agenda {
  const heap: (Entry & { order: number })[] = [];
  let added = 0;

  const isBefore = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return one !== undefined;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as (typeof heap)[0], heap[a] as (typeof heap)[0]];
  };

  return {
    add(at, task) {
      let index = heap.push({ at, task, order: added++ }) - 1;
      for (let above = (index - 1) >> 1; index > 0 && isBefore(index, above); above = (index - 1) >> 1) {
        swap(index, above);
        index = above;
      }
    },
    take(now) {
      const first = heap[0];
      if (first === undefined || first.at > now) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      for (let index = 0; ; ) {
        const below = isBefore(2 * index + 1, 2 * index + 2) ? 2 * index + 1 : 2 * index + 2;
        if (below >= heap.length || !isBefore(below, index)) return first;
        swap(index, below);
        index = below;
      }
    },
    list: () => heap.toSorted((a, b) => a.at - b.at || a.order - b.order).map(({ at, task }) => ({ at, task })),
  };
}
