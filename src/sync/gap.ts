import { type Context, commit } from './context.ts';

export const GAP = 'gap';

/** Remembers that changes may have been missed, until a pass has read everything. */
export async function markGap(context: Context): Promise<void> {
  await commit(context, { rows: [], checkpoint: { name: GAP, value: true } });
}

export async function hasGap({ store }: Context): Promise<boolean> {
  return (await store.checkpoint(GAP)) === true;
}

export async function closeGap(context: Context): Promise<void> {
  await commit(context, { rows: [], checkpoint: { name: GAP, value: null } });
}
