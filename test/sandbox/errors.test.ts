import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ErrorName, Sandbox } from '../../src/sandbox/index.ts';
import { attributes, call, stillSandbox, track } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

/**
 * The texts of an error, as documented by the service. `<…>` stands for words that vary. `null` in place of the texts
 * means that the body has another form.
 */
interface Texts {
  title?: string;
  detail?: string | null;
  code?: string | null;
  source?: object;
  meta?: string[];
}

type Provoke = (sandbox: Sandbox) => Promise<{ status: number; body: Body }>;

const bill = (values: object) =>
  attributes('tracking_request', {
    request_type: 'bill_of_lading',
    request_number: 'MAEU99999',
    scac: 'MAEU',
    ...values,
  });
const create = (values: object) => (sandbox: Sandbox) => call(sandbox, 'POST', '/tracking_requests', bill(values));
const ask = (path: string) => (sandbox: Sandbox) => call(sandbox, 'GET', path);
const party = (name: string) => (sandbox: Sandbox) =>
  call(sandbox, 'POST', '/parties', attributes('party', { company_name: name }));
const scac = { pointer: '/data/attributes/scac' };
const requestNumber = { pointer: '/data/attributes/request_number' };
const UNPROCESSABLE = 'Unprocessable Entity';
const LIMIT = { rateLimit: { limits: { default: 1, createTrackingRequest: 1, refreshContainer: 1, inferNumber: 1 } } };

/** Sends the same request twice. The limit allows only the first request, so the second response is the error. */
const second = (method: string, path: string, body?: unknown) => async () => {
  const sandbox = stillSandbox({ ...LIMIT, shipments: 1 });
  const id = sandbox.account().shipments()[0]?.containers[0]?.id ?? '';
  await call(sandbox, method, path.replace(':id', id), body);
  return call(sandbox, method, path.replace(':id', id), body);
};

async function storeTwice(sandbox: Sandbox) {
  const bytes = 'the same bytes';
  const checksum = createHash('md5').update(bytes).digest('base64');
  const blob = { filename: 'a.txt', content_type: 'text/plain', byte_size: bytes.length, checksum };
  const store = async () => {
    const { body } = await call(sandbox, 'POST', '/rails/active_storage/direct_uploads', { blob });
    const { url, headers } = body.direct_upload;
    await sandbox.fetch(url, { method: 'PUT', headers, body: bytes });
    return call(
      sandbox,
      'POST',
      '/documents',
      attributes('document', { name: 'a', attached_document: body.signed_id }),
    );
  };
  await store();
  return store();
}

const without =
  (feature: 'routing' | 'refresh' | 'customFields', method: string, path: string) => async (sandbox: Sandbox) => {
    const [box] = sandbox.seedContainers(1);
    sandbox.account().features[feature] = false;
    return call(sandbox, method, `/containers/${box?.id}/${path}`);
  };

const onPlan = (plan: 'free_plan' | 'locked', path: string) => (sandbox: Sandbox) => {
  sandbox.account().settings.plan = plan;
  return call(sandbox, 'GET', path);
};

const withKey = async (sandbox: Sandbox, path: string, key: string) => {
  const response = await sandbox.fetch(`https://x/v2${path}`, { headers: { authorization: `Token ${key}` } });
  return { status: response.status, body: await response.json() };
};

interface Given {
  id?: string | undefined;
  role?: string;
  party?: string;
}

/** Gives a party a role in a record. The record is new unless its id is in the arguments. */
const giveRole =
  (collection: 'shipments' | 'containers', { id, role = 'shipper', party = 'any' }: Given = {}) =>
  (sandbox: Sandbox) => {
    const [record] = id ? [{ id }] : collection === 'shipments' ? sandbox.seedShipments(1) : sandbox.seedContainers(1);
    return call(sandbox, 'POST', `/${collection}/${record?.id}/party_roles`, {
      data: {
        type: 'party_role',
        attributes: { role },
        relationships: { party: { data: { type: 'party', id: party } } },
      },
    });
  };

async function rotate(sandbox: Sandbox) {
  const { documentIds } = sandbox.receiveEmail({ attachments: [{ filename: 'a.png', contentType: 'image/png' }] });
  return call(sandbox, 'POST', `/documents/${documentIds[0]}/rotate`, { degrees: 45 });
}

const NOT_FOUND = 'Not Found';
const WRONG_DAY = '<name> must be valid and in the form YYYY-MM-DD';
const WRONG_PORTS = '<name> must be an array of 5-character UN/LOCODEs';

/** All errors. The last value of a row is a request that causes the error in the sandbox, if such a request exists. */
const ERRORS: Record<ErrorName, [status: number, error: Texts | null, provoke?: Provoke]> = {
  'bad-include': [
    400,
    {
      title: 'Bad Request',
      detail: '<name> is not specified as a relationship on DocumentSerializer',
      source: { parameter: 'include' },
    },
    ask('/documents?include=wrong'),
  ],
  'missing-event': [
    400,
    { title: 'Bad Request', detail: null, source: { parameter: 'event' } },
    ask('/webhook_notifications/examples'),
  ],
  'missing-query': [400, { detail: 'Query parameter is required' }, ask('/search')],
  unauthorized: [
    401,
    { title: 'Unauthorized', detail: 'Invalid or missing API token.' },
    sandbox => withKey(sandbox, '/documents', 'wrong'),
  ],
  'unverified-key': [401, { title: 'Unauthorized', detail: '<service> API key could not be verified' }],
  'routing-not-enabled': [
    403,
    { title: 'Forbidden', detail: 'Routing data feature is not enabled for this account' },
    without('routing', 'GET', 'route'),
  ],
  'refresh-not-enabled': [
    403,
    {
      title: 'API access not enabled',
      detail: 'This API endpoint is not enabled for your account. Please contact <address>',
    },
    without('refresh', 'PATCH', 'refresh'),
  ],
  'not-found': [404, { title: NOT_FOUND }, ask('/shipments/none')],
  'document-not-found': [404, { title: NOT_FOUND, detail: "Couldn't find Document" }, ask('/documents/none')],
  'email-submission-not-found': [
    404,
    { title: NOT_FOUND, detail: "Couldn't find EmailSubmission" },
    ask('/email_submissions/none'),
  ],
  'document-schema-not-found': [
    404,
    { title: NOT_FOUND, detail: "Couldn't find DocumentSchema with 'id'=wrong@1" },
    ask('/document_schemas/wrong@1'),
  ],
  'unknown-path': [404, null, ask('/no/such/path')],
  'duplicate-document': [
    409,
    {
      title: 'Duplicate document',
      detail: '<text>',
      code: 'duplicate_document',
      meta: ['existing_document_id', 'existing_document_name'],
    },
    storeTwice,
  ],
  'blank-scac': [
    422,
    { title: UNPROCESSABLE, detail: "Scac can't be blank", code: 'blank', source: scac },
    create({ scac: '' }),
  ],
  'unknown-scac': [
    422,
    { title: UNPROCESSABLE, detail: "Scac '<X>' is not recognized", code: 'blank', source: scac },
    create({ scac: 'ABCD' }),
  ],
  'unsupported-scac': [
    422,
    { title: UNPROCESSABLE, detail: "Scac '<X>' is not supported. <text>", code: 'blank', source: scac },
    create({ scac: 'WDSB' }),
  ],
  'blank-request-number': [
    422,
    { title: UNPROCESSABLE, detail: "Request number can't be blank", code: 'blank', source: requestNumber },
    create({ request_number: '' }),
  ],
  'duplicate-request': [
    422,
    {
      title: UNPROCESSABLE,
      detail:
        "Request number '<N>' with scac '<S>' already exists in a tracking_request with a pending or created status",
      code: 'duplicate',
      source: requestNumber,
    },
    async sandbox => {
      await track(sandbox, 'MAEU12345');
      return track(sandbox, 'MAEU12345');
    },
  ],
  'invalid-reference-number': [
    422,
    { detail: 'This reference number is not valid.' },
    sandbox => call(sandbox, 'POST', '/tracking_requests/infer_number', { number: '?' }),
  ],
  'invalid-arrival-date-from': [422, { title: 'Invalid arrival_date_from', detail: WRONG_DAY }],
  'invalid-arrival-date-to': [422, { title: 'Invalid arrival_date_to', detail: WRONG_DAY }],
  'invalid-port-of-lading': [422, { title: 'Invalid port_of_lading', detail: WRONG_PORTS }],
  'invalid-port-of-discharge': [422, { title: 'Invalid port_of_discharge', detail: WRONG_PORTS }],
  'missing-trigger-url': [
    422,
    { detail: 'url is required' },
    sandbox => call(sandbox, 'POST', '/webhooks/trigger', {}),
  ],
  'blank-company-name': [
    422,
    {
      title: UNPROCESSABLE,
      detail: "Company name can't be blank",
      source: { pointer: '/data/attributes/company_name' },
    },
    party(''),
  ],
  'company-name-taken': [
    422,
    {
      title: UNPROCESSABLE,
      detail: "'<name>' already exists in Account",
      source: { pointer: '/data/attributes/customer' },
    },
    async sandbox => {
      await party('Importer')(sandbox);
      return party('Importer')(sandbox);
    },
  ],
  'invalid-rotation': [422, { title: 'Invalid rotation', detail: 'degrees must be one of: 90, 180, 270' }, rotate],
  'no-document-attached': [422, { title: 'No document attached' }],
  'rate-limited': [429, { title: 'Too Many Requests', detail: '<text>' }, second('GET', '/parties')],
  'create-rate-limited': [
    429,
    {
      title: 'Too Many Requests',
      detail: "You've hit the create tracking requests limit. Please try again in a minute.",
    },
    second('POST', '/tracking_requests', bill({})),
  ],
  'refresh-rate-limited': [
    429,
    { title: 'Too Many Requests', detail: "You've hit the refresh limit. Please try again in a minute." },
    second('PATCH', '/containers/:id/refresh'),
  ],
  'infer-rate-limited': [
    429,
    { detail: 'Rate limit exceeded' },
    second('POST', '/tracking_requests/infer_number', { number: 'MAEU12345' }),
  ],
  'rate-limited-without-retry-after': [429, { title: 'Too Many Requests', detail: '<text>' }],
  'server-error': [500, { title: 'Internal Server Error', detail: null, code: null }],
  'error-key-with-list': [422, null],
  'error-key-with-text': [422, null],
  'errors-key-with-text': [422, null],
  'message-only': [422, null],
  'detail-only': [422, null],
  'error-and-message': [401, null],
  'empty-body': [500, null],
  'gateway-page': [502, null],
  'blank-search': [400, { title: 'Bad Request', detail: '<text>', source: { parameter: 'q' } }, ask('/shipments?q=')],
  'billing-locked': [401, { title: 'Unauthorized', detail: '<text>' }, onPlan('locked', '/me')],
  'free-plan': [401, { title: 'Unauthorized', detail: '<text>' }, onPlan('free_plan', '/shipments')],
  'custom-fields-for-users': [
    403,
    { title: 'Forbidden', detail: '<text>' },
    without('customFields', 'GET', 'custom_fields'),
  ],
  'foreign-party': [
    401,
    { title: 'Unauthorized', detail: '<text>' },
    giveRole('shipments', { party: 'of another account' }),
  ],
  'party-of-another-account': [
    422,
    {
      title: UNPROCESSABLE,
      detail: 'Party must belong to your account',
      source: { pointer: '/data/relationships/shipper' },
    },
    sandbox =>
      call(sandbox, 'POST', '/tracking_requests', {
        data: { ...bill({}).data, relationships: { shipper: { data: { type: 'party', id: 'of another account' } } } },
      }),
  ],
  'party-role-taken': [
    422,
    { title: UNPROCESSABLE, detail: 'Party has already been taken' },
    async sandbox => {
      const [shipment] = sandbox.seedShipments(1);
      const { body } = await party('Importer')(sandbox);
      const give = giveRole('shipments', { id: shipment?.id, party: body.data.id });
      await give(sandbox);
      return give(sandbox);
    },
  ],
  'unknown-party-role': [
    422,
    { title: UNPROCESSABLE, detail: "'<role>' is not a valid role" },
    giveRole('shipments', { role: 'owner' }),
  ],
  'role-not-for-container': [
    422,
    { title: UNPROCESSABLE, detail: 'Role is not allowed for Cargo' },
    giveRole('containers'),
  ],
};

const NAMES = Object.keys(ERRORS) as ErrorName[];

function expectError(body: Body, { title, detail, code, source, meta }: Texts) {
  expect(body.errors).toHaveLength(1);
  const [error] = body.errors;
  expect(error.title).toBe(title);
  if (typeof detail === 'string') {
    const words = detail.split(/<[^>]*>/).map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    expect(error.detail).toMatch(new RegExp(`^${words.join('.+')}$`));
  } else {
    expect(error.detail).toBe(detail);
  }
  expect(error.code).toBe(code);
  expect(error.source).toEqual(source);
  expect(error.meta && Object.keys(error.meta)).toEqual(meta);
}

describe('an error that a fault sends', () => {
  test.each(NAMES)('(%s) has the documented status, and the documented texts if they exist', async name => {
    const [status, error] = ERRORS[name];
    const sandbox = stillSandbox();
    sandbox.fail({ error: name });
    const headers = { authorization: 'Token sandbox' };
    const response = await sandbox.fetch('https://x/v2/parties', { headers });
    expect(response.status).toBe(status);
    if (error) expectError(await response.json(), error);
    expect((await call(sandbox, 'GET', '/parties')).status).toBe(200);
  });

  test.each<[ErrorName, unknown]>([
    ['error-key-with-list', { error: [{ status: '422', title: UNPROCESSABLE }] }],
    ['error-key-with-text', { error: 'The request is not valid.' }],
    ['errors-key-with-text', { errors: 'The request is not valid.' }],
    ['message-only', { message: 'The request is not valid.' }],
    ['detail-only', { detail: 'The request is not valid.' }],
    ['error-and-message', { error: 'Unauthorized', message: 'The credential is wrong.' }],
    ['empty-body', ''],
    ['gateway-page', expect.stringContaining('<h1>Bad Gateway</h1>')],
    ['unknown-path', expect.stringContaining('<!DOCTYPE html>')],
  ])('(%s) has a body in a special form', async (error, body) => {
    const sandbox = stillSandbox();
    sandbox.fail({ error });
    const response = await sandbox.fetch('https://x/v2/parties', { headers: { authorization: 'Token sandbox' } });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.includes('html') === true;
    expect(isPage || text === '' ? text : JSON.parse(text)).toEqual(body);
  });

  test('for a rate limit has Retry-After, except rate-limited-without-retry-after', async () => {
    const sandbox = stillSandbox({
      faults: [{ error: 'rate-limited' }, { error: 'rate-limited-without-retry-after' }],
    });
    const wait = async () => (await call(sandbox, 'GET', '/parties')).headers.get('retry-after');
    expect([await wait(), await wait()]).toEqual(['60', null]);
  });

  test('over a socket has its status, media type and body', async () => {
    const sandbox = stillSandbox({ faults: [{ error: 'gateway-page' }, { error: 'empty-body' }] });
    const server = await sandbox.listen();
    onTestFinished(() => server.close());
    const answers = [];
    for (let n = 0; n < 2; n++) {
      const response = await fetch(`${server.baseUrl}/parties`, { headers: { authorization: 'Token sandbox' } });
      answers.push([response.status, response.headers.get('content-type'), (await response.text()).length > 0]);
    }
    expect(answers).toEqual([
      [502, 'text/html; charset=utf-8', true],
      [500, 'application/vnd.api+json', false],
    ]);
  });
});

describe('a request causes the error', () => {
  test.each(NAMES.filter(name => ERRORS[name][2]))('%s', async name => {
    const [status, error, provoke] = ERRORS[name];
    const answer = await provoke?.(stillSandbox());
    expect(answer?.status).toBe(status);
    if (error) expectError(answer?.body, error);
    else expect(answer?.body).toContain('<!DOCTYPE html>');
  });
});
