import type { ServerResponse } from 'node:http';
import { AuthenticationError } from '../../errors.ts';
import type { Sync } from '../../sync/index.ts';

/**
 * Returns a function that responds to a probe. The status is 200 if the store is filled and has the state that the
 * service had at most `withinMs` ago. Otherwise the status is 503. While sync tries again after an error, the body has
 * the name of this error. While the key is refused, the response is 503 even if the store is recent. A standby process
 * notices a wrong key only when it becomes the reader.
 */
export function probeOf(sync: Pick<Sync, 'readAt' | 'on'>, withinMs: number): (response: ServerResponse) => void {
  let failure: string | undefined;
  let isRefused = false;
  sync.on('error', ({ error }) => {
    isRefused = error instanceof AuthenticationError;
    // The body has only the name of the error, because anybody may reach the probe, and a message contains addresses.
    failure = error instanceof Error ? error.name : 'Error';
  });
  sync.on('continued', () => {
    failure = undefined;
    isRefused = false;
  });
  return async response => {
    // A store that cannot be read is not ready. The sync itself reports the error of the store.
    const readAt = await sync.readAt().catch(() => undefined);
    const isReady = !isRefused && readAt !== undefined && Date.now() - readAt <= withinMs;
    response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ read_at: readAt === undefined ? null : new Date(readAt).toISOString(), failure }));
  };
}
