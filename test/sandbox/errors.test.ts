import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NAMED_ERRORS } from '../../src/model/generated/named-errors.ts';
import type { ErrorName, Sandbox } from '../../src/sandbox/index.ts';
import { attributes, call, stillSandbox, track } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

/** An error with its texts as the service documents them. `<…>` stands for words that depend on the request, or are not fixed. */
interface Row {
  name: ErrorName;
  status: number;
  /** Without it the body has another form. */
  error?: { title?: string; detail?: string | null; code?: string | null; source?: object; meta?: string[] };
  /** A request that the sandbox itself answers with this error. */
  provoke?: (sandbox: Sandbox) => Promise<{ status: number; body: Body }>;
}

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

/** The second answer to the same request, where one is allowed. */
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

/** Gives a party a role on a record, a new one unless its id is given. */
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
const ROWS: Row[] = [
  {
    name: 'bad-include',
    status: 400,
    error: {
      title: 'Bad Request',
      detail: '<name> is not specified as a relationship on DocumentSerializer',
      source: { parameter: 'include' },
    },
    provoke: ask('/documents?include=wrong'),
  },
  {
    name: 'missing-event',
    status: 400,
    error: { title: 'Bad Request', detail: null, source: { parameter: 'event' } },
    provoke: ask('/webhook_notifications/examples'),
  },
  { name: 'missing-query', status: 400, error: { detail: 'Query parameter is required' }, provoke: ask('/search') },
  {
    name: 'unauthorized',
    status: 401,
    error: { title: 'Unauthorized', detail: 'Invalid or missing API token.' },
    provoke: sandbox => withKey(sandbox, '/documents', 'wrong'),
  },
  {
    name: 'unverified-key',
    status: 401,
    error: { title: 'Unauthorized', detail: '<service> API key could not be verified' },
  },
  {
    name: 'routing-not-enabled',
    status: 403,
    error: { title: 'Forbidden', detail: 'Routing data feature is not enabled for this account' },
    provoke: without('routing', 'GET', 'route'),
  },
  {
    name: 'refresh-not-enabled',
    status: 403,
    error: {
      title: 'API access not enabled',
      detail: 'This API endpoint is not enabled for your account. Please contact <address>',
    },
    provoke: without('refresh', 'PATCH', 'refresh'),
  },
  { name: 'not-found', status: 404, error: { title: NOT_FOUND }, provoke: ask('/shipments/none') },
  {
    name: 'document-not-found',
    status: 404,
    error: { title: NOT_FOUND, detail: "Couldn't find Document" },
    provoke: ask('/documents/none'),
  },
  {
    name: 'email-submission-not-found',
    status: 404,
    error: { title: NOT_FOUND, detail: "Couldn't find EmailSubmission" },
    provoke: ask('/email_submissions/none'),
  },
  {
    name: 'document-schema-not-found',
    status: 404,
    error: { title: NOT_FOUND, detail: "Couldn't find DocumentSchema with 'id'=wrong@1" },
    provoke: ask('/document_schemas/wrong@1'),
  },
  { name: 'unknown-path', status: 404, provoke: ask('/no/such/path') },
  {
    name: 'duplicate-document',
    status: 409,
    error: {
      title: 'Duplicate document',
      detail: '<text>',
      code: 'duplicate_document',
      meta: ['existing_document_id', 'existing_document_name'],
    },
    provoke: storeTwice,
  },
  {
    name: 'blank-scac',
    status: 422,
    error: { title: UNPROCESSABLE, detail: "Scac can't be blank", code: 'blank', source: scac },
    provoke: create({ scac: '' }),
  },
  {
    name: 'unknown-scac',
    status: 422,
    error: { title: UNPROCESSABLE, detail: "Scac '<X>' is not recognized", code: 'blank', source: scac },
    provoke: create({ scac: 'ABCD' }),
  },
  {
    name: 'unsupported-scac',
    status: 422,
    error: { title: UNPROCESSABLE, detail: "Scac '<X>' is not supported. <text>", code: 'blank', source: scac },
    provoke: create({ scac: 'WDSB' }),
  },
  {
    name: 'blank-request-number',
    status: 422,
    error: { title: UNPROCESSABLE, detail: "Request number can't be blank", code: 'blank', source: requestNumber },
    provoke: create({ request_number: '' }),
  },
  {
    name: 'duplicate-request',
    status: 422,
    error: {
      title: UNPROCESSABLE,
      detail:
        "Request number '<N>' with scac '<S>' already exists in a tracking_request with a pending or created status",
      code: 'duplicate',
      source: requestNumber,
    },
    async provoke(sandbox) {
      await track(sandbox, 'MAEU12345');
      return track(sandbox, 'MAEU12345');
    },
  },
  {
    name: 'invalid-reference-number',
    status: 422,
    error: { detail: 'This reference number is not valid.' },
    provoke: sandbox => call(sandbox, 'POST', '/tracking_requests/infer_number', { number: '?' }),
  },
  ...(['arrival_date_from', 'arrival_date_to'] as const).map(
    (name): Row => ({
      name: `invalid-${name.replaceAll('_', '-')}` as ErrorName,
      status: 422,
      error: { title: `Invalid ${name}`, detail: '<name> must be valid and in the form YYYY-MM-DD' },
    }),
  ),
  ...(['port_of_lading', 'port_of_discharge'] as const).map(
    (name): Row => ({
      name: `invalid-${name.replaceAll('_', '-')}` as ErrorName,
      status: 422,
      error: { title: `Invalid ${name}`, detail: '<name> must be an array of 5-character UN/LOCODEs' },
    }),
  ),
  {
    name: 'missing-trigger-url',
    status: 422,
    error: { detail: 'url is required' },
    provoke: sandbox => call(sandbox, 'POST', '/webhooks/trigger', {}),
  },
  {
    name: 'blank-company-name',
    status: 422,
    error: {
      title: UNPROCESSABLE,
      detail: "Company name can't be blank",
      source: { pointer: '/data/attributes/company_name' },
    },
    provoke: party(''),
  },
  {
    name: 'company-name-taken',
    status: 422,
    error: {
      title: UNPROCESSABLE,
      detail: "'<name>' already exists in Account",
      source: { pointer: '/data/attributes/customer' },
    },
    async provoke(sandbox) {
      await party('Importer')(sandbox);
      return party('Importer')(sandbox);
    },
  },
  {
    name: 'invalid-rotation',
    status: 422,
    error: { title: 'Invalid rotation', detail: 'degrees must be one of: 90, 180, 270' },
    provoke: rotate,
  },
  { name: 'no-document-attached', status: 422, error: { title: 'No document attached' } },
  {
    name: 'rate-limited',
    status: 429,
    error: { title: 'Too Many Requests', detail: '<text>' },
    provoke: second('GET', '/parties'),
  },
  {
    name: 'create-rate-limited',
    status: 429,
    error: {
      title: 'Too Many Requests',
      detail: "You've hit the create tracking requests limit. Please try again in a minute.",
    },
    provoke: second('POST', '/tracking_requests', bill({})),
  },
  {
    name: 'refresh-rate-limited',
    status: 429,
    error: { title: 'Too Many Requests', detail: "You've hit the refresh limit. Please try again in a minute." },
    provoke: second('PATCH', '/containers/:id/refresh'),
  },
  {
    name: 'infer-rate-limited',
    status: 429,
    error: { detail: 'Rate limit exceeded' },
    provoke: second('POST', '/tracking_requests/infer_number', { number: 'MAEU12345' }),
  },
  { name: 'rate-limited-without-retry-after', status: 429, error: { title: 'Too Many Requests', detail: '<text>' } },
  { name: 'server-error', status: 500, error: { title: 'Internal Server Error', detail: null, code: null } },
  { name: 'error-key-with-list', status: 422 },
  { name: 'error-key-with-text', status: 422 },
  { name: 'errors-key-with-text', status: 422 },
  { name: 'message-only', status: 422 },
  { name: 'detail-only', status: 422 },
  { name: 'error-and-message', status: 401 },
  { name: 'empty-body', status: 500 },
  { name: 'gateway-page', status: 502 },
  {
    name: 'blank-search',
    status: 400,
    error: { title: 'Bad Request', detail: '<text>', source: { parameter: 'q' } },
    provoke: ask('/shipments?q='),
  },
  {
    name: 'billing-locked',
    status: 401,
    error: { title: 'Unauthorized', detail: '<text>' },
    provoke: onPlan('locked', '/me'),
  },
  {
    name: 'free-plan',
    status: 401,
    error: { title: 'Unauthorized', detail: '<text>' },
    provoke: onPlan('free_plan', '/shipments'),
  },
  {
    name: 'custom-fields-for-users',
    status: 403,
    error: { title: 'Forbidden', detail: '<text>' },
    provoke: without('customFields', 'GET', 'custom_fields'),
  },
  {
    name: 'foreign-party',
    status: 401,
    error: { title: 'Unauthorized', detail: '<text>' },
    provoke: giveRole('shipments', { party: 'of another account' }),
  },
  {
    name: 'party-of-another-account',
    status: 422,
    error: {
      title: UNPROCESSABLE,
      detail: 'Party must belong to your account',
      source: { pointer: '/data/relationships/shipper' },
    },
    provoke: sandbox =>
      call(sandbox, 'POST', '/tracking_requests', {
        data: { ...bill({}).data, relationships: { shipper: { data: { type: 'party', id: 'of another account' } } } },
      }),
  },
  {
    name: 'party-role-taken',
    status: 422,
    error: { title: UNPROCESSABLE, detail: 'Party has already been taken' },
    async provoke(sandbox) {
      const [shipment] = sandbox.seedShipments(1);
      const { body } = await party('Importer')(sandbox);
      const give = giveRole('shipments', { id: shipment?.id, party: body.data.id });
      await give(sandbox);
      return give(sandbox);
    },
  },
  {
    name: 'unknown-party-role',
    status: 422,
    error: { title: UNPROCESSABLE, detail: "'<role>' is not a valid role" },
    provoke: giveRole('shipments', { role: 'owner' }),
  },
  {
    name: 'role-not-for-container',
    status: 422,
    error: { title: UNPROCESSABLE, detail: 'Role is not allowed for Cargo' },
    provoke: giveRole('containers'),
  },
];

test('the table has every named error, each once', () => {
  expect(ROWS.map(({ name }) => name).toSorted()).toEqual(Object.keys(NAMED_ERRORS).toSorted());
});

function expectError(body: Body, { title, detail, code, source, meta }: NonNullable<Row['error']>) {
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

describe('as a fault', () => {
  test.each(ROWS)('$name is answered with $status', async ({ name, status, error }) => {
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
  ])('%s has a form of its own', async (error, body) => {
    const sandbox = stillSandbox();
    sandbox.fail({ error });
    const response = await sandbox.fetch('https://x/v2/parties', { headers: { authorization: 'Token sandbox' } });
    const text = await response.text();
    const isPage = response.headers.get('content-type')?.includes('html') === true;
    expect(isPage || text === '' ? text : JSON.parse(text)).toEqual(body);
  });

  test('an error of a rate limit says when to try again, unless it is the one that does not', async () => {
    const sandbox = stillSandbox({
      faults: [{ error: 'rate-limited' }, { error: 'rate-limited-without-retry-after' }],
    });
    const wait = async () => (await call(sandbox, 'GET', '/parties')).headers.get('retry-after');
    expect([await wait(), await wait()]).toEqual(['60', null]);
  });

  test('goes over a socket with its status, type and body', async () => {
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

describe('a request provokes', () => {
  const provoked = ROWS.flatMap(row => (row.provoke ? [{ ...row, provoke: row.provoke }] : []));
  test.each(provoked)('$name', async ({ status, error, provoke }) => {
    const answer = await provoke(stillSandbox());
    expect(answer.status).toBe(status);
    if (error) expectError(answer.body, error);
    else expect(answer.body).toContain('<!DOCTYPE html>');
  });
});
