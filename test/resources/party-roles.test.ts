import { beforeEach, expect, test } from 'vitest';
import {
  AuthenticationError,
  ConfigurationError,
  NotFoundError,
  type TrackingClient,
  ValidationError,
} from '../../src/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { clientOn, rejection } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let client: TrackingClient;
let party: { type: 'party'; id: string };

beforeEach(async () => {
  sandbox = stillSandbox();
  client = clientOn((input, init) => sandbox.fetch(new Request(input, init)), { validation: 'strict' });
  party = { type: 'party', id: (await client.parties.create({ company_name: 'Harbor and Pine' })).id };
});

test('a role is listed with its party until it is deleted', async () => {
  const [shipment] = sandbox.seedShipments(1);
  const id = shipment?.id ?? '';
  const role = await client.shipments.partyRoles.create(id, { role: 'consignee', party });
  expect(await client.shipments.partyRoles.list(id)).toMatchObject([
    {
      id: role.id,
      role: 'consignee',
      roleable_type: 'Shipment',
      roleable_id: id,
      party: { company_name: 'Harbor and Pine' },
    },
  ]);
  const flagged = await client.shipments.get(id, { flag: { parties: true }, include: ['party_roles.party'] });
  expect(flagged.party_roles?.map(found => found.party?.company_name)).toEqual(['Harbor and Pine']);
  expect('party_roles' in (await client.shipments.get(id))).toBe(false);
  await client.shipments.partyRoles.delete(id, role.id);
  expect(await client.shipments.partyRoles.list(id)).toEqual([]);
  expect(await rejection(client.shipments.partyRoles.delete(id, role.id))).toBeInstanceOf(NotFoundError);
});

test('an invalid role is refused', async () => {
  const [shipment] = sandbox.seedShipments(1);
  const id = shipment?.id ?? '';
  const box = shipment?.containers[0]?.id ?? '';
  const create = (role: string, target = party) => client.shipments.partyRoles.create(id, { role, party: target });
  await create('shipper');
  expect(await rejection(create('shipper'))).toBeInstanceOf(ValidationError);
  expect(await rejection(create('owner'))).toBeInstanceOf(ValidationError);
  expect(await rejection(create('shipper', { type: 'party', id: 'other' }))).toBeInstanceOf(AuthenticationError);
  expect(await rejection(create(''))).toBeInstanceOf(ConfigurationError);
  const onBox = client.containers.partyRoles.create(box, { role: 'shipper', party });
  expect(await rejection(onBox)).toBeInstanceOf(ValidationError);
  expect(await rejection(client.shipments.partyRoles.list('none'))).toBeInstanceOf(NotFoundError);
});

test('the parties of a tracking request get their roles on the shipment', async () => {
  const bill = { request_type: 'bill_of_lading', request_number: 'MAEUATSEA1234', scac: 'MAEU' } as const;
  const request = await client.trackingRequests.create({ ...bill, customer: party, shipper: party });
  sandbox.advance({ minutes: 30 });
  const { tracked_object } = await client.trackingRequests.get(request.id);
  const roles = await client.shipments.partyRoles.list(tracked_object?.id ?? '');
  expect(roles.map(({ role }) => role).sort()).toEqual(['customer', 'shipper']);
  const foreign = { ...bill, request_number: 'MAEUATSEA5678', consignee: { type: 'party', id: 'other' } } as const;
  expect(await rejection(client.trackingRequests.create(foreign))).toBeInstanceOf(ValidationError);
});

test('parties are found by a part of their name', async () => {
  await client.parties.create({ company_name: 'Northwind Homewares' });
  const { data } = await client.parties.list({ query: 'PINE' });
  expect(data.map(({ company_name }) => company_name)).toEqual(['Harbor and Pine']);
});
