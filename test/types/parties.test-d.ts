import { expectTypeOf, test } from 'vitest';
import type {
  Account,
  ContainerCounts,
  Credential,
  CredentialDefaults,
  CustomFieldDefinition,
  DocumentTypeDetail,
  PartyRole,
  PartyRoleCreate,
  Ref,
  TrackingClient,
} from '../../src/index.ts';

declare const client: TrackingClient;
const party: Ref<'party'> = { type: 'party', id: '1' };

test('shipments, containers and tracking requests return party roles with their parties', () => {
  for (const { partyRoles } of [client.shipments, client.containers, client.trackingRequests]) {
    expectTypeOf(partyRoles.list('1')).resolves.toEqualTypeOf<PartyRole<readonly 'party'[]>[]>();
    expectTypeOf(partyRoles.create('1', { role: 'shipper', party })).resolves.toEqualTypeOf<
      PartyRole<readonly 'party'[]>
    >();
    expectTypeOf(partyRoles.delete('1', '2')).resolves.toEqualTypeOf<void>();
  }
});

test('a new party role needs the name of the role and a party', () => {
  expectTypeOf<PartyRoleCreate['party']>().toEqualTypeOf<Ref<'party'>>();
  // @ts-expect-error without a party
  client.shipments.partyRoles.create('1', { role: 'shipper' });
  // @ts-expect-error without a role
  client.shipments.partyRoles.create('1', { party });
  // @ts-expect-error a shipment is not a party
  client.shipments.partyRoles.create('1', { role: 'shipper', party: { type: 'shipment', id: '1' } });
  // @ts-expect-error a role cannot be changed
  client.shipments.partyRoles.update('1', '2', { role: 'consignee' });
});

test('a shipment has party roles if the flag and the include request them', async () => {
  const shipment = await client.shipments.get('1', { flag: { parties: true }, include: ['party_roles.party'] });
  expectTypeOf(shipment.party_roles[0]?.party.company_name).toEqualTypeOf<string | undefined>();
  const plain = await client.shipments.get('1');
  // @ts-expect-error absent without the flag
  void plain.party_roles.length;
  // @ts-expect-error the flag is called parties
  client.shipments.get('1', { flag: { party_roles: true } });
});

test('a new tracking request accepts a party for each role', () => {
  const bill = { request_type: 'bill_of_lading', request_number: 'MAEU1', scac: 'MAEU' } as const;
  client.trackingRequests.create({ ...bill, shipper: party, consignee: party, notify_party: party });
  // @ts-expect-error not a role
  client.trackingRequests.create({ ...bill, carrier: party });
});

test('me() returns the account, and also the user unless the credential is an API key', async () => {
  expectTypeOf(client.me()).resolves.toEqualTypeOf<Credential<CredentialDefaults>>();
  const { features, user } = await client.me();
  expectTypeOf(features.routing_data?.status).extract<undefined>().toEqualTypeOf<undefined>();
  // @ts-expect-error an API key has no user
  void user.id;
  // @ts-expect-error takes no parameters
  client.me({ include: ['user'] });
});

test('an account returns its own definitions of custom fields', () => {
  expectTypeOf(client.accounts.list().toArray()).resolves.toEqualTypeOf<Account[]>();
  expectTypeOf(client.accounts.customFieldDefinitions('1').toArray()).resolves.toExtend<CustomFieldDefinition[]>();
  // @ts-expect-error without the account
  client.accounts.customFieldDefinitions();
  // @ts-expect-error a definition does not have values
  client.accounts.customFieldDefinitions('1', { include: ['values'] });
});

test('a summary of containers needs a column to group by', () => {
  expectTypeOf(client.containers.summary({ group_by: 'pod_terminal' })).resolves.toEqualTypeOf<ContainerCounts>();
  client.containers.summary({ group_by: 'hold_type', filter: { number: 'MSCU1234565' } });
  // @ts-expect-error without a column
  client.containers.summary({});
  // @ts-expect-error a list has pages, counts do not
  client.containers.summary({ group_by: 'pod_terminal', pageSize: 5 });
});

test('a single document type is returned with its structure', () => {
  expectTypeOf(client.documents.type('arrival_notice')).resolves.toEqualTypeOf<DocumentTypeDetail>();
  // @ts-expect-error without a code
  client.documents.type();
});
