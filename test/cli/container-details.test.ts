import { describe, expect, test } from 'vitest';
import { sandboxed, terminal } from './command-line.ts';

const { client, ct } = sandboxed({ shipments: 40 });

/** The text of a container with a status. */
async function textOf(status: 'on_ship' | 'available' | 'on_rail') {
  const [found] = (await client.containers.list({ filter: { current_status: status } })).data;
  if (!found) throw new Error('The sandbox has no such container.');
  terminal(120);
  return (await ct('containers', 'get', found.number ?? '')).out;
}

describe('containers get', () => {
  test('prints the status in words, and the last and the next event with place and time', async () => {
    const out = await textOf('on_ship');
    expect(out).toMatch(/^Status +on ship$/m);
    expect(out).toMatch(/^Last event +[A-Z][^,]+, [A-Z][^,]+, \d{4}-\d\d-\d\d \d\d:\d\d \S+$/m);
    expect(out).toMatch(/^Next event +.*\bexpected, [A-Z][^,]+, \d{4}-\d\d-\d\d \d\d:\d\d \S+$/m);
  });

  test('does not say of a container on a ship that it has no holds and no fees', async () => {
    expect(await textOf('on_ship')).not.toMatch(/^(Holds|Fees) /m);
  });

  test('prints the place of a container in the terminal', async () => {
    expect(await textOf('available')).toMatch(/^Yard +Yard - /m);
  });

  test('prints the place inland at which a container is picked up', async () => {
    expect(await textOf('on_rail')).toMatch(/^Pickup place +\S/m);
  });
});
