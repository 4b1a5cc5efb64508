import { describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { clientOn } from '../../support/client.ts';
import { attributes, call, createSandbox, get, type Sandbox, stillSandbox, track } from '../../support/sandbox.ts';

async function outcome(sandbox: Sandbox, id: string) {
  const { body } = await get(sandbox, `/tracking_requests/${id}`);
  return body.data.attributes;
}

/** Tracks a number, moves the clock by this duration, and returns the tracking request. */
async function outcomeAfter(duration: Parameters<Sandbox['advance']>[0], number: string, values = {}) {
  const sandbox = stillSandbox();
  const { body } = await track(sandbox, number, values);
  sandbox.advance(duration);
  return outcome(sandbox, body.data.id);
}

describe('a tracking request', () => {
  test('is pending at first, and some seconds later it is created and has a shipment', async () => {
    const sandbox = stillSandbox();
    const created = await track(sandbox, 'MAEU123456789', { ref_numbers: ['PO-1'], shipment_tags: ['spring'] });
    expect(created.status).toBe(201);
    expect(created.body.data.attributes).toMatchObject({ status: 'pending', failed_reason: null, scac: 'MAEU' });
    expect(created.body.data.relationships.tracked_object).toEqual({ data: null });
    expect((await get(sandbox, '/shipments')).body.data).toEqual([]);

    sandbox.advance({ seconds: 26 });
    const { body } = await get(sandbox, `/tracking_requests/${created.body.data.id}`);
    expect(body.data.attributes.status).toBe('created');
    expect(body.included).toHaveLength(1);
    expect(body.included[0]).toMatchObject({
      ...body.data.relationships.tracked_object.data,
      attributes: { bill_of_lading_number: 'MAEU123456789', ref_numbers: ['PO-1'], tags: ['spring'] },
    });
    const containers = (await get(sandbox, '/containers')).body.data;
    expect(containers.length).toBeGreaterThan(0);
    expect(containers[0].attributes.ref_numbers).toEqual(['PO-1']);
  });

  test('takes less than a second by default', async () => {
    let now = 0;
    const sandbox = createSandbox({ monotonic: () => now, rateLimit: false });
    const numbers = Array.from({ length: 20 }, (_, n) => `MAEU1234567${n}`);
    const made = await Promise.all(numbers.map(number => track(sandbox, number)));
    for (const { body } of made) expect((await outcome(sandbox, body.data.id)).status).toBe('pending');
    now = 999;
    for (const { body } of made) expect((await outcome(sandbox, body.data.id)).status).toBe('created');
  });

  test('has its outcome immediately by default if the clock stands still, so that track() ends', async () => {
    const sandbox = createSandbox({ speed: 0 });
    const client = clientOn(sandbox.fetch);
    const { shipment } = await client.track({ number: 'MAEU123456789', scac: 'MAEU', waitTimeout: 5000 });
    expect(shipment.bill_of_lading_number).toBe('MAEU123456789');
    expect(sandbox.now()).toEqual(sandbox.clock.startedAt);
  });

  test('takes at least trackingDelayMs, and at most a quarter more than trackingDelayMs', async () => {
    const sandbox = stillSandbox({ trackingDelayMs: 1000 });
    const { body } = await track(sandbox, 'MAEU123456789');
    sandbox.advance({ ms: 999 });
    expect((await outcome(sandbox, body.data.id)).status).toBe('pending');
    sandbox.advance({ ms: 251 });
    expect((await outcome(sandbox, body.data.id)).status).toBe('created');
  });

  test('copies its customer to the shipment', async () => {
    const sandbox = stillSandbox();
    const party = await call(sandbox, 'POST', '/parties', attributes('party', { company_name: 'Harbor and Pine' }));
    const customer = { data: { type: 'party', id: party.body.data.id } };
    const number = { request_type: 'bill_of_lading', request_number: 'MAEU1234567', scac: 'MAEU' };
    const body = { data: { type: 'tracking_request', attributes: number, relationships: { customer } } };
    expect((await call(sandbox, 'POST', '/tracking_requests', body)).body.data.relationships.customer).toEqual(
      customer,
    );
    sandbox.advance({ minutes: 1 });
    const { data } = (await get(sandbox, '/shipments')).body;
    expect(data[0].attributes.customer_name).toBe('Harbor and Pine');
  });

  test.each([
    [{ minutes: 1 }, 'NOTFOUND1', { request_type: 'container' }, { status: 'failed', failed_reason: 'not_found' }],
    [{ minutes: 1 }, 'MAEUNOTFOUND', {}, { status: 'awaiting_manifest', failed_reason: null }],
    [{ days: 6 }, 'MAEUNOTFOUND', {}, { status: 'awaiting_manifest' }],
    [{ days: 8 }, 'MAEUNOTFOUND', {}, { status: 'failed', failed_reason: 'expired' }],
    [{ days: 1 }, 'MAEUMANIFEST', {}, { status: 'awaiting_manifest' }],
    [{ days: 3 }, 'MAEUMANIFEST', {}, { status: 'created' }],
    [{ minutes: 1 }, 'MAEUFLAKY', {}, { status: 'pending', is_retrying: true, retry_count: 1 }],
    [{ minutes: 8 }, 'MAEUFLAKY', {}, { status: 'created', is_retrying: false, failed_reason: null, retry_count: 3 }],
    [{ hours: 12 }, 'MAEUUNREACHABLE', {}, { status: 'pending', is_retrying: true, retry_count: 11 }],
    [
      { hours: 25 },
      'MAEUUNREACHABLE',
      {},
      { status: 'failed', failed_reason: 'retries_exhausted', is_retrying: false, retry_count: 14 },
    ],
    [{ minutes: 1 }, 'MAEUINVALID', {}, { status: 'failed', failed_reason: 'invalid_number' }],
    [{ minutes: 1 }, 'MAEUCANCELLED', {}, { status: 'failed', failed_reason: 'booking_cancelled' }],
    [{ minutes: 1 }, 'MAEUWITHHELD', {}, { status: 'failed', failed_reason: 'data_unavailable' }],
    [{ minutes: 1 }, 'MAEUDUPLICATE', {}, { status: 'failed', failed_reason: 'duplicate' }],
    [{ minutes: 1 }, 'MSCU1234566', { request_type: 'container' }, { status: 'created' }],
    [{ minutes: 1 }, 'MSCU1234565', { request_type: 'container' }, { status: 'failed', failed_reason: 'not_found' }],
    [{ minutes: 1 }, 'PO 77', { request_type: 'container' }, { status: 'failed', failed_reason: 'invalid_number' }],
    [{ minutes: 1 }, 'MSCU1234566', {}, { status: 'failed', failed_reason: 'invalid_number' }],
    [{ minutes: 1 }, 'TEST-TR-SUCCEEDED', { scac: 'TEST' }, { status: 'created' }],
    [{ minutes: 1 }, 'TEST-TR-FAILED', { scac: 'TEST' }, { status: 'failed' }],
  ])(
    'after the time %o, for the number %s with the attributes %o, has the attributes %o',
    async (duration, number, values, expected) => {
      expect(await outcomeAfter(duration, number, values)).toMatchObject(expected);
    },
  );

  test('without a carrier detects the carrier from the number, or fails', async () => {
    const detect = { scac: undefined, auto_detect_vocc_scac: true };
    const sandbox = stillSandbox();
    expect((await track(sandbox, 'MEDUSMP447102', detect)).body.data.attributes.scac).toBeNull();
    expect(await outcomeAfter({ minutes: 1 }, 'MEDUSMP447102', detect)).toMatchObject({
      status: 'created',
      scac: 'MSCU',
    });
    expect(await outcomeAfter({ minutes: 1 }, 'XXXXSMP0001', detect)).toMatchObject({
      status: 'failed',
      scac: null,
      failed_reason: 'scac_auto_detect_failed',
    });
  });

  test('fails as a duplicate if the account already tracks its shipment', async () => {
    const sandbox = stillSandbox();
    await track(sandbox, 'MAEU123456789');
    sandbox.advance({ minutes: 1 });
    const [container] = (await get(sandbox, '/containers')).body.data;
    const { body } = await track(sandbox, container.attributes.number, { request_type: 'container' });
    sandbox.advance({ minutes: 1 });
    expect(await outcome(sandbox, body.data.id)).toMatchObject({ status: 'failed', failed_reason: 'duplicate' });
  });

  test('with the test carrier leads to a shipment that never changes', async () => {
    const sandbox = stillSandbox();
    await track(sandbox, 'TEST-TR-SUCCEEDED', { scac: 'TEST' });
    sandbox.advance({ minutes: 1 });
    const before = (await get(sandbox, '/shipments?include=containers')).body;
    sandbox.advance({ days: 90 });
    expect((await get(sandbox, '/shipments?include=containers')).body).toEqual(before);
  });

  test('accepts an additional reference later', async () => {
    const sandbox = stillSandbox();
    const { id } = (await track(sandbox, 'MAEU123456789', { ref_numbers: ['A'] })).body.data;
    const body = { data: { type: 'tracking_request', id, attributes: { ref_number: 'B' } } };
    expect((await call(sandbox, 'PATCH', `/tracking_requests/${id}`, body)).body.data.attributes.ref_numbers).toEqual([
      'A',
      'B',
    ]);
  });
});

describe('the creation of a tracking request is refused', () => {
  const codes = (errors: { code?: string; detail: string; source: { pointer: string } }[]) =>
    errors.map(({ code, detail, source }) => [code, source.pointer.replace('/data/attributes/', ''), detail]);

  test.each([
    [{ scac: '' }, [['blank', 'scac', "Scac can't be blank"]]],
    [{ scac: 'XXXX' }, [['blank', 'scac', "Scac 'XXXX' is not recognized"]]],
    [{ scac: 'WDSB' }, [['blank', 'scac', expect.stringContaining("Scac 'WDSB' is not supported. World Direct")]]],
    [{ request_number: ' ' }, [['blank', 'request_number', "Request number can't be blank"]]],
    [
      { scac: null, request_number: null },
      [
        ['blank', 'request_number', "Request number can't be blank"],
        ['blank', 'scac', "Scac can't be blank"],
      ],
    ],
  ])('with %o', async (values, expected) => {
    const { status, body } = await track(stillSandbox(), 'MAEU123456789', values);
    expect(status).toBe(422);
    expect(codes(body.errors)).toEqual(expected);
  });

  test('for a number that already has a pending or created request, but not after a failed request', async () => {
    const sandbox = stillSandbox();
    await track(sandbox, 'MAEU123456789');
    const { status, body } = await track(sandbox, 'MAEU123456789');
    expect(status).toBe(422);
    expect(codes(body.errors)).toEqual([
      [
        'duplicate',
        'request_number',
        "Request number 'MAEU123456789' with scac 'MAEU' already exists in a tracking_request with a pending or created status",
      ],
    ]);
    sandbox.advance({ minutes: 1 });
    expect((await track(sandbox, 'MAEU123456789')).status).toBe(422);
    expect((await track(sandbox, 'MAEU123456789', { scac: 'HLCU' })).status).toBe(201);

    await track(sandbox, 'MAEUINVALID');
    sandbox.advance({ minutes: 1 });
    expect((await track(sandbox, 'MAEUINVALID')).status).toBe(201);
  });
});

describe('the list of tracking requests', () => {
  test('is filtered by number, status, carrier and time', async () => {
    const sandbox = stillSandbox({ trackingDelayMs: 20_000 });
    await track(sandbox, 'MAEU123456789', { ref_numbers: ['PO-1'] });
    sandbox.advance({ hours: 1 });
    await track(sandbox, 'MEDU123456789', { scac: 'MEDU' });
    const numbers = async (query: string) =>
      (await get(sandbox, `/tracking_requests?${query}`)).body.data.map(
        (record: { attributes: { request_number: string } }) => record.attributes.request_number,
      );
    expect(await numbers('')).toEqual(['MEDU123456789', 'MAEU123456789']);
    expect(await numbers('filter[request_number]=MAEU123456789')).toEqual(['MAEU123456789']);
    expect(await numbers('filter[status]=pending')).toEqual(['MEDU123456789']);
    expect(await numbers('filter[status]=created')).toEqual(['MAEU123456789']);
    expect(await numbers('filter[scac]=MSCU')).toEqual(['MEDU123456789']);
    expect(await numbers('q=po-1')).toEqual(['MAEU123456789']);
    expect(await numbers('filter[created_at][start]=2026-03-09T03:30:00Z')).toEqual(['MEDU123456789']);
    expect(await numbers('filter[created_at][end]=2026-03-09T03:30:00Z')).toEqual(['MAEU123456789']);
    expect(await numbers('filter[updated_at][end]=2026-03-09T03:00:10Z')).toEqual([]);
    expect(await numbers('filter[request_type]=container')).toHaveLength(2);
  });
});

describe('the inference of a number', () => {
  const infer = async (number: unknown) =>
    (await call(stillSandbox(), 'POST', '/tracking_requests/infer_number', { number })).body;

  test.each([
    ['MAEU123456789', 'bill_of_lading', 'auto_select', 'MAEU'],
    ['MEDU123456789', 'bill_of_lading', 'auto_select', 'MSCU'],
    ['SEAL123456789', 'bill_of_lading', 'needs_confirmation', 'SEAU'],
    ['mscu 123456-6', 'container', 'auto_select', 'MSCU'],
    ['241167638', 'booking', 'needs_confirmation', 'MAEU'],
    ['TCLU1234568', 'container', 'no_prediction', undefined],
    ['ABCDEF12', 'bill_of_lading', 'no_prediction', undefined],
  ])('for %s gives the type %s with the decision %s and the carrier %s', async (number, type, decision, scac) => {
    const { data } = await infer(number);
    expect(data).toMatchObject({ type: 'infer_number_results', id: expect.stringMatching(/^req_/) });
    expect(data.attributes).toMatchObject({ number_type: type, shipping_line: { decision } });
    expect(data.attributes.shipping_line.selected?.scac).toBe(scac);
  });

  test('verifies the check digit of a container number', async () => {
    const validation = async (number: string) => (await infer(number)).data.attributes.validation;
    expect(await validation('CSQU3054383')).toMatchObject({ is_valid: true, check_digit_passed: true });
    expect(await validation('CSQU3054384')).toMatchObject({ is_valid: false, check_digit_passed: false });
  });

  test.each(['', 'A1', '!!!!!!!', 'X'.repeat(40), 7])('refuses %s, which cannot be a tracking number', async number => {
    expect(await infer(number)).toEqual({ errors: [{ status: '422', detail: 'This reference number is not valid.' }] });
  });
});

describe('stopping and resuming the tracking', () => {
  test('allows a new request for a stopped bill, and the new request then tracks the bill', async () => {
    const sandbox = createSandbox({ rateLimit: false, speed: 100 });
    const { baseUrl, close } = await sandbox.listen();
    onTestFinished(close);
    const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', rateLimit: false, logger: false });
    const track = () => client.track({ number: 'MAEU123456789', scac: 'MAEU', type: 'bill_of_lading' });
    const first = await track();
    expect((await track()).trackingRequest.id).toBe(first.trackingRequest.id);
    await client.shipments.stopTracking(first.shipment.id);

    const again = await track();
    expect(again.trackingRequest).toMatchObject({ status: 'created', request_number: 'MAEU123456789' });
    expect(again.trackingRequest.id).not.toBe(first.trackingRequest.id);
    const { bill_of_lading_number, line_tracking_stopped_at } = await client.shipments.get(again.shipment.id);
    expect({ bill_of_lading_number, line_tracking_stopped_at }).toEqual({
      bill_of_lading_number: 'MAEU123456789',
      line_tracking_stopped_at: null,
    });
    expect(await client.trackingRequests.get(first.trackingRequest.id)).toMatchObject({ status: 'tracking_stopped' });
    expect((await track()).trackingRequest.id).toBe(again.trackingRequest.id);
  });

  test('freezes the shipment, and events between stop and resume stay unknown', async () => {
    const sandbox = stillSandbox();
    const request = (await track(sandbox, 'MAEUATSEA1')).body.data.id;
    sandbox.advance({ minutes: 1 });
    const [shipment] = (await get(sandbox, '/shipments')).body.data;
    const stopped = await call(sandbox, 'PATCH', `/shipments/${shipment.id}/stop_tracking`);
    expect(stopped.body.data.attributes).toMatchObject({
      line_tracking_stopped_at: '2026-03-09T03:01:00Z',
      line_tracking_stopped_reason: 'cancelled_by_user',
    });
    expect(stopped.body.data.relationships.line_tracking_stopped_by_user.data.type).toBe('user');
    expect((await outcome(sandbox, request)).status).toBe('tracking_stopped');
    expect((await get(sandbox, '/shipments?filter[tracking_stopped]=true')).body.data).toHaveLength(1);
    expect((await get(sandbox, '/shipments?filter[tracking_stopped]=false')).body.data).toHaveLength(0);

    const events = async () => (await get(sandbox, '/containers?include=transport_events')).body.included.length;
    const before = await events();
    const untilArrival = Date.parse(shipment.attributes.pod_eta_at) - sandbox.now().getTime();
    sandbox.advance({ ms: untilArrival, days: 2 });
    expect(await events()).toBe(before);

    const resumed = await call(sandbox, 'PATCH', `/shipments/${shipment.id}/resume_tracking`);
    expect(resumed.body.data.attributes).toMatchObject({
      line_tracking_stopped_at: null,
      line_tracking_stopped_reason: null,
    });
    expect((await outcome(sandbox, request)).status).toBe('created');
    expect(resumed.body.data.attributes.pod_ata_at).toBeNull();
  });
});

describe('a tracked container', () => {
  const tracked = async (sandbox: Sandbox, number: string) => {
    const { body, status } = await track(sandbox, number, { request_type: 'container' });
    sandbox.advance({ seconds: 2 });
    return { status, ...(status === 201 ? await outcome(sandbox, body.data.id) : {}) };
  };

  test('is found by its number in the list of containers, but not in the list of shipments', async () => {
    const sandbox = stillSandbox();
    expect(await tracked(sandbox, 'MSCU1234566')).toMatchObject({ status: 'created' });
    expect((await get(sandbox, '/shipments?number=MSCU1234566')).body.data).toEqual([]);
    const { data } = (await get(sandbox, '/containers?filter[number]=MSCU1234566')).body;
    expect(data).toHaveLength(1);
    const [shipment] = (await get(sandbox, '/shipments')).body.data;
    const { bill_of_lading_number: bill } = shipment.attributes;
    expect((await get(sandbox, `/shipments?number=${bill}`)).body.data).toHaveLength(1);
  });

  test.each(['mscu1234566', 'MSCU 123456-6', 'mscu 123456 6'])(
    'has its number in the usual spelling: %j',
    async spelled => {
      const sandbox = stillSandbox();
      expect(await tracked(sandbox, spelled)).toMatchObject({ status: 'created', request_number: spelled });
      const { data } = (await get(sandbox, '/containers?filter[number]=MSCU1234566')).body;
      expect(data.map(({ attributes }: { attributes: { number: string } }) => attributes.number)).toEqual([
        'MSCU1234566',
      ]);
      for (const again of ['MSCU1234566', 'mscu-1234566']) {
        expect(await tracked(sandbox, again)).toEqual({ status: 422 });
      }
      expect((await get(sandbox, '/containers')).body.data).toHaveLength(1);
    },
  );

  test('is found by track() in any spelling', async () => {
    const sandbox = stillSandbox({ speed: 100, monotonic: () => performance.now() });
    const client = clientOn(sandbox.fetch);
    const track = (number: string) => client.track({ number, scac: 'MSCU', type: 'container' });
    const { shipment } = await track('MSCU1234566');
    expect((await track('mscu 123456-6')).shipment.id).toBe(shipment.id);
    await client.shipments.stopTracking(shipment.id);
    expect((await client.containers.list({ filter: { number: 'mscu-1234566' } })).data).toHaveLength(1);
  });

  test('gets its custom fields from the tracking request, in any spelling of its number', async () => {
    const sandbox = stillSandbox();
    const definition = { api_slug: 'team', display_name: 'Team', data_type: 'short_text', entity_type: 'Container' };
    await call(sandbox, 'POST', '/custom_field_definitions', attributes('custom_field_definition', definition));
    const fields = [
      { number: 'MSCU1234566', api_slug: 'team', value: 'imports' },
      { number: 'mscu 765432-1', api_slug: 'team', value: 'of another' },
    ];
    await track(sandbox, 'mscu 123456-6', {
      request_type: 'container',
      initial_custom_fields: { containers: fields },
    });
    sandbox.advance({ seconds: 2 });
    const { data } = (await get(sandbox, '/custom_fields')).body;
    expect(data.map(({ attributes }: { attributes: { value: string } }) => attributes.value)).toEqual(['imports']);
  });
});

describe('updated_at of a tracking request', () => {
  const HOUR_MS = 3_600_000;
  const changedSince = async (sandbox: Sandbox, time: number) => {
    const start = new Date(time).toISOString();
    const { body } = await get(sandbox, `/tracking_requests?filter[updated_at][start]=${start}`);
    return body.data.map(({ attributes }: { attributes: { status: string } }) => attributes.status);
  };

  test('changes when tracking is stopped and resumed, and filter[updated_at] selects by these times', async () => {
    const sandbox = stillSandbox();
    const { body } = await track(sandbox, 'MAEU123456789');
    sandbox.advance({ hours: 5 });
    const [shipment] = (await get(sandbox, '/shipments')).body.data;
    const before = sandbox.now().getTime() - HOUR_MS;
    expect(await changedSince(sandbox, before)).toEqual([]);

    await call(sandbox, 'PATCH', `/shipments/${shipment.id}/stop_tracking`);
    const stoppedAt = sandbox.now().getTime();
    expect(Date.parse((await outcome(sandbox, body.data.id)).updated_at)).toBe(Math.floor(stoppedAt / 1000) * 1000);
    expect(await changedSince(sandbox, before)).toEqual(['tracking_stopped']);

    sandbox.advance({ hours: 5 });
    expect(await changedSince(sandbox, stoppedAt + HOUR_MS)).toEqual([]);
    await call(sandbox, 'PATCH', `/shipments/${shipment.id}/resume_tracking`);
    expect(await changedSince(sandbox, stoppedAt + HOUR_MS)).toEqual(['created']);
    expect((await outcome(sandbox, body.data.id)).status).toBe('created');
  });

  test('becomes the time of the stop when the service itself stops the tracking', async () => {
    const sandbox = stillSandbox();
    const { body } = await track(sandbox, 'MAEU-PICKEDUP-1');
    sandbox.advance({ days: 90 });
    const [shipment] = (await get(sandbox, '/shipments')).body.data;
    const { status, updated_at } = await outcome(sandbox, body.data.id);
    expect(status).toBe('tracking_stopped');
    expect(updated_at).toBe(shipment.attributes.line_tracking_stopped_at);
    expect(await changedSince(sandbox, Date.parse(updated_at))).toEqual(['tracking_stopped']);
    expect(await changedSince(sandbox, Date.parse(updated_at) + HOUR_MS)).toEqual([]);
  });
});

test('the shipment of the test number does not change when its tracking is stopped and resumed', async () => {
  const sandbox = stillSandbox();
  await track(sandbox, 'TEST-TR-SUCCEEDED', { scac: 'TEST' });
  sandbox.advance({ seconds: 2 });
  const events = async () => {
    const [container] = (await get(sandbox, '/containers')).body.data;
    return (await get(sandbox, `/containers/${container.id}/transport_events`)).body.data;
  };
  const [shipment] = (await get(sandbox, '/shipments')).body.data;
  const before = await events();
  sandbox.advance({ days: 30 });
  for (const action of ['stop_tracking', 'resume_tracking']) {
    const { body } = await call(sandbox, 'PATCH', `/shipments/${shipment.id}/${action}`);
    const stopped = action === 'stop_tracking' ? sandbox.now().getTime() : null;
    const { line_tracking_stopped_at, line_tracking_stopped_reason, ...others } = body.data.attributes;
    expect(line_tracking_stopped_at && Date.parse(line_tracking_stopped_at)).toBe(
      stopped && Math.floor(stopped / 1000) * 1000,
    );
    expect(line_tracking_stopped_reason).toBe(stopped && 'cancelled_by_user');
    expect(shipment.attributes).toMatchObject(others);
    expect(await events()).toEqual(before);
  }
});

test('a removed shipment and its containers are also removed from their documents', async () => {
  const sandbox = stillSandbox({ shipments: 1 });
  const [shipment] = (await get(sandbox, '/shipments')).body.data;
  const documents = async () => (await get(sandbox, '/documents?include=shipments,cargos')).body;
  expect((await documents()).included.length).toBeGreaterThan(1);
  sandbox.removeShipment(shipment.id);
  const { data, included = [] } = await documents();
  expect(data).toMatchObject([{ relationships: { shipments: { data: [] }, cargos: { data: [] } } }]);
  expect(included).toEqual([]);
  const { number } = { number: shipment.attributes.bill_of_lading_number };
  expect((await get(sandbox, `/documents?filter[reference]=${number}`)).body.data).toEqual([]);
});
