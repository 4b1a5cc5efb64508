import { backOff } from '../../internal/back-off.ts';
import type { Connections, PostgresClient, PostgresPool } from '../../internal/postgres.ts';
import type { Listen } from './subscribers.ts';

/** `put` notifies this channel. The payload is the schema of the inbox. */
export const CHANNEL = 'container_tracking_inbox';
const LISTEN = `LISTEN ${CHANNEL}`;

/** Bounds of the wait before a lost connection is replaced, in ms. */
const REPEATED = { minDelay: 1000, maxDelay: 60_000 };

/** The part of a connection of `pg` that a listener uses. */
interface Listening extends Pick<PostgresClient, 'query' | 'release'> {
  on(event: 'error' | 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
}

/**
 * Listens on one connection of the pool. Other calls cannot use this connection. If the pool has only one connection,
 * this function does not listen.
 */
export function listenIn(pool: PostgresPool, connections: Connections, schema: string): Listen {
  return wake => {
    let attempts = 0;
    let close = () => {};
    let isEnded = pool.options?.max === 1;
    const listen = async () => {
      try {
        await connections.keep(
          async connection => {
            await connection.query(LISTEN);
            return true;
          },
          client => {
            attempts = 0;
            close = hold(client as object as Listening);
            if (isEnded) close();
            // An entry may have been stored before the listening began, so the worker looks for entries once.
            else wake();
          },
          { timeoutMs: 60_000 },
        );
      } catch {
        repeat();
      }
    };
    const hold = (client: Listening) => {
      let isHeld = true;
      const release = () => {
        // The connection is closed, because it would continue to listen if it went back to the pool.
        if (isHeld) client.release(true);
        isHeld = false;
      };
      // A lost connection emits `error` and then `end`.
      const lose = () => {
        if (!isHeld) return;
        release();
        repeat();
      };
      client.on('error', lose);
      client.on('end', lose);
      client.on('notification', ({ payload }) => payload === schema && wake());
      // The connection may have been lost before the listeners were added. This statement then fails.
      client.query(LISTEN).catch(lose);
      return release;
    };
    const repeat = () => {
      if (isEnded) return;
      attempts += 1;
      const timer = setTimeout(listen, backOff(attempts, REPEATED));
      close = () => clearTimeout(timer);
    };
    if (!isEnded) void listen();
    return () => {
      isEnded = true;
      close();
    };
  };
}
