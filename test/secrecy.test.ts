import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ClientOptions, createTransport, type Hooks, type Logger } from '../src/index.ts';
import { clientFor, KEY, rejection, withRequest } from '../support/client.ts';
import { type Answer, type Handler, serve, startServer } from '../support/server.ts';

const ECHO = `Token ${KEY}`;

/** Everything that a program could print about a value. */
function printed(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, maxStringLength: null }), String(value)];
  parts.push(JSON.stringify(value) ?? '');
  if (value instanceof Error) parts.push(value.stack ?? '', value.message, printed(value.cause));
  return parts.join('\n');
}

/** Records every hook payload and log line, to search them for the key. */
function watch() {
  const seen: unknown[] = [];
  const keep = (...what: unknown[]) => {
    seen.push(what);
  };
  const names = ['onRequest', 'onResponse', 'onRetry', 'onRateLimited', 'onSchemaMismatch'] as const;
  const hooks: Hooks = Object.fromEntries(names.map(name => [name, keep]));
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  return { seen, options: { hooks, logger, retry: { limit: 1, minDelay: 0 } } satisfies ClientOptions };
}

/** The printed error of a call, with everything that hooks and logger received. */
async function failure(server: { baseUrl: string }, options: ClientOptions = {}): Promise<string> {
  const { seen, options: watching } = watch();
  const client = clientFor(server, { ...watching, ...options });
  const error = await rejection(client.parties.get('1'));
  expect(seen).not.toHaveLength(0);
  return `${printed(error)}\n${printed(seen)}`;
}

test.each(['fetch', 'body'])('none of 32 simultaneous attempts shows its token when its %s fails', async where => {
  const { seen, options } = watch();
  let count = 0;
  let sent = 0;
  let go = () => {};
  const allSent = new Promise<void>(resolve => {
    go = resolve;
  });
  const client = clientFor(
    { baseUrl: 'http://127.0.0.1:9/v2' },
    {
      ...options,
      accessToken: async () => `t0ken-${String(++count).padStart(3, '0')}-never-printed`,
      fetch: async (_, init) => {
        const failed = new Error(`failed: ${new Headers(init?.headers).get('authorization')}`);
        sent += 1;
        if (sent === 32) go();
        if (where === 'fetch') await allSent.then(() => Promise.reject(failed));
        return new Response(new ReadableStream({ pull: controller => allSent.then(() => controller.error(failed)) }), {
          headers: { 'content-type': 'application/vnd.api+json' },
        });
      },
    },
  );
  const errors = await Promise.all(Array.from({ length: 32 }, () => rejection(client.parties.get('1'))));
  for (const error of errors) expect(error).toMatchObject({ name: 'ConnectionError' });
  expect(seen).not.toHaveLength(0);
  expect(printed([errors.map(printed), seen]).match(/t0ken-\d+/g)).toBeNull();
});

test('the function for printing in these tests finds hidden properties', () => {
  const cause = Object.defineProperty(new Error('inner'), 'hidden', { value: { deep: [KEY] }, enumerable: false });
  expect(printed(new Error('outer', { cause }))).toContain(KEY);
});

test('the printed text of a client, of a running call and of its result has no credential', async () => {
  const server = await serve({ body: { data: [] } });
  for (const options of [{}, { accessToken: KEY }, { accessToken: () => KEY }]) {
    const client = clientFor(server, options);
    const list = client.parties.list();
    const page = await list;
    const call = client.parties.list().withResponse();
    const result = await call;
    const transport = createTransport({ baseUrl: server.baseUrl, apiKey: KEY });
    for (const value of [client, list, page, call, result, transport]) expect(printed(value)).not.toContain(KEY);
  }
});

describe('no credential is printed if a service repeats the Authorization header', () => {
  const everywhere = { 'x-echo': ECHO, 'x-request-id': ECHO, [`x-${KEY}`]: '1', 'set-cookie': [`a=${KEY}`, 'b=1'] };
  const escaped = [...KEY].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  test.each<[string, Answer | Handler]>([
    ['in headers', { status: 500, headers: everywhere }],
    ['in the reason phrase', { status: 500, statusText: ECHO }],
    ['in the text of an error', { status: 422, body: { errors: [{ title: ECHO, detail: ECHO, code: KEY }] } }],
    [
      'in the source of an error',
      { status: 422, body: { errors: [{ source: { pointer: KEY, parameter: KEY }, status: KEY }] } },
    ],
    [
      'in the keys and values of the meta of an error',
      { status: 409, body: { errors: [{ meta: { existing_document_id: KEY, [KEY]: 1 } }] } },
    ],
    [
      'in other members of the body',
      { status: 403, body: { error: ECHO, message: ECHO, request: { headers: [ECHO] } } },
    ],
    ['written in escapes', { status: 422, body: `{"errors":[{"title":"${escaped}"}]}` }],
    ['in a page', { status: 502, body: `<html><title>${ECHO}</title><p>${KEY}` }],
    ['in a list', { status: 400, body: [ECHO] }],
    ['in the host of a redirect', { status: 302, headers: { location: `https://${KEY}.example/` } }],
    [
      'in the rest of a redirect',
      { status: 307, headers: { location: `https://me:${KEY}@other.example/${KEY}?${KEY}` } },
    ],
    ['in a 429', { status: 429, headers: { ...everywhere, 'retry-after': '0.001' }, body: ECHO }],
    ['in a page that quotes it', { status: 502, body: `<script>x = "Token ${KEY.replaceAll('-', '\\u002d')}"` }],
    ['in the content type', { headers: { 'content-type': `text/${KEY}` }, body: 'x' }],
    ['in a body that is cut off', { headers: everywhere, body: `{"data":"${ECHO}` }],
    [
      'in a body that breaks off',
      (_, response) => void response.writeHead(200, everywhere).write(ECHO, () => response.destroy()),
    ],
  ])('%s', async (_, answer) => {
    const server = await serve(answer);
    const output = await failure(server);
    expect(output.toLowerCase()).not.toContain(KEY.toLowerCase());
    expect(server.requests[0]?.headers.authorization).toBe(ECHO);
  });

  test.each(['strict', 'warn'] as const)(
    'in a value that does not fit the schema, with validation %s',
    async validation => {
      const data = { type: KEY, id: '1', attributes: { [KEY]: KEY }, relationships: { [KEY]: { data: KEY } } };
      const server = await serve({
        body: { data, included: [{ type: 'party', id: KEY, attributes: { company_name: 5 } }] },
      });
      const { seen, options } = watch();
      const error = await clientFor(server, { ...options, validation })
        .parties.get('1')
        .catch(error => error);
      if (validation === 'strict') expect(printed(error)).not.toContain(KEY);
      expect(seen.length).toBeGreaterThan(2);
      expect(printed(seen)).not.toContain(KEY);
    },
  );

  test('in the address of a page on another host', async () => {
    const next = `https://other.example/${KEY}/containers?page[number]=2`;
    const server = await serve({ body: { data: [{ type: 'party', id: '1' }], links: { next } } });
    const { seen, options } = watch();
    await clientFor(server, { ...options, validation: 'off' }).parties.list();
    expect(printed(seen)).toContain('other.example');
    expect(printed(seen)).not.toContain(KEY);
  });

  test('as a number, if the key has only digits', async () => {
    const server = await serve({
      status: 422,
      body: { errors: [{ title: 9081726354, meta: { key: 9081726354, n: 5 } }] },
    });
    const error = await rejection(clientFor(server, { apiKey: '9081726354' }).parties.get('1'));
    expect(printed(error)).not.toContain('9081726354');
    expect(error).toMatchObject({ errors: [{ title: '[credential]', meta: { key: '[credential]', n: 5 } }] });
  });

  test('with the current or the previous token of a token function', async () => {
    let count = 0;
    const accessToken = () => {
      count += 1;
      return `${KEY}${count}`;
    };
    const server = await serve((request, response) => {
      const body = { errors: [{ title: `${request.headers.authorization} after ${KEY}${count - 1}` }] };
      response.writeHead(401).end(JSON.stringify(body));
    });
    expect(await failure(server, { accessToken })).not.toContain(KEY);
    expect(count).toBe(2);
  });
});

describe('no credential is printed after', () => {
  test('a fetch that throws an error that contains the request', async () => {
    const fetch = withRequest(async request => {
      const headers = Object.fromEntries(request.headers);
      expect(headers.authorization).toBe(ECHO);
      const cause = Object.assign(new Error(`sent ${ECHO}`), { headers, code: ECHO });
      cause.name = KEY;
      throw Object.assign(new TypeError('fetch failed', { cause }), { request, headers, config: { headers } });
    });
    expect(await failure({ baseUrl: 'https://host.example/v2' }, { fetch })).not.toContain(KEY);
  });

  test.each<[string, unknown]>([
    ['a text', ECHO],
    ['an object', { request: { headers: { authorization: ECHO } } }],
    ['an object without a prototype', Object.assign(Object.create(null), { key: KEY })],
    ['several errors', new AggregateError([new Error(ECHO), ECHO], ECHO, { cause: ECHO })],
    ['undefined', undefined],
  ])('a fetch that throws %s', async (_, thrown) => {
    const fetch = async () => {
      throw thrown;
    };
    const output = await failure({ baseUrl: 'https://host.example/v2' }, { fetch });
    expect(output).not.toContain(KEY);
    expect(output).toContain('ConnectionError');
  });

  test('errors that contain each other', async () => {
    const outer = new AggregateError([], 'outer');
    outer.errors.push(outer);
    outer.cause = outer;
    const fetch = async () => {
      throw outer;
    };
    expect(await failure({ baseUrl: 'https://host.example/v2' }, { fetch })).toContain('ConnectionError');
  });

  test('a token function that fails with an error that contains the previous token', async () => {
    const server = await serve({ status: 401 });
    let count = 0;
    const accessToken = () => {
      count += 1;
      if (count === 1) return KEY;
      throw Object.assign(new Error(`could not refresh ${KEY}`), { config: { headers: { authorization: ECHO } } });
    };
    const output = await failure(server, { accessToken });
    expect(output).toContain('could not refresh [credential]');
    expect(output).not.toContain(KEY);
  });

  test('a refused connection', async () => {
    const server = await startServer();
    await server.close();
    const output = await failure(server);
    expect(output).toContain('ECONNREFUSED');
    expect(output).not.toContain(KEY);
  });
});

test('a short key is masked if it is a separate word, and other words stay unchanged', async () => {
  const server = await serve({ status: 422, body: { errors: [{ title: "Token k: can't be blank", detail: 'k' }] } });
  const error = await rejection(clientFor(server, { apiKey: 'k' }).parties.get('1'));
  expect(error).toMatchObject({ errors: [{ title: "Token [credential]: can't be blank", detail: '[credential]' }] });
});

describe('a credential that comes back in another spelling is masked', () => {
  const odd = 'k&y<8"9\'+/=abc';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const spellings: [string, string, string][] = [
    ['percent-encoded', odd, encodeURIComponent(odd)],
    ['percent-encoded twice', odd, encodeURIComponent(encodeURIComponent(odd))],
    [
      'in HTML, by name',
      odd,
      odd.replace(/[&<"']/g, c => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;', "'": '&apos;' })[c] ?? c),
    ],
    ['in HTML, by number', odd, odd.replace(/[&<"'/]/g, c => `&#${c.charCodeAt(0)};`)],
    [
      'in HTML, by hexadecimal number',
      odd,
      odd.replace(/[&<"'/]/g, c => `&#x${c.charCodeAt(0).toString(16).toUpperCase()};`),
    ],
    ['in JSON, by number', odd, odd.replace(/[&<>'+/]/g, c => `\\u00${c.charCodeAt(0).toString(16)}`)],
    ['in a text in JSON', odd, odd.replace(/["/]/g, '\\$&')],
    ['in base64', KEY, base64(KEY)],
    ['in base64, after one more byte', KEY, base64(`:${KEY}`)],
    ['in base64, in the middle', KEY, base64(`ab${KEY}: and more`)],
    ['in base64 for addresses', '~~~???>>>k3y', Buffer.from('~~~???>>>k3y').toString('base64url')],
  ];

  test.each(spellings)('%s', async (_, apiKey, echo) => {
    const server = await serve({ status: 422, body: { errors: [{ title: 'No', detail: `sent: ${echo}.` }] } });
    const error = await rejection(clientFor(server, { apiKey }).parties.get('1'));
    const { detail } = (error as { errors: { detail: string }[] }).errors[0] as { detail: string };
    // In a base64 text, the text beside the credential may stay.
    const own = echo.length > 24 ? echo.slice(8, -8) : echo;
    expect(detail).toContain('[credential]');
    expect(detail).not.toContain(own);
  });
});

test('each of many simultaneous attempts masks its own token in any text that the service repeats', async () => {
  let count = 0;
  const server = await serve((request, response) => {
    setTimeout(
      () => response.writeHead(422).end(JSON.stringify({ errors: [{ title: request.headers.authorization }] })),
      20,
    );
  });
  const accessToken = () => {
    count += 1;
    return `token-${count}-${'x'.repeat(20)}-${count}`;
  };
  const client = clientFor(server, { accessToken });
  const errors = await Promise.all(Array.from({ length: 32 }, () => rejection(client.parties.get('1'))));
  expect(count).toBe(32);
  for (const error of errors) expect(printed(error)).not.toMatch(/token-\d/);
});
