import { StoreError } from '../sync/errors.ts';

/** Deadlock, and a conflict of transactions: the server asks to try again. */
const TRY_AGAIN = ['40P01', '40001'];

/** No connection, shutdown, no resources, statement cancelled or waited too long for a lock, read-only after a failover. */
const PASSING = /^(08...|57P0[1-5]|53...|57014|55P03|25006|E[A-Z_]+)$/;

const NO_RIGHT = '42501';
const RIGHTS = ' Grant the rights that docs/guides/sync.md lists; let the owner of the schema call migrate() before.';

export function mayTryAgain(error: unknown): boolean {
  return TRY_AGAIN.includes(codeOf(error));
}

/**
 * Whether the error came from the server, which has ended the statement, and the connection can go on. Not if it is read-only:
 * after a failover, it leads to a server that takes no changes any more.
 */
export function isFromServer(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P0|25006)/.test(code) && !code.startsWith('E');
}

/** An error of the driver as one of this package. Others stay as they are. */
export function storeError(store: string, error: unknown): unknown {
  if (!(error instanceof Error) || 'brand' in error.constructor) return error;
  const code = codeOf(error);
  if (/after calling end/.test(error.message)) return closedError(store, 'its pool was ended');
  const isPassing = PASSING.test(code) || TRY_AGAIN.includes(code) || code === '';
  const cause = withoutSecrets(error, code);
  const remedy = code === NO_RIGHT ? RIGHTS : '';
  return new StoreError(
    `The store (${store}) ${isPassing ? 'is not available' : 'failed'}: ${cause.message}.${remedy}`,
    {
      code: isPassing ? 'store_unavailable' : 'store_failed',
      cause,
    },
  );
}

export function closedError(store: string, reason: string): StoreError {
  return new StoreError(`The store (${store}) is closed: ${reason}.`, { code: 'store_closed' });
}

/** Drivers put the connection, with its password, into some errors. */
function withoutSecrets({ name, message, stack }: Error, code: string): Error {
  const copy = Object.assign(new Error(message || code || name), code && { code });
  if (stack) copy.stack = stack;
  return copy;
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
