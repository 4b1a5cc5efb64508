import { type Valued, valuesOf } from '../../worklist/narrowing.ts';
import type { WorklistContainer } from '../../worklist/rows.ts';
import { recordsOf } from '../readings.ts';
import type { ToolContext } from '../tool.ts';

/** Maximum number of containers that are read. This needs 20 requests. */
const MAX_CONTAINERS = 1_000;

const PAGE_SIZE = 50;

/** A container of the account, and the values with which filters are compared. */
export interface AccountRow extends Valued {
  readonly container: WorklistContainer;
}

/**
 * The containers that changed last in the account. They show whether a filter that finds no rows has a correct value.
 * They also show whether a list is empty because the account is empty.
 */
export async function accountOf({ caller, limits, now }: ToolContext): Promise<readonly AccountRow[]> {
  const read = async () => {
    const containers = await recordsOf(
      from =>
        caller.client.containers.list({
          sort: '-updated_at',
          include: ['shipment', 'pod_terminal', 'pickup_facility'],
          pageSize: PAGE_SIZE,
          priority: 'interactive',
          from,
          ...limits(),
        }),
      MAX_CONTAINERS,
    );
    return { rows: containers.map(container => ({ container, values: valuesOf(container) })) };
  };
  const { rows } = await caller.snapshots.list({ tool: 'account' }, { anew: false, now }, read);
  return rows;
}

/** The hint of a list that is empty because there is nothing to list. */
export function noContainers(readOnly: boolean): string {
  return `The account has no containers yet${readOnly ? '.' : ': track_container starts to track a number.'}`;
}
