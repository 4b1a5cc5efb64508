import fc from 'fast-check';
import type { SandboxOptions } from '../src/sandbox/index.ts';
import type { Json, McpPeer, ToolResult } from './mcp-peer.ts';
import { stillSandbox, track } from './sandbox.ts';

const words = ['BOOKED', 'ATSEA', 'ONHOLD', 'AVAILABLE', 'ONRAIL', 'PICKEDUP', 'RETURNED', 'NOTFOUND', 'MANIFEST', ''];

/** The state of an account after some time. */
export interface AccountState {
  seed: number;
  /** The words in the tracked numbers. Each word decides the voyage of its number. */
  tracked: string[];
  /** The lengths of the periods that pass one after the other, in days. */
  days: number[];
  routing: boolean;
}

export const accountStates: fc.Arbitrary<AccountState> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  tracked: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
  days: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 }),
  routing: fc.boolean(),
});

/**
 * A sandbox in this state, and a list of numbers: tracked numbers, numbers that can be tracked, and an invalid number.
 */
export async function sandboxIn({ seed, tracked, days, routing }: AccountState, options: SandboxOptions = {}) {
  const sandbox = stillSandbox({ seed, features: { routing }, ...options });
  const numbers = tracked.map((word, index) => `MAEU-${word}-${seed}${index}`);
  for (const number of numbers) await track(sandbox, number);
  // A shipment with one container, and a shipment with several containers.
  const [one, many] = [sandbox.seedShipments(1, { containers: 1 }), sandbox.seedShipments(1, { containers: 3 })];
  sandbox.advance({ minutes: 1 });
  for (const count of days) sandbox.advance({ days: count });
  const seeded = [...one, ...many].flatMap(({ number, containers: [box] }) => (box ? [number, box.number] : [number]));
  return { sandbox, numbers: [...numbers, ...seeded, 'MAEU-LATER-7', 'TCLU1234568', 'no number'] };
}

/** Arguments of the list tools. */
const LISTS = { containers: {}, shipments: { include_containers: true } };

/** Tools that not every server has. */
const NEWEST = [
  ['summarize_containers', { group_by: 'pod_terminal' }],
  ['list_parties', {}],
  ['whoami', {}],
] as const;

/** Calls every tool, with the records of the account. */
export async function callAll(
  peer: McpPeer,
  numbers: string[],
  check: (name: string, result: ToolResult) => void,
  lists: { containers: object; shipments: object } = LISTS,
): Promise<void> {
  const call = async (name: string, args: object) => {
    const result: Json = await peer.call(name, args);
    check(name, result);
    return result.structuredContent;
  };
  const containers = (await call('list_containers', lists.containers))?.items ?? [];
  const shipments = (await call('list_shipments', lists.shipments))?.items ?? [];
  await call('get_supported_shipping_lines', {});
  for (const number of numbers) {
    await call('search_container', { query: number });
    await call('track_container', { number });
    // Tracks the number again, with all arguments.
    await call('track_container', { number, numberType: 'bill_of_lading', scac: 'MAEU' });
  }
  await call('list_tracking_requests', {});
  const { tools }: Json = await peer.request('tools/list', {});
  const listed = new Set(tools.map(({ name }: { name: string }) => name));
  for (const [name, args] of NEWEST) if (listed.has(name)) await call(name, args);
  for (const { id } of containers.slice(0, 2)) {
    await call('get_container', { id });
    await call('get_container', { id, include: ['transport_events'] });
    await call('get_container_transport_events', { id });
    await call('get_container_route', { id });
    await peer.request('resources/read', { uri: `tracking://container/${id}` }).catch(() => {});
  }
  for (const { id } of shipments.slice(0, 2)) {
    await call('get_shipment_details', { id });
    await call('get_shipment_details', { id, include_containers: false });
  }
  const id = '00000000-0000-4000-8000-000000000000';
  await call('get_container_route', { id });
}
