import type { Context } from './context.ts';

const HISTORY = 'history';

/**
 * Returns a function that compares the option `history` of this process with the option of the other processes with
 * this store. Only its first call compares. A process without the option leaves gaps in the history. Without the
 * comparison, nobody would notice this.
 *
 * @param isRefused true if the option is `false`: the user has then decided that this process does not write history.
 */
export function historyCheck(
  context: Pick<Context, 'store' | 'history' | 'emit'>,
  isRefused: boolean,
): () => Promise<void> {
  let check: Promise<void> | undefined;
  return () => {
    check ??= compare(context, isRefused).catch(error => {
      check = undefined;
      throw error;
    });
    return check;
  };
}

async function compare(
  { store, history, emit }: Pick<Context, 'store' | 'history' | 'emit'>,
  isRefused: boolean,
): Promise<void> {
  if (isRefused) return;
  const known = (await store.checkpoint(HISTORY)) as readonly string[] | undefined;
  const fields = Object.entries(history?.fields ?? {})
    .flatMap(([type, names]) => names.map(name => `${type}.${name}`))
    .sort();
  if (known?.join() === fields.join()) return;
  if (!history) {
    if (known === undefined) return;
    const message = `The store (${store.description}) has a history, but this process does not have the option history, so its changes are missing in the history. Set history to the same value in every process, or to false if this is intended.`;
    emit({ type: 'history', message });
    return;
  }
  if (known !== undefined) {
    const message = `The store (${store.description}) had a history of other fields: ${known.join(', ')}. Choose the same fields in every process.`;
    emit({ type: 'history', message });
  }
  await store.write({ rows: [], checkpoint: { name: HISTORY, value: fields } });
}
