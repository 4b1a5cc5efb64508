import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type Fetch, type Logger, TrackingError } from '../src/index.ts';
import { clientFor, rejection } from '../support/client.ts';
import { type Answer, type Handler, serve } from '../support/server.ts';

/**
 * Characters that set the title of a terminal, clear it, reverse the text direction, and begin a line that looks like a
 * line of this program.
 */
const HOSTILE = 'no\u001b]0;title\u0007\u009b2J\u202e\r\nERROR: forged';
const OBEYED = /[^\P{Cc}\n]|\u202e/u;

/** Checks the text that a console prints for an error: messages and stacks. */
function expectHarmless(error: unknown): void {
  expect(error).toBeInstanceOf(TrackingError);
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    expect(inner.message).not.toMatch(/\p{Cc}|\u202e/u);
    expect(inner.stack).not.toMatch(OBEYED);
  }
  expect(inspect(error)).not.toMatch(/[^\P{Cc}\n]/u);
}

/** Other control characters are not possible in a header. */
const inHeader = 'no\u009b2J';

test.each<[string, Answer | Handler]>([
  ['the text of an error', { status: 422, body: { errors: [{ title: HOSTILE, detail: HOSTILE }] } }],
  ['the source of an error', { status: 422, body: { errors: [{ title: 'no', source: { pointer: HOSTILE } }] } }],
  ['a message', { status: 500, body: { message: HOSTILE } }],
  ['a page', { status: 502, body: `<title>${HOSTILE}</title>` }],
  ['a text', { status: 502, body: HOSTILE }],
  ['a content type', { headers: { 'content-type': `text/${inHeader}` }, body: 'x' }],
  ['a redirect', { status: 302, headers: { location: `https://a.example/${inHeader}` } }],
])('control characters that the service sends in %s appear in no message', async (_, answer) => {
  const server = await serve(answer);
  expectHarmless(await rejection(clientFor(server, { retry: false }).parties.get('1')));
});

test('control characters in the error of a fetch appear in no message and in no stack', async () => {
  const fetch: Fetch = async () => {
    throw Object.assign(new TypeError(HOSTILE, { cause: new Error(HOSTILE) }), { code: HOSTILE });
  };
  expectHarmless(
    await rejection(clientFor({ baseUrl: 'https://a.example/v2' }, { fetch, retry: false }).ports.get('1')),
  );
});

test('control characters that the storage sends appear in no message', async () => {
  const storage = await serve({ status: 403, body: `<Error><Code>${HOSTILE}</Code></Error>` });
  const service = await serve({ body: { download_url: `${storage.origin}/a` } });
  expectHarmless(await rejection(clientFor(service).documents.download('1')));
});

test('control characters that the service sends appear in no line of the log', async () => {
  const lines: string[] = [];
  const keep = (message: string) => void lines.push(message);
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const data = { type: `party${HOSTILE}`, id: '1', attributes: { [HOSTILE]: 1 } };
  const server = await serve({ status: 503, body: HOSTILE }, { body: { data } });
  await clientFor(server, { logger }).parties.get('1');
  await expect.poll(() => lines.join()).toContain('party');
  for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\u202e/u);
});
