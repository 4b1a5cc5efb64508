import type { ServerResponse } from 'node:http';
import type { Sync } from '../../sync/index.ts';

/**
 * Responds to a probe: with 200 if the store is filled and in step with the service as it was at most `withinMs` ago,
 * otherwise with 503.
 */
export async function answerProbe(
  sync: Pick<Sync, 'readAt'>,
  withinMs: number,
  response: ServerResponse,
): Promise<void> {
  // A store that cannot be read is not ready. The sync itself reports its error.
  const readAt = await sync.readAt().catch(() => undefined);
  const isReady = readAt !== undefined && Date.now() - readAt <= withinMs;
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ readAt: readAt === undefined ? null : new Date(readAt).toISOString() }));
}
