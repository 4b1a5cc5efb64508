/** Something that has changed in the sandbox. */
export type Change =
  /** A request was received (`status` is `null`), or its response was sent. */
  | {
      type: 'request';
      /** The request. */
      request: LoggedRequest;
    }
  /** The clock was moved, or the sandbox was reset. */
  | { type: 'clock' }
  /**
   * Something that was due has happened in an account: a milestone, an outcome, or a step in the processing of a
   * document.
   */
  | {
      type: 'account';
      /** The name of the account. */
      account: string;
    }
  /** A notification was sent, acknowledged or given up. */
  | {
      type: 'delivery';
      /** The name of the account. */
      account: string;
      /** The id of the notification. */
      notificationId: string;
    };

/** A request that the sandbox has received. */
export interface LoggedRequest {
  /** The method in upper case. */
  method: string;
  /** The path after the version segment, such as `/shipments`; for other paths, the whole path, such as `/mcp`. */
  path: string;
  /** The query parameters, decoded. If a parameter is repeated, this is its last value. */
  query: Record<string, string>;
  /** `null` until the response is sent. It stays `null` if a fault drops the connection before the response. */
  status: number | null;
  /** The rate limit that counts this request. */
  bucket: Bucket;
  /** Time of the request in ms since the start: the real time, plus the durations of `advance`. */
  at: number;
  /** The name of the account that the key belongs to; `null` if there is no valid key. */
  account: string | null;
}

/** The service counts the requests to some endpoints separately. Each bucket has its own limit. */
export type Bucket = 'default' | 'createTrackingRequest' | 'inferNumber' | 'refreshContainer';

/** Reports the changes in the same order to all listeners. */
export interface Changes {
  /** Reports a change. A change that a listener causes is reported after the present change. */
  emit(change: Change): void;
  /**
   * Runs some work, and reports its changes when the work is complete. Therefore a listener sees the work only when it
   * is complete.
   */
  during<T>(work: () => T): T;
  /** @returns A function that ends the subscription. */
  subscribe(listener: (change: Change) => void): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>();
  const waiting: Change[] = [];
  let works = 0;
  let isReporting = false;

  function reportAll(): void {
    if (works > 0 || isReporting) return;
    isReporting = true;
    // Listeners can add further changes during the loop.
    for (const change of waiting) report(change);
    waiting.length = 0;
    isReporting = false;
  }

  function report(change: Change): void {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // If a listener throws an error, the request that is reported must not fail. The error must not be lost either.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  return {
    emit(change) {
      if (listeners.size === 0) return;
      waiting.push(change);
      reportAll();
    },
    during(work) {
      works += 1;
      try {
        return work();
      } finally {
        works -= 1;
        reportAll();
      }
    },
    subscribe(listener) {
      // The same function can be subscribed twice. Therefore each subscription has a separate function.
      const own = (change: Change) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
