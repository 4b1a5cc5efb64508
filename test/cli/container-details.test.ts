import { describe, expect, test } from 'vitest';
import { sandboxed, terminal } from './command-line.ts';

const { client, ct } = sandboxed({ shipments: 40 });

/** A container with a status. */
async function containerOf(status: 'on_ship' | 'available' | 'on_rail') {
  const filter = { current_status: status };
  const [found] = (await client.containers.list({ filter, include: ['shipment', 'transport_events'] })).data;
  if (!found?.number) throw new Error('The sandbox has no such container.');
  return { ...found, number: found.number };
}

/** The text that `containers get` prints for such a container. */
async function textOf(status: 'on_ship' | 'available' | 'on_rail', ...options: string[]) {
  const { number } = await containerOf(status);
  terminal(120);
  return (await ct('containers', 'get', number, ...options)).out;
}

describe('containers get', () => {
  test('prints the status in words', async () => {
    expect(await textOf('on_ship')).toMatch(/^Status +on ship$/m);
  });

  test('prints the last three events and the next event, and the command that prints all events', async () => {
    const [, events = ''] = (await textOf('on_ship')).split(/^Events\n/m);
    const lines = events.split('\n\n', 1)[0]?.split('\n') ?? [];
    expect(lines[0]).toMatch(/^ {2}WHEN +WHAT +WHERE$/);
    expect(lines.slice(1, 4).join('\n')).not.toContain('expected');
    expect(lines[4]).toMatch(/^ {2}\d{4}-\d\d-\d\d \d\d:\d\d \S+ +\w.*\bexpected +\w/);
    expect(lines.slice(5)).toEqual([
      expect.stringMatching(/^All events: container-tracking containers get \w{11} --include transport_events$/),
    ]);
  });

  test('prints all events in order with --include transport_events', async () => {
    const out = await textOf('on_rail', '--include', 'transport_events');
    const days = Array.from(out.matchAll(/^ {2}(\d{4}-\d\d-\d\d)/gm), ([, day]) => day);
    expect(days.length).toBeGreaterThan(4);
    expect(days).toEqual(days.toSorted());
    expect(out).not.toMatch(/container\.transport|^All events/m);
  });

  test('prints the inland destination, the vessel, the customer and the references of the shipment', async () => {
    const { shipment } = await containerOf('on_rail');
    const out = await textOf('on_rail');
    expect(out).toMatch(new RegExp(`^Destination +${shipment?.destination_name}`, 'm'));
    expect(out).toMatch(new RegExp(`^Vessel +${shipment?.pod_vessel_name}`, 'm'));
    expect(out).toMatch(new RegExp(`^Customer +${shipment?.customer_name}`, 'm'));
    expect(out).toMatch(new RegExp(`^References +.*${shipment?.ref_numbers?.[0]}`, 'm'));
    expect(await textOf('available')).not.toMatch(/^Destination/m);
  });

  test('prints the time at which the railway expects a container inland', async () => {
    expect(await textOf('on_rail')).toMatch(/^Inland ETA +\d{4}-\d\d-\d\d \d\d:\d\d/m);
    expect(await textOf('on_ship')).not.toMatch(/^Inland ETA/m);
  });

  test('does not print empty holds and fees for a container on a ship', async () => {
    expect(await textOf('on_ship')).not.toMatch(/^(Holds|Fees) /m);
  });

  test('prints the place of a container in the terminal', async () => {
    expect(await textOf('available')).toMatch(/^Yard +Yard - /m);
  });

  test('prints the inland place where a container is picked up', async () => {
    expect(await textOf('on_rail')).toMatch(/^Pickup place +\S/m);
  });
});
