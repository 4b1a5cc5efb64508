import type { SyncEvent, SyncEventOf } from '../sync/events.ts';
import { errorType } from './error-type.ts';
import type { Attributes, Instruments, Span } from './instruments.ts';
import { failureOf, markFailed } from './instruments.ts';

/** The part of a sync that is observed. */
export interface ObservedSync {
  /** Calls a function with each event of a type. */
  on<T extends SyncEvent['type']>(type: T, listener: (event: SyncEventOf<T>) => unknown): () => void;
  /** The time up to which all changes have been read. Without this method, the age of the data is not measured. */
  readAt?(): Promise<number | undefined>;
}

/**
 * Creates a span for each back-fill and each reconciliation, counts the rows that are written, and measures the age of
 * the data.
 */
export function observeSync(instruments: Instruments, sync: ObservedSync): () => void {
  const { tracer, syncRows, syncLag, syncErrors, syncAge } = instruments;
  let pass: Span | undefined;
  const wrote = (rows: number, source: string) => {
    if (rows > 0) syncRows.add(rows, { 'container_tracking.sync.source': source });
  };
  const late = (lagMs: number | undefined, source: string) => {
    if (lagMs !== undefined) syncLag.record(lagMs / 1000, { 'container_tracking.sync.source': source });
  };
  const end = (failure?: { error: unknown }) => {
    if (pass && failure) markFailed(pass, failureOf(failure.error));
    pass?.end();
    pass = undefined;
  };
  /** Called after an abort, or after an error that the caller received. */
  const interrupt = () => {
    pass?.setAttribute('error.type', 'interrupted');
    end();
  };
  const age: Parameters<typeof syncAge.addCallback>[0] = async result => {
    const readAt = await sync.readAt?.();
    if (readAt !== undefined) result.observe(Math.max(0, Date.now() - readAt) / 1000);
  };
  syncAge.addCallback(age);
  const ends = [
    () => syncAge.removeCallback(age),
    sync.on('started', ({ phase, resumed, records }) => {
      interrupt();
      const attributes: Attributes = {
        'container_tracking.sync.resumed': resumed,
        'container_tracking.sync.planned_records': records,
      };
      pass = tracer.startSpan(`sync ${phase}`, { attributes });
    }),
    sync.on('progress', ({ written, list }) => wrote(written, list)),
    sync.on('finished', ({ records, written, deleted, requests }) => {
      pass?.setAttributes({
        'container_tracking.sync.records': records,
        'container_tracking.sync.written': written,
        'container_tracking.sync.deleted': deleted,
        'container_tracking.sync.requests': requests,
      });
      end();
    }),
    sync.on('handled', ({ written, lagMs }) => {
      wrote(written, 'notification');
      late(lagMs, 'notification');
    }),
    sync.on('read', ({ lagMs, outcome }) => {
      if (outcome !== 'tie') late(lagMs, 'read');
    }),
    sync.on('error', ({ error }) => {
      syncErrors.add(1, { 'error.type': errorType(error) });
      end({ error });
    }),
    sync.on('skipped', ({ error }) => syncErrors.add(1, { 'error.type': errorType(error) })),
  ];
  return () => {
    for (const stop of ends) stop();
    interrupt();
  };
}
