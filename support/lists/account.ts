import { call, createSandbox, type Sandbox, type SandboxOptions, type SandboxServer } from '../sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any attribute
type Values = Record<string, any>;

/**
 * A record from a list without filters, and the data of this record from other lists. None of its values depends on a
 * filter.
 */
export interface BoxRow {
  id: string;
  box: Values;
  ship: Values;
  shipmentId: string;
  terminal: string | null;
  /** `role party` for each party of the container or of its shipment. */
  roles: string[];
  shipmentRoles: string[];
  /** The values of custom fields of the container and of its shipment, by slug. */
  fields: Record<string, unknown[]>;
  isRequested: boolean;
}

export interface ShipRow {
  id: string;
  ship: Values;
  terminal: string | null;
  boxes: string[];
  roles: string[];
  isRequested: boolean;
}

export interface ListsAccount {
  sandbox: Sandbox;
  server: SandboxServer;
  boxes: BoxRow[];
  ships: ShipRow[];
  /** The ids of the parties, by name. */
  parties: Record<string, string>;
  userId: string;
  accountId: string;
  /** The day of the sandbox's clock. */
  today: string;
}

/** Makes a request without the client. */
export async function fetchJson(server: SandboxServer, path: string): Promise<{ status: number; body: Values }> {
  const url = path.startsWith('http') ? path : server.baseUrl + path;
  const response = await fetch(url, { headers: { authorization: 'Token sandbox' } });
  return { status: response.status, body: (await response.json()) as Values };
}

/** Follows the links of a list, and reads all records of the list. */
export async function readAll(server: SandboxServer, path: string): Promise<{ data: Values[]; included: Values[] }> {
  const data: Values[] = [];
  const included: Values[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body }: Awaited<ReturnType<typeof fetchJson>> = await fetchJson(server, next);
    if (status !== 200) throw new Error(`${status} for ${next}: ${JSON.stringify(body)}`);
    data.push(...body.data);
    included.push(...(body.included ?? []));
    next = body.links.next;
  }
  return { data, included };
}

export const idsOf = async (server: SandboxServer, path: string): Promise<string[]> =>
  (await readAll(server, path)).data.map(({ id }) => id);

/** An account in which every filter of shipments and containers selects some records, but not all records. */
export async function openListsAccount(options: SandboxOptions = {}): Promise<ListsAccount> {
  const sandbox = createSandbox({ speed: 0, monotonic: () => 0, rateLimit: false, shipments: 40, ...options });
  await prepare(sandbox);
  const server = await sandbox.listen();
  const [boxes, ships] = [await readBoxes(server), await readShips(server)];
  const { data: parties } = await readAll(server, '/parties');
  const { data: requests } = await readAll(server, '/tracking_requests');
  const { data: accounts } = await readAll(server, '/accounts');
  return {
    sandbox,
    server,
    boxes,
    ships,
    parties: Object.fromEntries(parties.map(({ id, attributes }) => [attributes.company_name, id])),
    userId: requests[0]?.relationships.user.data.id,
    accountId: accounts[0]?.id,
    today: sandbox.now().toISOString().slice(0, 10),
  };
}

async function prepare(sandbox: Sandbox): Promise<void> {
  const write = async (method: string, path: string, body: unknown) => {
    const answer = await call(sandbox, method, path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} for ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  };
  const record = (type: string, attributes: Values, rest: Values = {}) => ({ data: { type, attributes, ...rest } });
  for (const name of ['delivered', 'fees-and-last-free-day', 'customs-exam', 'rail-on-time'] as const) {
    const { number, scac, requestType } = sandbox.scenario(name);
    const request = { request_type: requestType, request_number: number, scac };
    await write('POST', '/tracking_requests', record('tracking_request', request));
  }
  sandbox.advance({ days: 2 });
  sandbox.seedShipments(3, { phase: 'at_sea', refNumbers: ['PO-7 blue'], tags: ['garden', 'urgent'] });
  sandbox.seedShipments(2, { phase: 'held', tags: ['urgent'] });
  sandbox.advance({ days: 1, hours: 5 });
  const { data: ships } = (await call(sandbox, 'GET', '/shipments?page[size]=100&include=containers')).body;
  const boxesOf = (ship: Values): string[] => ship.relationships.containers.data.map(({ id }: Values) => id);

  const party = async (company_name: string) => write('POST', '/parties', record('party', { company_name }));
  const [broker, shipper, dray] = [await party('Broker One'), await party('Shipper Two'), await party('Dray Three')];
  const role = (owner: string, name: string, { id }: Values) =>
    write(
      'POST',
      `${owner}/party_roles`,
      record('party_role', { role: name }, { relationships: { party: { data: { type: 'party', id } } } }),
    );
  await role(`/shipments/${ships[0].id}`, 'customs_broker', broker);
  await role(`/shipments/${ships[0].id}`, 'shipper', shipper);
  await role(`/shipments/${ships[1].id}`, 'shipper', shipper);
  await role(`/shipments/${ships[2].id}`, 'customer', broker);
  await role(`/shipments/${ships[3].id}`, 'pickup_dray_carrier', dray);
  await role(`/containers/${boxesOf(ships[4])[0]}`, 'pickup_dray_carrier', dray);

  const field = async (api_slug: string, data_type: string, values: [owner: string, value: unknown][]) => {
    const entity_type = values[0]?.[0].startsWith('/containers') ? 'Cargo' : 'Shipment';
    const definition = await write(
      'POST',
      '/custom_field_definitions',
      record('custom_field_definition', { api_slug, data_type, entity_type, display_name: api_slug }),
    );
    if (data_type.startsWith('enum')) {
      for (const value of ['red', 'dark-green', 'blue']) {
        const option = record('custom_field_option', { label: value, value });
        await write('POST', `/custom_field_definitions/${definition.id}/options`, option);
      }
    }
    for (const [owner, value] of values) {
      await write('POST', `${owner}/custom_fields`, record('custom_field', { api_slug, value }));
    }
  };
  const box = (index: number) => `/containers/${boxesOf(ships[index])[0]}`;
  const ship = (index: number) => `/shipments/${ships[index].id}`;
  await field('purchase_order', 'short_text', [
    [ship(0), 'PO-90001'],
    [ship(1), 'po-90002'],
  ]);
  await field('colour', 'enum', [
    [box(0), 'red'],
    [box(1), 'dark-green'],
  ]);
  await field('colours', 'enum_multi', [
    [box(0), ['red', 'blue']],
    [box(2), ['dark-green']],
  ]);
  await field('fragile', 'boolean', [
    [box(0), true],
    [box(3), false],
  ]);
  await field('pallets', 'number', [
    [ship(2), 12],
    [ship(3), 1],
  ]);
  await field('promised', 'date', [
    [ship(2), '2026-04-01'],
    [ship(4), '2026-04-09'],
  ]);
  await field('loading', 'datetime', [
    [box(5), '2026-04-01T23:30:00-04:00'],
    [box(6), '2026-04-01T10:00:00Z'],
  ]);

  sandbox.seedShipments(4, { phase: 'on_rail' });
  await call(sandbox, 'PATCH', `${ship(6)}/stop_tracking`);
  await call(sandbox, 'PATCH', `${ship(7)}/stop_tracking`);
  sandbox.advance({ days: 1 });
  await write('PATCH', box(8), record('container', { ref_numbers: ['BOXREF-1 north'] }));
  await write('PATCH', ship(9), record('shipment', { ref_numbers: ['SHIPREF-2'] }));
  sandbox.refreshContainers(boxesOf(ships[10]));
}

interface Linked {
  fields: Map<string, Record<string, unknown[]>>;
  requested: Set<string>;
}

async function readLinked(server: SandboxServer): Promise<Linked> {
  const { data: values } = await readAll(server, '/custom_fields');
  const fields: Linked['fields'] = new Map();
  for (const { attributes, relationships } of values) {
    const { id } = relationships.entity.data;
    const known = fields.get(id) ?? {};
    known[attributes.api_slug] = [...(known[attributes.api_slug] ?? []), attributes.value];
    fields.set(id, known);
  }
  const { data: requests } = await readAll(server, '/tracking_requests?page[size]=100');
  const tracked = requests.flatMap(({ relationships }) => relationships.tracked_object.data ?? []);
  return { fields, requested: new Set(tracked.map(({ id }) => id)) };
}

async function rolesOf(server: SandboxServer, owner: string): Promise<string[]> {
  const { data } = (await fetchJson(server, `${owner}/party_roles`)).body;
  return data.map(({ attributes, relationships }: Values) => `${attributes.role} ${relationships.party.data.id}`);
}

async function readBoxes(server: SandboxServer): Promise<BoxRow[]> {
  const { fields, requested } = await readLinked(server);
  const { data, included } = await readAll(server, '/containers?page[size]=50&include=shipment');
  const ships = new Map(included.map(record => [record.id, record]));
  const roles = new Map<string, string[]>();
  for (const id of ships.keys()) roles.set(id, await rolesOf(server, `/shipments/${id}`));
  return Promise.all(
    data.map(async ({ id, attributes, relationships }): Promise<BoxRow> => {
      const shipmentId = relationships.shipment.data.id;
      const own = fields.get(id) ?? {};
      const inherited = fields.get(shipmentId) ?? {};
      const slugs = new Set([...Object.keys(own), ...Object.keys(inherited)]);
      return {
        id,
        box: attributes,
        ship: ships.get(shipmentId)?.attributes,
        shipmentId,
        terminal: relationships.pod_terminal.data?.id ?? null,
        roles: await rolesOf(server, `/containers/${id}`),
        shipmentRoles: roles.get(shipmentId) ?? [],
        fields: Object.fromEntries([...slugs].map(slug => [slug, [...(own[slug] ?? []), ...(inherited[slug] ?? [])]])),
        isRequested: requested.has(shipmentId),
      };
    }),
  );
}

async function readShips(server: SandboxServer): Promise<ShipRow[]> {
  const { requested } = await readLinked(server);
  const { data, included } = await readAll(server, '/shipments?page[size]=100&include=containers');
  const numbers = new Map(included.map(({ id, attributes }) => [id, attributes.number]));
  return Promise.all(
    data.map(
      async ({ id, attributes, relationships }): Promise<ShipRow> => ({
        id,
        ship: attributes,
        terminal: relationships.pod_terminal.data?.id ?? null,
        boxes: relationships.containers.data.map((box: Values) => numbers.get(box.id)),
        roles: await rolesOf(server, `/shipments/${id}`),
        isRequested: requested.has(id),
      }),
    ),
  );
}
