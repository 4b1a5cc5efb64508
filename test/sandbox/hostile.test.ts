import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import {
  attributes,
  call,
  createSandbox,
  get,
  type SandboxOptions,
  stillSandbox,
  track,
} from '../../support/sandbox.ts';

const LISTS = [
  '/shipments',
  '/containers',
  '/tracking_requests',
  '/webhooks',
  '/webhook_notifications',
  '/parties',
  '/documents',
  '/custom_fields',
  '/custom_field_definitions',
  '/email_submissions',
];

describe('page[number]', () => {
  test.each(LISTS)('of %s must be a whole number of at least 1', async list => {
    const sandbox = stillSandbox();
    for (const value of ['-1', '0', '1.5', 'two', '', '1e2', ' 1', '99999999999999999999']) {
      const { status, body } = await get(sandbox, `${list}?page[number]=${encodeURIComponent(value)}`);
      expect([value, status]).toEqual([value, 400]);
      expect(body.errors).toMatchObject([{ title: 'Bad Request', source: { parameter: 'page[number]' } }]);
    }
    expect((await get(sandbox, `${list}?page[number]=1`)).status).toBe(200);
  });
});

test.each([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'shipment.constructor',
  'shipment.__proto__.name',
])('include=%s causes a 400 that names the parameter', async include => {
  const sandbox = stillSandbox();
  sandbox.seedContainers(1);
  const { status, body } = await get(sandbox, `/containers?include=${include}`);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ source: { parameter: 'include' } }]);
});

const PROTOTYPE = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '-valueOf'];

test.each(PROTOTYPE)('sort=%s is an unknown sort key', async sort => {
  const sandbox = stillSandbox();
  for (const name of ['one', 'two']) {
    sandbox.receiveEmail({ attachments: [{ filename: `${name}.pdf`, content: name }] });
    sandbox.advance({ days: 1 });
  }
  const { status, body } = await get(sandbox, `/documents?sort=${sort}`);
  expect(status).toBe(200);
  expect(body.data).toEqual((await get(sandbox, '/documents')).body.data);
});

test.each(PROTOTYPE)('entity_type=%s is not an entity type, and the sandbox can still be saved', async entity_type => {
  const sandbox = stillSandbox();
  const valid = { api_slug: 'a', display_name: 'A', data_type: 'short_text', entity_type: 'Shipment' };
  const post = (values: object) =>
    call(sandbox, 'POST', '/custom_field_definitions', attributes('custom_field_definition', { ...valid, ...values }));
  expect(await post({ entity_type })).toMatchObject({
    status: 422,
    body: { errors: [{ source: { pointer: '/data/attributes/entity_type' } }] },
  });
  expect((await post({})).status).toBe(201);
  expect((await get(sandbox, `/custom_field_definitions?filter[entity_type]=${entity_type}`)).body.data).toEqual([]);
  expect(() => JSON.stringify(sandbox.save())).not.toThrow();
});

test('the sandbox never fails for a query with any names and values', async () => {
  const sandbox = stillSandbox();
  const [container] = sandbox.seedContainers(2);
  await track(sandbox, 'MAEU123456789');
  const odd = fc.oneof(
    fc.constantFrom(
      'constructor',
      '__proto__',
      'toString',
      'valueOf',
      '-1',
      '1e400',
      '\u0000',
      '%',
      '[',
      ',,',
      '.',
      '..',
    ),
    fc.string({ maxLength: 8 }),
  );
  const name = fc.oneof(
    fc.constantFrom('include', 'page[size]', 'page[number]', 'filter[number]', 'filter[entity_type]', 'filter[status]'),
    fc.constantFrom(
      'filter[created_at][start]',
      'filter[data_type]',
      'number',
      'q',
      'sort',
      'query',
      'filter[reference]',
    ),
    odd,
  );
  const path = fc.oneof(
    fc.constantFrom(...LISTS, '/search', `/containers/${container?.id}`, '/shipping_lines', '/webhooks/events'),
    odd.map(id => `/containers/${encodeURIComponent(id)}`),
  );
  await fc.assert(
    fc.asyncProperty(path, fc.array(fc.tuple(name, odd), { maxLength: 3 }), async (target, pairs) => {
      const { status } = await get(sandbox, `${target}?${new URLSearchParams(pairs)}`);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});

test('the sandbox never fails for a body with any contents', async () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('constructor', '__proto__', 'toString'));
  const names = ['request_type', 'request_number', 'scac', 'url', 'events', 'entity_type', 'data_type', 'api_slug'];
  const values = fc.dictionary(fc.constantFrom(...names, 'company_name', 'initial_custom_fields', 'value'), value);
  const body = fc.oneof(
    value,
    values.map(given => attributes('any', given)),
    fc.record({ data: fc.record({ attributes: values, relationships: value }) }),
  );
  const path = fc.constantFrom(
    '/tracking_requests',
    '/webhooks',
    '/parties',
    '/custom_field_definitions',
    '/documents',
  );
  await fc.assert(
    fc.asyncProperty(path, body, async (target, given) => {
      expect((await call(stillSandbox(), 'POST', target, given)).status).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
});

describe('a ConfigurationError is thrown for a time that the clock cannot show', () => {
  test.each([{ days: 1e9 }, { days: 3e6 }, { ms: Number.POSITIVE_INFINITY }, { seconds: 1e300 }, { ms: Number.NaN }])(
    'in advance(%j)',
    duration => {
      const sandbox = stillSandbox();
      const before = sandbox.now();
      expect(() => sandbox.advance(duration)).toThrow(ConfigurationError);
      expect(sandbox.now()).toEqual(before);
    },
  );

  test('if several calls of advance together reach this time', async () => {
    const sandbox = stillSandbox();
    sandbox.advance({ days: 2_000_000 });
    expect(() => sandbox.advance({ days: 2_000_000 })).toThrow(/9999/);
    expect((await get(sandbox, '/shipments')).status).toBe(200);
  });

  test.each<SandboxOptions>([
    { now: 8.64e15 },
    { now: '+010000-01-01T00:00:00Z' },
    { speed: Number.POSITIVE_INFINITY },
    { trackingDelayMs: Number.POSITIVE_INFINITY },
  ])('in createSandbox(%j)', options => {
    expect(() => createSandbox(options)).toThrow(ConfigurationError);
  });
});

describe('over a socket, a request is refused before its whole body is read:', () => {
  async function open(head: string): Promise<{ socket: Socket; answered: Promise<string> }> {
    const server = await createSandbox().listen();
    onTestFinished(() => server.close());
    const { port, host } = new URL(server.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`${head.replaceAll('\n', '\r\n')}\r\nHost: ${host}\r\n\r\n`);
    let text = '';
    const answered = new Promise<string>(resolve => {
      socket.on('data', chunk => {
        text += chunk;
        if (text.includes('\r\n\r\n')) resolve(text.slice(0, text.indexOf('\r\n')));
      });
    });
    return { socket, answered };
  }

  test('a body of 300 MB without a key', async () => {
    const { answered } = await open('POST /v2/parties HTTP/1.1\nContent-Length: 300000000');
    expect(await answered).toBe('HTTP/1.1 401 Unauthorized');
  });

  test('a body of 300 MB with a valid key', async () => {
    const { answered } = await open(
      'POST /v2/parties HTTP/1.1\nAuthorization: Token sandbox\nContent-Length: 300000000',
    );
    expect(await answered).toBe('HTTP/1.1 413 Payload Too Large');
  });

  test('a body that is longer than 10 MiB and does not state its length', async () => {
    const { socket, answered } = await open(
      'POST /v2/parties HTTP/1.1\nAuthorization: Token sandbox\nTransfer-Encoding: chunked',
    );
    const chunk = Buffer.alloc(2 ** 20, 'a');
    for (let sent = 0; sent < 11; sent += 1) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
    }
    expect(await answered).toBe('HTTP/1.1 413 Payload Too Large');
  });

  test('a file for an address with a wrong signature', async () => {
    const { answered } = await open(
      'PUT /v2/rails/active_storage/disk/1?expires=1&signature=x HTTP/1.1\nContent-Length: 300000000',
    );
    expect(await answered).toBe('HTTP/1.1 403 Forbidden');
  });
});

test('over fetch(), a body that is too long gets a 413 with an error document', async () => {
  const { status, body } = await call(
    stillSandbox(),
    'POST',
    '/parties',
    attributes('party', { company_name: 'a'.repeat(2 ** 24) }),
  );
  expect(status).toBe(413);
  expect(body).toEqual({
    errors: [{ status: '413', title: 'Payload Too Large', detail: expect.stringContaining('10 MiB') }],
  });
});

test('a file that is longer than announced is refused before all of it is read', async () => {
  const sandbox = stillSandbox();
  const blob = { filename: 'a.txt', content_type: 'text/plain', byte_size: 4, checksum: 'AAAAAAAAAAAAAAAAAAAAAA==' };
  const { direct_upload } = (await call(sandbox, 'POST', '/rails/active_storage/direct_uploads', { blob })).body;
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(3));
    },
  });
  const init = { method: 'PUT', headers: direct_upload.headers, body, duplex: 'half' } as RequestInit;
  expect((await sandbox.fetch(direct_upload.url, init)).status).toBe(400);
  expect(pulled).toBeLessThan(10);
});

describe('a write request with a wrong include is refused and changes nothing:', () => {
  test.each([
    ['PATCH', '/shipments/:shipment', { ref_numbers: ['PO-new'], tags: ['new'] }],
    ['PATCH', '/shipments/:shipment/stop_tracking', {}],
    ['PATCH', '/containers/:container', { ref_numbers: ['PO-new'] }],
    ['PATCH', '/tracking_requests/:request', { ref_number: 'PO-new' }],
    ['PATCH', '/documents/:document', { document_type_manual: 'invoice' }],
  ])('%s %s', async (method, path, values) => {
    const sandbox = stillSandbox({ shipments: 1 });
    const first = async (list: string) => (await get(sandbox, list)).body.data[0];
    const [shipment, container] = [await first('/shipments'), await first('/containers')];
    const [request, document] = [await first('/tracking_requests'), await first('/documents')];
    const ids: Record<string, { id: string }> = { shipment, container, request, document };
    const target = path.replace(/:(\w+)/, (_, name) => ids[name]?.id ?? '');
    const before = JSON.stringify(sandbox.save());
    const { status, body } = await call(sandbox, method, `${target}?include=nonsense`, attributes('any', values));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ source: { parameter: 'include' } }]);
    expect(JSON.parse(JSON.stringify(sandbox.save())).records).toEqual(JSON.parse(before).records);
    expect((await call(sandbox, method, target, attributes('any', values))).status).toBe(200);
    expect(JSON.parse(JSON.stringify(sandbox.save())).records).not.toEqual(JSON.parse(before).records);
  });

  test('resume_tracking', async () => {
    const sandbox = stillSandbox({ shipments: 1 });
    const { id } = (await get(sandbox, '/shipments')).body.data[0];
    await call(sandbox, 'PATCH', `/shipments/${id}/stop_tracking`);
    expect((await call(sandbox, 'PATCH', `/shipments/${id}/resume_tracking?include=nonsense`)).status).toBe(400);
    const { attributes: seen } = (await get(sandbox, `/shipments/${id}`)).body.data;
    expect(seen.line_tracking_stopped_at).not.toBeNull();
  });
});

describe('the speed of the clock', () => {
  test('is at most a million', () => {
    expect(() => createSandbox({ speed: 1_000_001 })).toThrow('speed must be at most 1000000');
    expect(createSandbox({ speed: 1_000_000 }).clock.speed).toBe(1_000_000);
  });

  test('does not move the clock beyond the year 9999: the clock then stops', async () => {
    let real = 0;
    const sandbox = createSandbox({ speed: 1_000_000, monotonic: () => real });
    real = 1e12;
    expect(sandbox.now()).toEqual(new Date('9999-12-31T23:59:59.999Z'));
    expect((await get(sandbox, '/shipments')).status).toBe(200);
  });
});
