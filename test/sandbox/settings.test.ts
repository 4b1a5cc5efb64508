import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSandbox, type SandboxOptions } from '../../support/sandbox.ts';

/** A client with strict validation, over a socket. */
async function setUp(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ rateLimit: false, speed: 0, ...options });
  const { baseUrl, close } = await sandbox.listen();
  onTestFinished(close);
  const settings = { baseUrl, rateLimit: false, logger: false, validation: 'strict' } as const;
  const client = new TrackingClient({ ...settings, apiKey: 'sandbox' });
  const user = new TrackingClient({ ...settings, accessToken: 'sandbox' });
  return { sandbox, client, user, account: sandbox.account() };
}

const BILL = { request_type: 'bill_of_lading', request_number: 'MAEU12345', scac: 'MAEU' } as const;

describe('the plan', () => {
  test('free_plan lets API keys create tracking requests and read the credential, but nothing else', async () => {
    const { client, account } = await setUp({ settings: { plan: 'free_plan' } });
    expect(await client.trackingRequests.create(BILL)).toMatchObject({ status: 'pending' });
    const { account: own, features } = await client.me();
    expect(own).toMatchObject({ plan: 'free_plan', tracking_slots: { limit: 100, used: 1, remaining: 99 } });
    expect(features.data_out_api).toEqual({ status: 'requires_paid_plan' });
    const calls: (() => PromiseLike<unknown>)[] = [
      () => client.shipments.list(),
      () => client.containers.summary({ group_by: 'current_status' }),
      () => client.trackingRequests.inferNumber('MAEU12345'),
      () => client.webhooks.trigger({ url: 'https://x.example/', event: 'container.updated' }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        name: 'AuthenticationError',
        message: expect.stringContaining('plan'),
      });
    }
    account.settings.plan = 'customer';
    expect((await client.shipments.list()).data).toHaveLength(1);
  });

  test('locked refuses all calls until the invoice is paid', async () => {
    const { client, account } = await setUp();
    account.settings.plan = 'locked';
    const calls: (() => PromiseLike<unknown>)[] = [
      () => client.me(),
      () => client.trackingRequests.create(BILL),
      () => client.shipments.list(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ status: 401, message: expect.stringContaining('locked') });
    }
    account.settings.plan = 'customer';
    expect((await client.me()).account).toMatchObject({ plan: 'customer', tracking_slots: null });
  });
});

describe('the customer of a tracking request', () => {
  const included = { include: ['customer'] } as const;

  test('is a party, an account or null, as the setting says, and the shipment has the party as a role', async () => {
    const { sandbox, client, account } = await setUp();
    const party = await client.parties.create({ company_name: 'Importer' });
    const { id } = await client.trackingRequests.create({ ...BILL, customer: { type: 'party', id: party.id } });
    sandbox.advance({ minutes: 1 });
    expect(await client.trackingRequests.get(id, included)).toMatchObject({
      customer: { type: 'party', id: party.id },
    });

    account.settings.customers = 'account';
    const { customer, tracked_object } = await client.trackingRequests.get(id, included);
    expect(customer).toMatchObject({ type: 'account', company_name: 'Importer' });
    expect(customer?.id).not.toBe(party.id);
    const roles = await client.shipments.partyRoles.list(tracked_object?.id ?? '');
    expect(roles).toMatchObject([{ role: 'customer', party: { id: party.id } }]);

    account.settings.customers = 'none';
    expect((await client.trackingRequests.get(id, included)).customer).toBeNull();
  });

  test('can be set with the id of the customer’s account', async () => {
    const { client, account } = await setUp({ settings: { customers: 'account' } });
    const party = await client.parties.create({ company_name: 'Importer' });
    const first = await client.trackingRequests.create({ ...BILL, customer: { type: 'party', id: party.id } });
    const id = first.customer?.id ?? '';
    const second = { ...BILL, request_number: 'MAEU12346', customer: { type: 'party', id } } as const;
    expect((await client.trackingRequests.create(second)).customer).toEqual({ type: 'account', id });
    account.settings.customers = 'party';
    const [latest] = (await client.trackingRequests.list()).data;
    expect(latest?.customer).toEqual({ type: 'party', id: party.id });
  });
});

describe('a document whose bytes are already stored', () => {
  const file = new Blob(['the same bytes'], { type: 'application/pdf' });
  const email = (filename: string) => ({ attachments: [{ filename, content: 'the same bytes' }] });
  const storedIn = async (repeatedDocuments?: 'replace' | 'accept') => {
    const { sandbox, client } = await setUp({ settings: repeatedDocuments ? { repeatedDocuments } : {} });
    await client.documents.upload({ file, name: 'first', filename: 'a.pdf' });
    const second = client.documents.upload({ file, name: 'second', filename: 'a.pdf' });
    const outcome = await second.then(
      () => 'stored',
      error => error.cause?.code ?? error.code,
    );
    const { documentIds } = sandbox.receiveEmail(email('third'));
    const names = (await client.documents.list().toArray()).map(({ name }) => name).sort();
    return { outcome, names, byEmail: documentIds.length };
  };

  test('is refused by default, or ignored if it is an attachment of an email', async () => {
    expect(await storedIn()).toMatchObject({ names: ['first'], byEmail: 0 });
    expect((await storedIn()).outcome).not.toBe('stored');
  });

  test('replaces the older document with the setting `replace`', async () => {
    expect(await storedIn('replace')).toEqual({ outcome: 'stored', names: ['third'], byEmail: 1 });
  });

  test('is stored in addition to the older document with the setting `accept`', async () => {
    expect(await storedIn('accept')).toEqual({ outcome: 'stored', names: ['first', 'second', 'third'], byEmail: 1 });
  });
});

describe('the wait for a manifest', () => {
  test('ends after the number of days in the settings', async () => {
    const { sandbox, client } = await setUp({ settings: { manifestDays: 20 } });
    const { id } = await client.trackingRequests.create({ ...BILL, request_number: 'MAEUNOTFOUND1' });
    const statusAfter = async (days: number) => {
      sandbox.advance({ days });
      return (await client.trackingRequests.get(id)).status;
    };
    expect([await statusAfter(8), await statusAfter(11)]).toEqual(['awaiting_manifest', 'awaiting_manifest']);
    expect(await statusAfter(2)).toBe('failed');
  });

  test('also applies to containers of one carrier, but containers of other carriers fail immediately', async () => {
    const { sandbox, client } = await setUp();
    const container = { request_type: 'container', request_number: 'HDMU0000000NOTFOUND' } as const;
    const waiting = await client.trackingRequests.create({ ...container, scac: 'HDMU' });
    const failed = await client.trackingRequests.create({ ...container, scac: 'MAEU' });
    sandbox.advance({ days: 1 });
    const statuses = [waiting, failed].map(async ({ id }) => (await client.trackingRequests.get(id)).status);
    expect(await Promise.all(statuses)).toEqual(['awaiting_manifest', 'failed']);
  });
});

test('without the feature, an API key cannot read values of custom fields, and client.me() reports this', async () => {
  const { sandbox, client, user, account } = await setUp();
  const [shipment] = sandbox.seedShipments(1);
  const list = (one: TrackingClient) => one.shipments.customFields.list(shipment?.id ?? '').toArray();
  expect(await list(client)).toEqual([]);
  account.features.customFields = false;
  await expect(list(client)).rejects.toMatchObject({ status: 403, message: expect.stringContaining('signed-in user') });
  expect(await list(user)).toEqual([]);
  const status = async (one: TrackingClient) => (await one.me()).features.custom_fields?.status;
  expect([await status(client), await status(user)]).toEqual(['requires_user_credential', 'available']);
});

describe('settings', () => {
  test('are saved', () => {
    const sandbox = createSandbox({ settings: { customers: 'none' } });
    sandbox.account().settings.plan = 'locked';
    const { settings } = createSandbox({ state: sandbox.save() }).account();
    expect({ ...settings }).toEqual({
      plan: 'locked',
      customers: 'none',
      repeatedDocuments: 'reject',
      manifestDays: 7,
    });
  });

  test.each([
    ['plan', 'gold', 'settings.plan is "gold"; use one of: customer, free_plan, locked.'],
    ['customers', null, 'settings.customers is null'],
    ['repeatedDocuments', 'ignore', 'settings.repeatedDocuments is "ignore"'],
    ['manifestDays', -1, 'settings.manifestDays'],
  ])('refuse an unknown value of %s: %j', (name, value, message) => {
    expect(() => createSandbox({ settings: { [name]: value } })).toThrow(message);
    const { settings } = createSandbox().account();
    expect(() => Object.assign(settings, { [name]: value })).toThrow(message);
  });

  test('refuse an unknown name, and each of several accounts has its own settings', () => {
    expect(() => createSandbox({ settings: { plans: 'customer' } as object })).toThrow('settings has no plans');
    expect(() => createSandbox({ accounts: { a: {} }, settings: {} })).toThrow(
      'With accounts, set settings in each account',
    );
    const { accounts } = createSandbox({ accounts: { a: { settings: { plan: 'locked' } }, b: {} } });
    expect(accounts.map(({ settings }) => settings.plan)).toEqual(['locked', 'customer']);
  });
});
