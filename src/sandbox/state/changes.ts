/** Something that has changed in the sandbox. */
export type Change =
  /** A request was received (`status` is `null`), or answered. */
  | {
      type: 'request';
      /** The request. */
      request: LoggedRequest;
    }
  /** The clock was moved, or the sandbox started again. */
  | { type: 'clock' }
  /** Something happened in an account at its time: a milestone, an outcome, a step of a document. */
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
  /** The path after the version segment, such as `/shipments`, or a whole path outside it, such as `/mcp`. */
  path: string;
  /** The query parameters, decoded. Of a repeated parameter, the last value. */
  query: Record<string, string>;
  /** `null` until the answer is sent. It stays `null` if a fault has dropped the connection before. */
  status: number | null;
  /** The rate limit that counts this request. */
  bucket: Bucket;
  /** When the request arrived, in ms since the start: real time plus the durations of `advance`. */
  at: number;
  /** The name of the account that the key belongs to; `null` without a valid key. */
  account: string | null;
}

/** The service counts the requests to some endpoints separately. Each bucket has a limit of its own. */
export type Bucket = 'default' | 'createTrackingRequest' | 'inferNumber' | 'refreshContainer';

/** Tells everybody who listens what has changed. */
export interface Changes {
  emit(change: Change): void;
  /** @returns A function that ends it. */
  subscribe(listener: (change: Change) => void): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>();
  return {
    emit(change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch (error) {
          // It must not fail the request that it heard of, and must not be lost.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    subscribe(listener) {
      // The same function can be subscribed twice.
      const own = (change: Change) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
