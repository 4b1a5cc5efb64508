/**
 * Programs of a user with strict TypeScript settings. `right` must compile. `wrong` must not compile. It differs from
 * `right` only in the point that `name` describes.
 */
export interface Program {
  name: string;
  right: string;
  wrong: string;
}

const PREAMBLE = `
import { TrackingClient, dynamicInclude, isReadyForPickup, lastFreeDay, milestones, NotFoundError } from 'container-tracking-sdk';
import type { Container, Shipment, ShipmentInclude, ContainerInclude, ClientOptions, CommonOptions, EventName, RequestOptions } from 'container-tracking-sdk';
declare const client: TrackingClient;
declare const flag: boolean;
declare const id: string;
`;

export const PROGRAMS: Program[] = [
  {
    name: 'an include path',
    right: `export const s = await client.shipments.get(id, { include: ['containers'] });`,
    wrong: `export const s = await client.shipments.get(id, { include: ['container'] });`,
  },
  {
    name: 'an include path below another',
    right: `export const s = await client.shipments.get(id, { include: ['containers.pod_terminal'] });`,
    wrong: `export const s = await client.shipments.get(id, { include: ['containers.terminal'] });`,
  },
  {
    name: 'an include path that the endpoint does not accept',
    right: `export const page = await client.containers.list({ include: ['shipment'] });`,
    wrong: `export const page = await client.containers.list({ include: ['raw_events'] });`,
  },
  {
    name: 'a filter',
    right: `export const page = await client.containers.list({ filter: { number: 'MSCU1234565' } });`,
    wrong: `export const page = await client.containers.list({ filter: { container_number: 'MSCU1234565' } });`,
  },
  {
    name: 'a filter beside an include',
    right: `export const page = await client.shipments.list({ include: ['containers'], filter: { tracking_stopped: true } });`,
    wrong: `export const page = await client.shipments.list({ include: ['containers'], filter: { stopped: true } });`,
  },
  {
    name: 'an option of a call',
    right: `export const s = await client.shipments.get(id, { timeout: 5 });`,
    wrong: `export const s = await client.shipments.get(id, { timeOut: 5 });`,
  },
  {
    name: 'an enum value of a request',
    right: `await client.trackingRequests.create({ request_type: 'bill_of_lading', request_number: 'X', scac: 'MAEU' });`,
    wrong: `await client.trackingRequests.create({ request_type: 'bill', request_number: 'X', scac: 'MAEU' });`,
  },
  {
    name: 'a carrier or its detection',
    right: `await client.trackingRequests.create({ request_type: 'container', request_number: 'X', auto_detect_vocc_scac: true });`,
    wrong: `await client.trackingRequests.create({ request_type: 'container', request_number: 'X' });`,
  },
  {
    name: 'an event name of a subscription',
    right: `await client.webhooks.create({ url: 'https://a.example', active: true, events: ['container.updated'] });`,
    wrong: `await client.webhooks.create({ url: 'https://a.example', active: true, events: ['container.changed'] });`,
  },
  {
    name: 'a field of a record that is included',
    right: `const s = await client.shipments.get(id, { include: ['port_of_lading'] });
export const name: string | undefined = s.port_of_lading?.name;`,
    wrong: `const s = await client.shipments.get(id, { include: ['port_of_discharge'] });
export const name: string | undefined = s.port_of_lading?.name;`,
  },
  {
    name: 'a field three levels down',
    right: `const s = await client.shipments.get(id, { include: ['containers.transport_events.vessel'] });
export const name: string | undefined = s.containers[0]?.transport_events?.[0]?.vessel?.name;`,
    wrong: `const s = await client.shipments.get(id, { include: ['containers.transport_events'] });
export const name: string | undefined = s.containers[0]?.transport_events?.[0]?.vessel?.name;`,
  },
  {
    name: 'a field of a record that may be included, through a conditional',
    right: `const s = await client.shipments.get(id, { include: flag ? ['pod_terminal'] : [] });
export const name = s.pod_terminal && 'name' in s.pod_terminal ? s.pod_terminal.name : undefined;`,
    wrong: `const s = await client.shipments.get(id, { include: flag ? ['pod_terminal'] : [] });
export const name = s.pod_terminal?.name;`,
  },
  {
    name: 'a field of a record that may be included, through undefined',
    right: `const s = await client.shipments.get(id, { include: flag ? ['pod_terminal'] : undefined });
export const name = s.pod_terminal && 'name' in s.pod_terminal ? s.pod_terminal.name : undefined;`,
    wrong: `const s = await client.shipments.get(id, { include: flag ? ['pod_terminal'] : undefined });
export const name = s.pod_terminal?.name;`,
  },
  {
    name: 'a field of a record that may be included, through one of two paths',
    right: `const s = await client.shipments.get(id, { include: [flag ? 'pod_terminal' : 'containers'] });
export const name = s.pod_terminal && 'name' in s.pod_terminal ? s.pod_terminal.name : undefined;`,
    wrong: `const s = await client.shipments.get(id, { include: [flag ? 'pod_terminal' : 'containers'] });
export const name = s.pod_terminal?.name;`,
  },
  {
    name: 'a field of a record that may be included, through a run-time array',
    right: `const paths: ContainerInclude[] = [];
for await (const c of client.containers.list({ include: paths })) {
  if (c.shipment && 'bill_of_lading_number' in c.shipment) console.log(c.shipment.bill_of_lading_number);
}`,
    wrong: `const paths: ContainerInclude[] = [];
for await (const c of client.containers.list({ include: paths })) console.log(c.shipment?.bill_of_lading_number);`,
  },
  {
    name: 'a field of a record that may be included, through an options object',
    right: `const options: RequestOptions & { include?: ['pod_terminal'] } = {};
const s = await client.shipments.get(id, options);
export const name = s.pod_terminal && 'name' in s.pod_terminal ? s.pod_terminal.name : undefined;`,
    wrong: `const options: RequestOptions & { include?: ['pod_terminal'] } = {};
const s = await client.shipments.get(id, options);
export const name = s.pod_terminal?.name;`,
  },
  {
    name: 'a field of a record that may be included, through strings',
    right: `const s = await client.shipments.get(id, { include: dynamicInclude(['pod_terminal']) });
export const name = s.pod_terminal && 'name' in s.pod_terminal ? s.pod_terminal.name : undefined;`,
    wrong: `const s = await client.shipments.get(id, { include: dynamicInclude(['pod_terminal']) });
export const name = s.pod_terminal?.name;`,
  },
  {
    name: 'the records that the service includes by default',
    right: `const r = await client.trackingRequests.get(id);
export const bill = r.tracked_object && 'bill_of_lading_number' in r.tracked_object ? r.tracked_object.bill_of_lading_number : null;`,
    wrong: `const r = await client.trackingRequests.get(id);
export const bill = r.tracked_object?.bill_of_lading_number;`,
  },
  {
    name: 'a place that is a port or a metro area',
    right: `const s = await client.shipments.get(id, { include: ['destination'] });
export const city = s.destination?.type === 'port' ? s.destination.city : undefined;`,
    wrong: `const s = await client.shipments.get(id, { include: ['destination'] });
export const city = s.destination?.city;`,
  },
  {
    name: 'a misspelt attribute',
    right: `export const n = (await client.containers.get(id)).number;`,
    wrong: `export const n = (await client.containers.get(id)).nubmer;`,
  },
  {
    name: 'a record type with its includes named',
    right: `export const f = (s: Shipment<['containers']>): string[] => s.containers.map(c => c.number);`,
    wrong: `export const f = (s: Shipment): string[] => s.containers.map(c => c.number);`,
  },
  {
    name: 'a record with enough included for a function',
    right: `declare function count(s: Shipment<['containers']>): number;
export const n = count(await client.shipments.get(id, { include: ['containers.pod_terminal', 'destination'] }));`,
    wrong: `declare function count(s: Shipment<['containers']>): number;
export const n = count(await client.shipments.get(id, { include: ['destination'] }));`,
  },
  {
    name: 'a record with more included than a function needs',
    right: `declare function bill(s: Shipment): string;
export const n = bill(await client.shipments.get(id, { include: ['containers', 'destination'] }));`,
    wrong: `declare function bill(s: Shipment): string;
export const n = bill(await client.containers.get(id));`,
  },
  {
    name: 'a copy of a record as a row of any columns',
    right: `declare function save(row: Record<string, unknown>): void;
save({ ...(await client.containers.get(id)) });`,
    wrong: `declare function save(row: Record<string, unknown>): void;
save(await client.containers.get(id));`,
  },
  {
    name: 'a time as text and as a date',
    right: `const c = await client.containers.get(id);
export const day: string | undefined = c.pickup_lfd?.slice(0, 10);
export const date: Date | null = c.pickup_lfd === null ? null : new Date(c.pickup_lfd);`,
    wrong: `const c = await client.containers.get(id);
export const day: string | undefined = c.pickup_lfd.slice(0, 10);`,
  },
  {
    name: 'a test double for the client',
    right: `interface Source { get(id: string, options: { include: readonly ['shipment'] }): PromiseLike<Container<readonly ['shipment']>> }
export const source: Source = client.containers;`,
    wrong: `interface Source { get(id: string): PromiseLike<Container<['shipment']>> }
export const source: Source = client.trackingRequests;`,
  },
  {
    name: 'a function that returns the access token',
    right: `export const c = new TrackingClient({ baseUrl: 'https://a.example/v2', accessToken: async () => 'x' });`,
    wrong: `export const c = new TrackingClient({ baseUrl: 'https://a.example/v2', accessToken: async () => 5 });`,
  },
  {
    name: 'an API key or an access token',
    right: `declare const maybe: string | undefined;
const baseUrl = 'https://a.example/v2';
const tokens = () => Promise.resolve('x');
export const clients = [
  new TrackingClient(),
  new TrackingClient({}),
  new TrackingClient({ baseUrl: maybe, apiKey: maybe }),
  new TrackingClient({ baseUrl, accessToken: maybe, hooks: undefined }),
  new TrackingClient({ apiKey: 'a', accessToken: undefined }),
  new TrackingClient({ apiKey: undefined, accessToken: tokens }),
  client.withOptions({ accessToken: 'b' }),
  client.withOptions({ apiKey: maybe, timeout: 5 }),
  new TrackingClient(flag ? { apiKey: 'a' } : { accessToken: tokens }),
];
function made(options: ClientOptions = {}): TrackingClient { return new TrackingClient({ ...options, baseUrl }); }
function keyed(options: CommonOptions): ClientOptions { return { ...options, apiKey: 'a' }; }
export const more = [made({ apiKey: 'a' }), made(keyed({ timeout: 5 })), new TrackingClient(keyed({}))];`,
    wrong: `export const c = new TrackingClient({ apiKey: 'a', accessToken: 'b' });`,
  },
  {
    name: 'one credential in place of the other',
    right: `export const c = client.withOptions({ apiKey: undefined, accessToken: 'b' });`,
    wrong: `export const c = client.withOptions({ apiKey: 'a', accessToken: 'b' });`,
  },
  {
    name: 'a result of trackMany, which may be an error',
    right: `for await (const r of client.trackMany([{ number: 'X' }])) console.log(r.ok ? r.shipment.id : r.error);`,
    wrong: `for await (const r of client.trackMany([{ number: 'X' }])) console.log(r.shipment.id);`,
  },
  {
    name: 'optional inputs that may be undefined',
    right: `export const s = await client.shipments.get(id, { signal: undefined, timeout: undefined, include: undefined });
const c: Container = await client.containers.get(id);
console.log(isReadyForPickup(c), lastFreeDay(c)?.daysLeft, milestones(c).length);`,
    wrong: `export const s = await client.shipments.get(id, { signal: null });`,
  },
];

export function sourceOf(program: string): string {
  return `${PREAMBLE}${program}\nexport {};\n`;
}
