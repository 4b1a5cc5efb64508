import { ConfigurationError } from '../errors.ts';
import { isIdentifier } from '../jsonapi/document.ts';
import { isErrorOfOneRecord } from '../recovery/read.ts';
import { isGone } from '../tracking/read-errors.ts';
import type { Context } from './context.ts';
import { isErrorOfOneList, isUnreadable } from './list-errors.ts';
import { type ListSource, RECORD_PATHS } from './lists.ts';
import type { SyncRef } from './store.ts';

/**
 * Number of stored records that sync looks for in the service. A store with fewer records is not checked. A wrong key
 * could only affect these few records, and it is possible that the service has really removed them.
 */
const SAMPLE = 10;
const ALWAYS = Date.UTC(9000, 0);

/**
 * Refuses the key of another account before anything is written. Otherwise sync would mix the records of both accounts,
 * and mark the records of the first account as deleted. An older service does not name the account of a key. Therefore
 * the service must have one of the stored records, or one of its lists must contain a stored record. Usually the first
 * request finds such a record.
 *
 * @throws {ConfigurationError} if the service has none of the stored records that sync looked for.
 */
export async function requireSameAccount(context: Context, signal: AbortSignal): Promise<void> {
  const { store, reader, lists, acceptOtherAccount } = context;
  if (acceptOtherAccount) return;
  for (const list of lists.filter(({ isCounted }) => isCounted)) {
    const ids = await store.unseen(list.type, { before: ALWAYS, limit: SAMPLE });
    if (ids.length < SAMPLE) continue;
    for (const id of ids) if (await isThere({ reader }, list, id, signal)) return;
    const refs = await shownBy(context, list, signal);
    if (refs === undefined) continue;
    if (refs.length > 0 && (await store.missing(refs)).length < refs.length) return;
    throw new ConfigurationError(
      `The store (${store.description}) has records of another account: with this API key, the service has none of ${SAMPLE} stored records (${list.type} ${ids[0]} and others). Use a separate database or schema for each account. If these records were really removed, set acceptOtherAccount: sync then marks them as deleted.`,
    );
  }
}

/**
 * The first records of the list. The result is `undefined` if the list cannot be read, because such a list proves
 * nothing.
 */
async function shownBy({ reader }: Context, list: ListSource, signal: AbortSignal): Promise<SyncRef[] | undefined> {
  try {
    const { document } = await reader.page(list, 1, signal, SAMPLE);
    const shown = [document.data].flat().filter(isIdentifier);
    return shown.map(({ id }) => ({ type: list.type, id }));
  } catch (error) {
    if (isUnreadable(error) || isErrorOfOneList(error)) return undefined;
    throw error;
  }
}

async function isThere(
  { reader }: Pick<Context, 'reader'>,
  { type }: ListSource,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await reader.read(`${RECORD_PATHS[type as keyof typeof RECORD_PATHS]}/${encodeURIComponent(id)}`, {}, signal);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    // A record that cannot be read does not show whether the account is the same. The check then passes.
    if (isErrorOfOneRecord(error)) return true;
    throw error;
  }
}
