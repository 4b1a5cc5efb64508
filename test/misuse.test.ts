import { describe, expect, test } from 'vitest';
import {
  attribute,
  ConfigurationError,
  dynamicInclude,
  lastFreeDay,
  milestones,
  parseContainerNumber,
  TrackingClient,
  TrackingError,
} from '../src/index.ts';
import { createSandbox, type SandboxOptions } from '../src/sandbox/index.ts';
import { clientFor } from '../support/client.ts';
import { startServer } from '../support/server.ts';

type AnyMethod = (...args: unknown[]) => unknown;
type AnyGroup = Record<string, AnyMethod>;

/** Wrong arguments that a caller without a compiler may pass. */
const ARGUMENTS: Record<string, unknown[]> = {
  nothing: [],
  null: [null],
  'null twice': [null, null],
  'a number': [42],
  'a number twice': [42, 42],
  'a text in place of options': [undefined, 'x'],
  'an array': [[]],
};

/** Methods that can be called without arguments. */
const WITHOUT_ARGUMENTS = /\.(list|events|ips|me|types|withOptions)$/;

/** Every method of the client and of its groups. */
function methodsOf(client: TrackingClient): [name: string, method: AnyMethod][] {
  const groups: [string, object][] = [['client', client], ...Object.entries(client)];
  const isClass = ([, target]: [string, object]) => Object.getPrototypeOf(target) !== Object.prototype;
  return groups.filter(isClass).flatMap(([group, target]) => {
    const names = new Set([...Object.keys(target), ...Object.getOwnPropertyNames(Object.getPrototypeOf(target))]);
    return [...names]
      .filter(name => name !== 'constructor' && typeof (target as AnyGroup)[name] === 'function')
      .map((name): [string, AnyMethod] => [`${group}.${name}`, (...args) => (target as AnyGroup)[name]?.(...args)]);
  });
}

/** Calls a method and awaits its outcome. For a list or a generator, the outcome is the first item. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    const value = call();
    const iterator = (value as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator]?.();
    return await (iterator ? iterator.next() : value);
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(ARGUMENTS))('with %s as arguments,', (_, args) => {
  test('a method fails only with an error of this package, and a call that cannot work sends no request', async () => {
    const server = await startServer({ body: { data: [] } });
    const client = clientFor(server, { rateLimit: { maxQueue: 0 }, retry: false });
    const methods = methodsOf(client);
    expect(methods.length).toBeGreaterThan(60);
    for (const [name, method] of methods) {
      // A feed without filters waits for its first change.
      if (name === 'client.close' || (name.endsWith('.watch') && args[0] === undefined)) continue;
      const requests = server.requests.length;
      const outcome = await outcomeOf(() => method(...args));
      if (outcome instanceof Error) expect.soft(outcome, name).toBeInstanceOf(TrackingError);
      if (WITHOUT_ARGUMENTS.test(name) || (Array.isArray(args[0]) && name.endsWith('Many'))) continue;
      expect.soft(server.requests.length - requests, `requests of ${name}`).toBe(0);
      expect.soft(outcome, name).toBeInstanceOf(ConfigurationError);
    }
  });
});

describe('the constructor', () => {
  const good = { baseUrl: 'https://host.example/v2', apiKey: 'key' };
  test.each<[string, unknown, RegExp]>([
    ['null', null, /TrackingClient is null/],
    ['a text', 'https://host.example/v2', /must be an object/],
    ['a misspelt option', { ...good, timeOut: 5 }, /no timeOut; did you mean timeout\? There are: .*maxRe/],
    ['a misspelt limit', { ...good, rateLimit: { limits: { create: 5 } } }, /no create; .*createTrackingRequest/],
    ['a misspelt budget', { ...good, rateLimit: { window: 5 } }, /no window; .*windowMs/],
    ['limits of null', { ...good, rateLimit: { limits: null } }, /rateLimit.limits is null/],
    ['a limiter of null', { ...good, rateLimit: { limiter: null } }, /no method acquire/],
    ['a misspelt rule for retries', { ...good, retry: { retries: 5 } }, /no retries; .*limit/],
    ['a misspelt hook', { ...good, hooks: { onResponses() {} } }, /no onResponses; .*onResponse/],
    ['a hook that is not a function', { ...good, hooks: { onRetry: 'log' } }, /hooks.onRetry is "log"; .*a function/],
    ['hooks that are a function', { ...good, hooks() {} }, /hooks is a function/],
    ['a number of retries that is not whole', { ...good, retry: { limit: 1.5 } }, /retry.limit is 1.5; .*whole number/],
    ['a maxDelay below minDelay', { ...good, retry: { minDelay: 1000, maxDelay: 10 } }, /retry.maxDelay is 10; .*1000/],
    ['a limit that is not whole', { ...good, rateLimit: { limits: { default: 2.5 } } }, /limits.default is 2.5/],
    ['a maxInFlight that is not whole', { ...good, rateLimit: { maxInFlight: 1.5 } }, /maxInFlight is 1.5/],
    ['a maxQueue that is not whole', { ...good, rateLimit: { maxQueue: 1.5 } }, /maxQueue is 1.5/],
    ['an infinite window', { ...good, rateLimit: { windowMs: Number.POSITIVE_INFINITY } }, /windowMs is Infinity/],
    ['a window of less than 1 ms', { ...good, rateLimit: { windowMs: 0.5 } }, /windowMs is 0.5/],
    ['options in a Map', new Map(Object.entries(good)), /is a Map; it must be an object/],
  ])('refuses %s and names the fault', (_, options, message) => {
    expect(() => new TrackingClient(options as typeof good)).toThrow(message);
    expect(() => new TrackingClient(options as typeof good)).toThrow(ConfigurationError);
  });

  test('accepts infinite limits, a minDelay above the default maxDelay, and a maxDelay below the default minDelay', () => {
    const limit = Number.POSITIVE_INFINITY;
    const rateLimit = { limits: { default: limit }, maxInFlight: limit, maxQueue: limit };
    for (const retry of [{ limit, maxDelay: 10 }, { minDelay: 60_000 }]) {
      expect(new TrackingClient({ ...good, rateLimit, retry })).toBeInstanceOf(TrackingClient);
    }
  });

  test('accepts undefined as the value of any option, known or unknown', () => {
    const options = { ...good, timeout: undefined, other: undefined };
    expect(new TrackingClient(options)).toBeInstanceOf(TrackingClient);
  });
});

/** The same methods as a caller in plain JavaScript sees them: the types of the arguments are not checked. */
type Untyped<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => infer Result
    ? (...args: unknown[]) => Untyped<Result>
    : Untyped<T[K]>;
};
type AnyClient = Untyped<TrackingClient>;

const NUMBER = { number: 'MAEU123456789' };

/** Calls that cannot work, each with the error that refuses it. */
const CALLS: [call: string, run: (client: AnyClient) => unknown, message: RegExp][] = [
  ['an EventTarget as a signal', c => c.shipments.get('1', { signal: new EventTarget() }), /must be an AbortSignal/],
  ['withOptions(5)', c => c.withOptions(5), /withOptions\(\) is 5/],
  ['withOptions([])', c => c.withOptions([]), /is an array/],
  ['withOptions(true)', c => c.withOptions(true), /is true/],
  ...[5, 'a=b', [1], new Map([['a', 'b']]), new URLSearchParams('a=b')].map((query): (typeof CALLS)[number] => [
    `request with the query ${query}`,
    c => c.request({ path: '/shipments', query }),
    /query is .*; it must be an object/,
  ]),
  ...[new Uint8Array(2), new URLSearchParams('a=b'), new Map(), new Date(), new Blob(['{}'])].map(
    (body): (typeof CALLS)[number] => [
      `request with the body ${body}`,
      c => c.request({ method: 'POST', path: '/shipments', body }),
      /body is a \w+; it must be an object such as \{ data: … \}/,
    ],
  ),
  ...['params', 'data', 'timeOut'].map((name): (typeof CALLS)[number] => [
    `request with ${name}`,
    c => c.request({ path: '/shipments', [name]: {} }),
    new RegExp(`no option ${name}; (there are: method, .*timeout|did you mean timeout)`),
  ]),
  ...[Number.NaN, Number.POSITIVE_INFINITY].flatMap((value): typeof CALLS => [
    [
      `a custom field of ${value}`,
      c => c.shipments.customFields.set('1', { api_slug: 'weight', value }),
      new RegExp(`value is ${value}, which JSON cannot hold`),
    ],
    [`a body of ${value}`, c => c.request({ method: 'POST', path: '/x', body: value }), /The body is (NaN|Infinity)/],
  ]),
  [
    'a body with an invalid date',
    c => c.request({ method: 'POST', path: '/x', body: { at: [new Date(Number.NaN)] } }),
    /0 is Invalid Date, which JSON cannot hold/,
  ],
  [
    'a filter with an empty list of types',
    c => c.documents.list({ filter: { document_types: [] } }),
    /documents.list: filter.document_types is empty/,
  ],
  ['request with a text as its argument', c => c.request('/shipments'), /argument of request\(\) is "\/shipments"/],
  ['a filter by a function', c => c.containers.list({ filter: { number: () => 'x' } }), /filter.number is a function/],
  ['a filter by a symbol', c => c.shipments.list({ q: Symbol('x') }), /q is Symbol/],
  ['a filter by a Map', c => c.containers.list({ filter: { number: new Map() } }), /filter.number is a Map/],
  ['a filter that is a number', c => c.shipments.list({ filter: 5 }), /filter is 5/],
  ['a filter that is a text', c => c.shipments.list({ filter: 'x' }), /filter is "x"/],
  ['a filter that is an array', c => c.shipments.list({ filter: [1] }), /filter is an array/],
  ...['pagesize', 'page_size', 'PageSize'].map((name): (typeof CALLS)[number] => [
    name,
    c => c.shipments.list({ [name]: 5 }),
    /did you mean pageSize\?/,
  ]),
  ['withOptions({ dedline })', c => c.withOptions({ dedline: 5 }), /no dedline; did you mean deadline\?/],
  ['includes', c => c.shipments.list({ includes: [] }), /no option includes; did you mean include\?/],
  ['a short name', c => c.shipments.list({ x: 5 }), /no option x; there are: /],
  ['timeOut', c => c.shipments.get('1', { timeOut: 5 }), /no option timeOut; did you mean timeout\?/],
  ['create with a Map', c => c.parties.create(new Map([['company_name', 'x']])), /party is a Map/],
  ['update with a Date', c => c.shipments.update('1', new Date()), /shipment is a Date/],
  ['toArray(5)', c => c.shipments.list().toArray(5), /toArray\(\) is 5/],
  ['toArray limt', c => c.shipments.list().toArray({ limt: 5 }), /no limt; did you mean limit\? There are: limit/],
  ...[Number.NaN, '5', 1.5, -1].map((limit): (typeof CALLS)[number] => [
    `toArray of ${limit}`,
    c => c.shipments.list().toArray({ limit }),
    /limit is .*whole number/,
  ]),
  ...waits({ waitTimeout: Number.NaN }, /waitTimeout is NaN/),
  ...waits({ waitTimeout: -1 }, /waitTimeout is -1/),
  ...waits({ waitTimeout: '5' }, /waitTimeout is "5"/),
  ...waits({ onProgress: 5 }, /onProgress is 5/),
  ...waits({ signal: 5 }, /must be an AbortSignal/),
  ...waits({ waitTimeOut: 5 }, /no waitTimeOut; did you mean waitTimeout\?/),
  ...waits({ timeout: 5 }, /no timeout; there are: .*waitTimeout/),
  ['concurency', c => c.trackMany([NUMBER], { concurency: 5 }), /no concurency; did you mean concurrency\?/],
  ...['scac', 'type', 'ref_numbers', 'shipment_tags', 'customer'].flatMap((name): typeof CALLS => [
    [`track with ${name} of 5`, c => c.track({ number: 'MAEU123456789', [name]: 5 }), new RegExp(name)],
  ]),
  ['track with a number that is not text', c => c.track({ number: 123 }), /number is 123; it must be text/],
  ['track with no number', c => c.track({}), /number is missing/],
  ['track with a blank scac', c => c.track({ ...NUMBER, scac: '' }), /scac is blank/],
  ['track with another type', c => c.track({ ...NUMBER, type: 'bol' }), /type is "bol"; .*bill_of_lading/],
  [
    'a tracking request of another type',
    c => c.trackingRequests.create({ request_number: 'X', scac: 'MAEU', request_type: 'bol' }),
    /request_type is "bol"/,
  ],
  ['examples without an event', c => c.webhookNotifications.examples(), /event is missing/],
  ['future positions without ports', c => c.vessels.futurePositions('1'), /port_id is missing/],
  [
    'future positions from one port',
    c => c.vessels.futurePositions('1', { port_id: '2' }),
    /previous_port_id is missing/,
  ],
  [
    'future positions without coordinates',
    c => c.vessels.futurePositionsFromCoordinates('1', { port_id: '2', previous_port_id: '3' }),
    /latitude is undefined/,
  ],
  ['a party without a name', c => c.parties.create({}), /company_name is missing/],
  ['a custom field without a slug', c => c.shipments.customFields.set('1', { value: 1 }), /api_slug is missing/],
  ['a custom field without a value', c => c.shipments.customFields.set('1', { api_slug: 'x' }), /value is missing/],
  ['an update without a value', c => c.shipments.customFields.update('1', 'x'), /value is missing/],
  ['a custom field value without attributes', c => c.customFields.create({}), /api_slug is missing/],
  ['events that are not text', c => c.webhooks.create({ url: 'https://a.example', events: [5] }), /events is an array/],
];

function waits(options: object, message: RegExp): typeof CALLS {
  const name = Object.entries(options).join();
  return [
    [`track with ${name}`, c => c.track({ ...NUMBER, ...options }), message],
    [`trackMany with ${name}`, c => c.trackMany([NUMBER], options), message],
    [`waitFor with ${name}`, c => c.trackingRequests.waitFor('1', options), message],
  ];
}

test.each(CALLS)('%s is refused before a request is sent', async (_, run, message) => {
  const server = await startServer({ body: { data: [] } });
  const outcome = await outcomeOf(() => run(clientFor(server, { retry: false }) as unknown as AnyClient));
  expect(outcome).toBeInstanceOf(ConfigurationError);
  expect((outcome as Error).message).toMatch(message);
  expect(server.requests).toHaveLength(0);
});

test('null counts as a missing option', async () => {
  const server = await startServer({ body: { data: [] } });
  const client = clientFor(server, { retry: false }) as unknown as AnyClient;
  const lists = [client.shipments.list({ filter: null, pagesize: undefined }), client.shipments.list(null)];
  for (const list of lists) {
    for (const options of [null, { limit: null }]) expect(await outcomeOf(() => list.toArray(options))).toEqual([]);
  }
});

test('a collection of numbers or files must be an iterable', async () => {
  const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key' });
  for (const items of [undefined, 'MAEU123456789', { number: 'MAEU123456789' }]) {
    const expected = /must be an array or another iterable/;
    await expect(client.trackMany(items as never).next()).rejects.toThrow(expected);
    await expect(client.documents.uploadMany(items as never).next()).rejects.toThrow(expected);
  }
});

test('a value that is not an item fails alone, and the other items succeed', async () => {
  const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key' });
  for await (const result of client.trackMany([null, {}] as never)) {
    expect(result).toMatchObject({ ok: false, error: expect.any(ConfigurationError) });
  }
});

describe('createSandbox', () => {
  test.each<[string, unknown, RegExp]>([
    ['null', null, /is null/],
    ['a misspelt option', { sed: 7 }, /no sed; did you mean seed\?/],
    ['a seed of text', { seed: 'x' }, /seed is x/],
    ['a speed below zero', { speed: -1 }, /speed is -1/],
    ['one key in place of several', { apiKeys: 'sandbox' }, /apiKeys/],
    ['a time that is not a date', { now: 'soon' }, /now is not a date/],
    ['a clock that is not a function', { monotonic: 5 }, /monotonic is 5/],
    ['no keys', { apiKeys: [] }, /apiKeys/],
    ['a latency of text', { latency: 'soon' }, /latency is "soon"/],
    ['a latency that ends before it begins', { latency: [5, 1] }, /latency is 1; .*at least 5/],
    ['the value true as a rate limit', { rateLimit: true }, /rateLimit is true/],
    ['a misspelt budget', { rateLimit: { window: 5 } }, /no window; .*windowMs/],
    ['a misspelt limit', { rateLimit: { limits: { create: 5 } } }, /no create; .*createTrackingRequest/],
    ['a limit of text', { rateLimit: { limits: { default: '5' } } }, /limits.default is "5"/],
    ['one fault in place of several', { faults: { status: 500 } }, /faults is an object; .*array/],
    ['a misspelt fault', { faults: [{ statuss: 500 }] }, /no statuss; .*status/],
    ['a misspelt feature', { features: { route: false } }, /no route; .*routing/],
    ['a feature of text', { features: { routing: 'no' } }, /features.routing is "no"/],
    ['a misspelt delivery', { webhooks: { retryGap: 5 } }, /no retryGap; .*retryGapMs/],
    ['a rate above 1', { webhooks: { duplicateRate: 2 } }, /duplicateRate is 2/],
  ])('refuses %s and names the fault', (_, options, message) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(message);
  });

  test('advances only by a duration, and only forward', () => {
    const sandbox = createSandbox();
    for (const duration of [undefined, 5, { days: 'x' }, { days: -1 }, { day: 3 }]) {
      expect(() => sandbox.advance(duration as never)).toThrow(ConfigurationError);
    }
  });
});

test('the sandbox refuses calls that cannot work', async () => {
  const sandbox = createSandbox();
  for (const fault of [undefined, { statuss: 500 }, { status: 'x' }, { times: -1 }, { match: { url: '/' } }]) {
    expect(() => sandbox.fail(fault as never)).toThrow(ConfigurationError);
  }
  for (const [count, options] of [
    [-1],
    ['5'],
    [1, { phase: 'lost' }],
    [1, { container: 1 }],
    [1, { containers: -1 }],
  ]) {
    expect(() => sandbox.seedShipments(count as never, options as never)).toThrow(ConfigurationError);
    expect(() => sandbox.seedContainers((count === 1 ? -1 : count) as never)).toThrow(ConfigurationError);
  }
  for (const options of [{ port: -1 }, { port: 'x' }, { ports: 80 }, 80]) {
    await expect(sandbox.listen(options as never)).rejects.toThrow(ConfigurationError);
  }
});

test('dynamicInclude accepts only an array of paths', () => {
  for (const paths of [undefined, null, 5, 'x', [5], ['']]) {
    expect(() => dynamicInclude(paths as never)).toThrow(ConfigurationError);
  }
});

test('a missing item is not a milestone, and a missing record has no attribute', () => {
  for (const missing of [undefined, null] as never[]) {
    expect(milestones([missing])).toEqual([]);
    expect(attribute(missing, 'x')).toBeUndefined();
  }
});

test('lastFreeDay accepts only a valid Date', () => {
  expect(lastFreeDay({}, null as never)).toBeNull();
  for (const options of [5, { now: 5 }, { now: 'x' }, { now: new Date(Number.NaN) }, { nwo: new Date() }]) {
    expect(() => lastFreeDay({}, options as never)).toThrow(ConfigurationError);
  }
});

test('parseContainerNumber accepts any value', () => {
  for (const text of [undefined, null, 42, {}]) {
    expect(parseContainerNumber(text as unknown as string)).toEqual({ valid: false, reason: 'format', number: '' });
  }
});
