import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionError } from '../../src/index.ts';
import { AnswerWatch } from '../../src/mcp/http/answer-watch.ts';
import { rejection } from '../../support/client.ts';
import { connected, INITIALIZED } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

/** Whether the answer to request 1 is known after each piece. */
function watched(pieces: Iterable<Uint8Array>): boolean[] {
  const watch = new AnswerWatch(1);
  return Array.from(pieces, piece => {
    watch.read(piece);
    return watch.isAnswered;
  });
}

function* bytesOf(text: string): Generator<Uint8Array> {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

// Such as JSON.stringify leaves in its text.
const text = fc.string({ unit: fc.constantFrom('a', '"', '\u2028', '\u2029', '\u0085', '\r', '\n', 'é', '😀') });

test('an answer is known with the last byte of its event, whatever it says and however its lines end', () => {
  fc.assert(
    fc.property(
      text,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('', 'event: message', 'event:', 'id: 7', ': note', 'retry: 5'),
      fc.constantFrom('data:', 'data: '),
      fc.boolean(),
      (said, end, before, field, isError) => {
        const outcome = isError ? { error: { code: 1, message: said } } : { result: { said } };
        const data = JSON.stringify({ jsonrpc: '2.0', id: 1, ...outcome });
        const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { said } });
        const event = (json: string) => [before, `${field}${json}`, '', ''].join(end);
        const known = watched(bytesOf(event(note) + event(data)));
        // Of \r\n, the first half ends the line too.
        const early = end === '\r\n' ? 2 : 1;
        expect(known.lastIndexOf(false)).toBe(known.length - 1 - early);
      },
    ),
  );
});

test('a line that is cut between \\r and \\n is one line', () => {
  const [first, second] = ['{"jsonrpc":"2.0","id":1,', '"result":{}}'];
  const known = watched(bytesOf(`data:${first}\r\ndata:${second}\r\n`));
  expect(known).not.toContain(true);
  expect(watched(bytesOf(`data:${first}\r\ndata:${second}\r\n\r\n`)).at(-1)).toBe(true);
});

test.each([
  ['of another request', 'data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n'],
  [
    'that the official client does not read: another kind of event',
    'event: x\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
  ],
  ['that the official client does not read: a result that is none', 'data: {"jsonrpc":"2.0","id":1,"result":5}\n\n'],
  ['that the official client does not read: no version', 'data: {"id":1,"result":{}}\n\n'],
  ['that is a question', 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'],
  ['whose event has not ended', 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n'],
])('an answer %s is none', (_, stream) => {
  expect(watched(bytesOf(stream))).not.toContain(true);
});

/** A connection on which every call is answered with this event, after which the stream ends. */
async function streaming(event: (id: number) => string) {
  const server = await startServer((request, response) => {
    const { id, method } = JSON.parse(request.body || '{}');
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (method !== 'initialize') return response.end(event(id));
    return response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: INITIALIZED })}\n\n`);
  });
  return connected({ mcpUrl: `${server.origin}/mcp` });
}

test.each(['\u2028', '\u2029'])('a call whose answer holds %j gets it', async separator => {
  const tool = { name: `a${separator}b`, inputSchema: { type: 'object' } };
  const mcp = await streaming(id => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [tool] } })}\n\n`);
  expect(await mcp.listTools()).toMatchObject([{ name: tool.name }]);
});

test('a call fails whose stream ends after an answer that the official client does not read', async () => {
  for (const event of [
    (id: number) => `data: {"jsonrpc":"2.0","id":${id},"result":5}\n\n`,
    (id: number) => `event: x\ndata: {"jsonrpc":"2.0","id":${id},"result":{"tools":[]}}\n\n`,
  ]) {
    const mcp = await streaming(event);
    expect(await rejection(mcp.listTools())).toBeInstanceOf(ConnectionError);
  }
});
