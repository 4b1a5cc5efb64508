import type { Sandbox } from '../src/sandbox/index.ts';
import { get } from './sandbox.ts';
import { recordDifferences, type Truth, truthOf } from './sync-oracle/truth.ts';

/**
 * The differences between the stored records and the records of the sandbox, which are read without the SDK. The clock
 * of the sandbox should not advance meanwhile.
 *
 * @param stored Records by `<type> <id>`; `null` for a record that is marked as deleted.
 */
export async function differences(
  sandbox: Sandbox,
  stored: ReadonlyMap<string, object | null>,
  ofTypes?: (type: string) => boolean,
): Promise<string[]> {
  const read = (path: string) => get(sandbox, path);
  return recordDifferences(read, await truthOf(read), stored, ofTypes);
}

/** Everything that the sandbox has. */
export function sandboxTruth(sandbox: Sandbox): Promise<Truth> {
  return truthOf(path => get(sandbox, path));
}
