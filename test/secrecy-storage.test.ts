import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientOptions, Fetch, Hooks, Logger } from '../src/index.ts';
import { createTelemetry } from '../src/otel/index.ts';
import { clientFor, rejection } from '../support/client.ts';
import { type ReceivedRequest, serve } from '../support/server.ts';

const HOOKS = [
  'onRequest',
  'onResponse',
  'onRetry',
  'onRateLimited',
  'onSchemaMismatch',
  'onQueued',
  'onSettled',
] as const satisfies (keyof Hooks)[];

/** Everything that a program could print about a value. */
function printed(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })];
  parts.push(String(value), JSON.stringify(value) ?? '');
  if (value instanceof Error) parts.push(value.stack ?? '', printed(value.cause));
  return parts.join('\n');
}

/** A client that records everything that hooks, channels, logger and spans receive, as printed text. */
function watched(server: { baseUrl: string }, fetch?: Fetch) {
  const seen: string[] = [];
  const keep = (...what: unknown[]) => void seen.push(...what.map(printed));
  const own: Hooks = Object.fromEntries(HOOKS.map(name => [name, keep]));
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  for (const name of HOOKS) subscribe(`container-tracking-sdk:${name}`, keep);
  const options: ClientOptions = { logger, retry: { limit: 1, minDelay: 0 } };
  const hooks = createTelemetry({ tracerProvider }).hooks(own);
  const { documents } = clientFor(server, { ...options, hooks, ...(fetch && { fetch }) });
  async function all(): Promise<string> {
    for (const name of HOOKS) unsubscribe(`container-tracking-sdk:${name}`, keep);
    await tracerProvider.forceFlush();
    const spans = exporter.getFinishedSpans().map(span => printed([span.name, span.attributes, span.status]));
    return [...seen, ...spans].join('\n');
  }
  return { documents, all };
}

/** The stages in which a call fails. `slot` and `address` request an address, and the later stages use this address. */
const STAGES = ['slot', 'put', 'create', 'address', 'headers', 'body'] as const;
type Stage = (typeof STAGES)[number];

const KINDS = ['a refusal', 'a redirect', 'a fetch that throws', 'a body that breaks'] as const;
type Kind = (typeof KINDS)[number];

/** Texts of a server or a `fetch` that contain an address, in many spellings. */
function repetitions(address: string): string[] {
  const { pathname, search, searchParams } = new URL(address);
  const values = [...searchParams.values()];
  const parts = [...pathname.split('/'), ...values].filter(part => part.length >= 6);
  const plain = [address, address.toUpperCase(), pathname + search, pathname, search, ...parts];
  const cut = parts.map(part => part.slice(Math.floor(part.length / 3)));
  const decoded = plain.map(text => text.replace(/(?:%[0-7][0-9a-f])+/gi, decodeURIComponent));
  const texts = [...plain, ...cut, ...decoded];
  const [html, base64] = [texts.map(inHtml), texts.map(text => Buffer.from(text).toString('base64'))];
  return [...texts, ...texts.map(encodeURIComponent), ...html, ...base64];
}

function inHtml(text: string): string {
  return text.replace(/[&<>"'/=]/g, character => `&#x${character.charCodeAt(0).toString(16)};`);
}

/** Before an address is known, only a complete address can be recognised. */
function wholeRepetitions(address: string): string[] {
  return [address, encodeURIComponent(address), inHtml(address)];
}

/** The parts of an address that a text contains, 6 characters each. */
function leaksOf(address: string, text: string): string[] {
  const { pathname, search, searchParams } = new URL(address);
  const values = search.split(/[?&]/).map(parameter => parameter.replace(/^[^=]*=/, ''));
  const secrets = [pathname, ...searchParams.values(), ...values];
  const lower = text.toLowerCase();
  const windows = secrets.flatMap(secret =>
    [secret, Buffer.from(secret).toString('base64').slice(4, -4)].flatMap(spelling =>
      Array.from({ length: Math.max(0, spelling.length - 5) }, (_, at) => spelling.slice(at, at + 6).toLowerCase()),
    ),
  );
  return windows.filter(window => new Set(window).size > 2 && lower.includes(window));
}

/** The service and its storage, whose behaviour each case sets. */
async function startWorld() {
  let failing: ((response: ServerResponse) => unknown) | undefined;
  let failsAt: Stage | undefined;
  let address = '';
  const server = await serve((request, response) => {
    const stage = stageOf(request);
    if (stage === failsAt) return void failing?.(response);
    const answers: Partial<Record<Stage, object>> = {
      slot: { signed_id: 'si', direct_upload: { url: address, headers: { 'x-own': '1' } } },
      address: { download_url: address },
      create: { data: { type: 'document', id: '1', attributes: {} } },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[stage] ?? {}));
  });

  function stageOf({ method, url }: Pick<ReceivedRequest, 'method' | 'url'>): Stage {
    if (url.endsWith('/v2/rails/active_storage/direct_uploads')) return 'slot';
    if (url.endsWith('/v2/documents/1/download_url')) return 'address';
    if (url.endsWith('/v2/documents') && method === 'POST') return 'create';
    return method === 'PUT' ? 'put' : 'headers';
  }

  return {
    origin: server.origin,
    /** Makes a call fail in a stage, and returns all printed output of the call. */
    async failure(stage: Stage, kind: Kind, url: string, says: readonly string[]): Promise<string> {
      address = url;
      failsAt = stage;
      let reached = 0;
      const said = says.join(' ; ');
      const header = said.replace(/[^\x20-\x7e]/g, '?').slice(0, 4000);
      failing = response => {
        reached += 1;
        const headers = { location: url, 'x-request-id': header };
        if (kind === 'a redirect') return void response.writeHead(307, headers).end(said);
        const body = JSON.stringify({ errors: [{ title: said, detail: said, code: header, meta: { [said]: said } }] });
        const xml = `<Error><Code>${says[0]}</Code><Message>${said}</Message><Key>${said}</Key></Error>`;
        response.writeHead(422, { 'x-request-id': header }).end(stage === 'put' || stage === 'headers' ? xml : body);
      };
      const fetch: Fetch = async (input, init) => {
        const { method, url: target } = input instanceof Request ? input : new Request(input, { ...init, body: null });
        const isHere = stageOf({ method, url: target }) === (stage === 'body' ? 'headers' : stage);
        if (!isHere) return globalThis.fetch(input, init);
        reached += 1;
        const cause = Object.assign(new Error(`could not get ${said}`), { code: said, input: said });
        const error = Object.assign(new TypeError(said, { cause }), { request: { url: said }, url: said });
        if (kind === 'a fetch that throws' && stage !== 'body') throw error;
        const body = new ReadableStream({ pull: controller => controller.error(error) }, { highWaterMark: 0 });
        return new Response(body, { status: stage === 'put' ? 500 : 200, headers: { 'x-request-id': header } });
      };
      const { documents, all } = watched(server, /throws|breaks/.test(kind) || stage === 'body' ? fetch : undefined);
      const run = async () => {
        if (stage === 'slot' || stage === 'put' || stage === 'create') {
          return documents.upload({ file: new Uint8Array(9), filename: 'a.pdf' });
        }
        return new Response(await documents.download('1')).text();
      };
      const error: unknown = await run().then(
        () => undefined,
        error => error,
      );
      expect(error).toBeInstanceOf(Error);
      expect(reached).toBeGreaterThan(0);
      return `${printed(error)}\n${await all()}`;
    },
  };
}

const knows = (stage: Stage) => stage !== 'slot' && stage !== 'address';

const PLACES: readonly [string, (origin: string) => string][] = [
  ['the path', origin => `${origin}/bucket-9f2c/Zq81xWv7Kp3TnLr5/a.pdf`],
  ['the path, short', origin => `${origin}/b/Zq81xW`],
  ['the query', origin => `${origin}/b?X-Amz-Signature=9f2c7be01d55aa83c1&X-Amz-Date=20260309T081420Z`],
  ['the query, short', origin => `${origin}/b?sig=Zq81xWv7`],
  ['the query, encoded', origin => `${origin}/b?sig=Zq8%2F1xWv%2B7Kp%3D&again=Zq8/1xWv+9Kp=`],
  ['the query, without a name', origin => `${origin}/b?Zq81xWv7Kp3`],
];

const CASES = STAGES.flatMap(stage => KINDS.flatMap(kind => PLACES.map(([place, at]) => ({ stage, kind, place, at }))));

test.each(CASES)(
  'no part of a signed address with its token in $place is printed after $kind in the stage $stage',
  async one => {
    const { stage, kind, at } = one;
    const world = await startWorld();
    const address = at(world.origin);
    const says = knows(stage) ? repetitions(address) : wholeRepetitions(address);
    const output = await world.failure(stage, kind, address, says);
    expect(leaksOf(address, output)).toEqual([]);
  },
);

const characters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~'];
const escapes = ['%2F', '%2B', '%3D', '%20', '%C3%BC', '%25', '%26', '+', '!', "'", '(', ';', ':', '@', '$', ','];
const piece = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...characters) },
  { weight: 1, arbitrary: fc.constantFrom(...escapes) },
);
const token = fc.array(piece, { minLength: 6, maxLength: 80 }).map(pieces => pieces.join(''));
const address = fc.record({
  segments: fc.array(token, { maxLength: 4 }),
  query: fc.array(fc.tuple(fc.constantFrom('sig', 'X-Amz-Signature', 'token', ''), token), { maxLength: 4 }),
});

test('no part of a signed address of any form is printed, in any stage in which an upload or a download fails', async () => {
  const world = await startWorld();
  const failures = fc.record({
    address,
    stage: fc.constantFrom(...STAGES),
    kind: fc.constantFrom(...KINDS),
    which: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(failures, async ({ address: { segments, query }, stage, kind, which }) => {
      const parameters = query.map(([name, value]) => (name === '' ? value : `${name}=${value}`)).join('&');
      const url = new URL(`${world.origin}/b/${segments.join('/')}?${parameters}`).href;
      const says = knows(stage) ? repetitions(url) : wholeRepetitions(url);
      // The server sends all texts together, or one of them alone.
      const said = which % 2 === 0 ? says : [says[which % says.length] as string];
      expect(leaksOf(url, await world.failure(stage, kind, url, said))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('an error about the storage names the method, the host, and the message of the storage', async () => {
  const world = await startWorld();
  const { host } = new URL(world.origin);
  const url = `${world.origin}/b/key?X-Amz-Signature=9f2c7be01d55aa83c1&X-Amz-SignedHeaders=host`;
  const said = 'Request has expired';
  const upload = await world.failure('put', 'a refusal', url, [said]);
  expect(upload).toContain(`The file could not be sent: PUT (storage at ${host}): 422 ${said}: ${said}`);
  const download = await world.failure('headers', 'a fetch that throws', url, ['the proxy says no']);
  expect(download).toContain(`GET (storage at ${host}): no response: the proxy says no`);
});

test('an error of the storage in XML keeps only its code and its message', async () => {
  const hex = '2f 62 2f 6b 65 79';
  const body = `<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>The signature is not the same.</Message>
    <StringToSignBytes>${hex}</StringToSignBytes></Error>`;
  const storage = await serve({ status: 403, body });
  const service = await serve({ body: { download_url: `${storage.origin}/b/key?X-Amz-Signature=9f2c7be01d55` } });
  const error = await rejection(clientFor(service).documents.download('1'));
  expect(error).toMatchObject({
    status: 403,
    errors: [{ title: 'SignatureDoesNotMatch: The signature is not the same.' }],
  });
  expect(printed(error)).not.toContain(hex);
});

test('the target of a redirect of a download is as secret as the first address', async () => {
  const path = '/other-9f2c/Zq81xWv7Kp3';
  const storage = await serve({ status: 307, headers: { location: path } }, (request, response) =>
    response.writeHead(403).end(`no ${request.url}`),
  );
  const service = await serve({ body: { download_url: `${storage.origin}/b?sig=Zq81xWv7` } });
  const error = await rejection(clientFor(service).documents.download('1'));
  expect(error).toMatchObject({ status: 403 });
  expect(leaksOf(storage.origin + path, printed(error))).toEqual([]);
});
