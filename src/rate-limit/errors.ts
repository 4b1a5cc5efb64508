import { TrackingError } from '../errors.ts';

/** The client's own queue refused the call: it is full, or the wait would pass the call's deadline. Nothing was sent. */
export class QueueError extends TrackingError {
  static override readonly brand: string = 'QueueError';
  /** How long the wait would have been at least, in ms. */
  declare readonly estimatedWaitMs: number;
  /** With the code `bucket_closed`, after a 429: when requests may be sent again, in ms since the epoch. */
  declare readonly closedUntil: number | undefined;

  constructor(
    message: string,
    options: {
      code: 'queue_full' | 'queue_timeout' | 'bucket_closed';
      estimatedWaitMs: number;
      closedUntil?: number | undefined;
    },
  ) {
    super(message, options);
    this.estimatedWaitMs = options.estimatedWaitMs;
    this.closedUntil = options.closedUntil;
  }
}
