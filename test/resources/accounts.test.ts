import { expect, onTestFinished, test } from 'vitest';
import { clientFor, rejection } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

async function setUp() {
  const sandbox = stillSandbox({
    accounts: { acme: { features: { routing: false }, companyName: 'Acme Imports' }, other: {} },
  });
  const server = await sandbox.listen();
  onTestFinished(server.close);
  const clientOf = (apiKey: string) => clientFor(server, { apiKey, validation: 'strict' });
  return { sandbox, server, acme: clientOf('acme'), other: clientOf('other') };
}

test('me returns the account of a key, and the features of the key', async () => {
  const { acme } = await setUp();
  const { kind, account, user, features } = await acme.me();
  expect({ kind, account, user }).toMatchObject({
    kind: 'api_key',
    account: { company_name: 'Acme Imports', plan: 'customer' },
    user: null,
  });
  expect(features.routing_data).toEqual({ status: 'not_enabled' });
  expect(features.rail_data).toEqual({ status: 'available' });
});

test('me returns the user of a token, and the accounts of the user', async () => {
  const { server } = await setUp();
  const client = clientFor(server, { accessToken: 'acme', validation: 'strict' });
  const { id, user } = await client.me();
  if (!user || !('email' in user)) throw new Error('not included');
  expect(user).toMatchObject({ id, email: 'user@sandbox.example', accounts: [{ company_name: 'Acme Imports' }] });
});

test('me returns the user in x-user-email for a key', async () => {
  const { server } = await setUp();
  const client = clientFor(server, {
    apiKey: 'acme',
    validation: 'strict',
    headers: { 'x-user-email': 'a@b.example' },
  });
  expect(await client.me()).toMatchObject({ kind: 'api_key', user: { type: 'user', role: 'member' } });
});

test('every call to an account without access rejects with an AuthenticationError', async () => {
  const { server, acme, other } = await setUp();
  const [own, foreign] = await Promise.all([acme.accounts.list(), other.accounts.list()]);
  const inAccount = (accountId = '') => clientFor(server, { apiKey: 'acme', accountId });
  const { account } = await inAccount(own.data[0]?.id).me();
  expect(account.id).toBe(own.data[0]?.id);
  for (const call of [inAccount(foreign.data[0]?.id).me(), inAccount(foreign.data[0]?.id).shipments.list()]) {
    expect(await rejection(call)).toMatchObject({ name: 'AuthenticationError' });
  }
});

test('accountId is sent as a header with every call, even of derived clients', async () => {
  const server = await serve({ body: { data: [] } });
  const client = clientFor(server, { accountId: 'a-1' });
  await client.parties.list();
  await client.withOptions({ timeout: 1000 }).request({ path: '/parties' });
  await client.withOptions({ accountId: 'a-2' }).parties.list();
  await clientFor(server).parties.list();
  expect(server.requests.map(({ headers }) => headers['x-account-id'])).toEqual(['a-1', 'a-1', 'a-2', undefined]);
});

test.each([
  ['', 'accountId is blank.'],
  ['a\nb', 'The header "x-account-id" cannot be sent'],
])('accountId %j is refused', async (accountId, message) => {
  expect(() => clientFor({ baseUrl: 'https://host.example/v2' }, { accountId })).toThrow(message);
});

test('the definitions of the account include their options', async () => {
  const { acme } = await setUp();
  const { id } = await acme.customFieldDefinitions.create({
    entity_type: 'Shipment',
    api_slug: 'priority',
    display_name: 'Priority',
    data_type: 'enum',
  });
  await acme.customFieldOptions.create(id, { label: 'High', value: 'high' });
  const [account] = (await acme.accounts.list()).data;
  const [definition] = await acme.accounts
    .customFieldDefinitions(account?.id ?? '', { include: ['options'] })
    .toArray();
  expect(definition).toMatchObject({ id, api_slug: 'priority', options: [{ label: 'High', value: 'high' }] });
});
