import { describe, expect, test } from 'vitest';
import { ConnectionError, ResponseFormatError } from '../../src/index.ts';
import { rejection } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { connected, INITIALIZED } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

describe('a response as a stream of events', () => {
  /** Responds to the opening of a session with JSON, and to everything else with the output of `stream`. */
  function streaming(stream: (message: { id: number }, response: import('node:http').ServerResponse) => unknown) {
    return startServer((request, response) => {
      if (request.method === 'GET') return response.writeHead(405).end();
      const message = JSON.parse(request.body || '{}');
      if (message.method === 'server/discover') return response.writeHead(404).end('{}');
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method !== 'initialize') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return stream(message, response);
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: INITIALIZED });
      return response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  }
  /** A `fetch` that reports the start of a stream. */
  const telling =
    (begun: () => void): typeof fetch =>
    async (...request) => {
      const response = await fetch(...request);
      if (response.headers.get('content-type') === 'text/event-stream') begun();
      return response;
    };
  const event = (message: object) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

  test('is read even if it lasts longer than the timeout of an attempt', async () => {
    const timers = holdTimers();
    const begun = gate();
    const late = gate();
    const server = await streaming(async ({ id }, response) => {
      response.write(': hold on\n\n');
      await late.opened;
      response.end(event({ id, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } }));
    });
    const options = { timeout: 10_000, retry: false, fetch: telling(begun.open) } as const;
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, options);
    const tools = mcp.listTools();
    await begun.opened;
    // After one turn of the event loop, the client has the head of the response.
    await new Promise(resolve => setTimeout(resolve));
    timers.pass(20_000);
    late.open();
    expect(await tools).toMatchObject([{ name: 'a' }]);
  });

  test('may be the response that opens the connection, and may end immediately', async () => {
    const server = await startServer((request, response) => {
      const { id, method } = JSON.parse(request.body || '{}');
      if (method === 'server/discover') return response.writeHead(404).end('{}');
      // Long enough for the earlier stream to end.
      if (id === undefined) return setTimeout(() => response.writeHead(202).end(), 40);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answer = method === 'initialize' ? INITIALIZED : { tools: [] };
      // The stream may be cut anywhere.
      for (const piece of event({ id, result: answer }).match(/.{1,7}/gs) ?? []) response.write(piece);
      return response.end();
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    expect(await mcp.listTools()).toEqual([]);
  });

  test('does not count as an open request', async () => {
    const open: (() => void)[] = [];
    const server = await streaming(({ id }, response) => {
      response.write(': hold on\n\n');
      open.push(() => response.end(event({ id, result: { tools: [] } })));
      if (open.length === 3) for (const end of open) end();
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { rateLimit: { maxInFlight: 1 } });
    expect(await Promise.all([mcp.listTools(), mcp.listTools(), mcp.listTools()])).toEqual([[], [], []]);
  });

  test('ends when the signal of the caller aborts, and at the deadline', async () => {
    const gone: Promise<void>[] = [];
    const controller = new AbortController();
    const reason = new Error('enough');
    const server = await streaming((_, response) => {
      response.write(': hold on\n\n');
      gone.push(new Promise(resolve => response.once('close', resolve)));
      controller.abort(reason);
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    expect(await rejection(mcp.listTools({ signal: controller.signal }))).toBe(reason);
    // Long enough for the request to arrive.
    expect(await rejection(mcp.listTools({ deadline: 1000 }))).toMatchObject({ code: 'deadline' });
    await Promise.all(gone);
    expect(gone).toHaveLength(2);
  });

  test('that ends or breaks off without a response makes the call fail', async () => {
    const server = await streaming((_, response) => response.end(': bye\n\n'));
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    const ended = await rejection(mcp.listTools());
    expect(ended).toBeInstanceOf(ConnectionError);
    expect(String(ended)).toContain('without a response');
    const breaking = await streaming((_, response) => {
      response.write(': oh\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const other = await connected({ mcpUrl: `${breaking.origin}/mcp` });
    expect(await rejection(other.listTools())).toBeInstanceOf(ConnectionError);
  });

  test('that is longer than maxResponseBytes without a response makes the call fail', async () => {
    const server = await streaming((_, response) => response.write(`: ${'x'.repeat(5000)}\n\n`));
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { maxResponseBytes: 1000 });
    const error = await rejection(mcp.listTools());
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(String(error)).toContain('maxResponseBytes');
  });

  test('whose response is longer than maxResponseBytes makes the call fail', async () => {
    const tools = [{ name: 'x'.repeat(5000), inputSchema: { type: 'object' } }];
    const server = await streaming(({ id }, response) => response.end(event({ id, result: { tools } })));
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { maxResponseBytes: 1000 });
    expect(String(await rejection(mcp.listTools()))).toContain('maxResponseBytes');
  });

  describe('does not stay open', () => {
    const listed = (id: number) => event({ id, result: { tools: [] } });

    test('after close() during a call', async () => {
      const begun = gate();
      const gone = gate();
      const server = await streaming((_, response) => {
        response.once('close', gone.open);
        response.write(': hold on\n\n');
      });
      const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { fetch: telling(begun.open) });
      const under = rejection(mcp.listTools());
      await begun.opened;
      await new Promise(resolve => setTimeout(resolve));
      await mcp.close();
      expect(await under).toBeInstanceOf(ConnectionError);
      await gone.opened;
    });

    test('after close(), if the server keeps the stream open after its response', async () => {
      holdTimers(1000);
      const gone = gate();
      const server = await streaming(({ id }, response) => {
        response.once('close', gone.open);
        response.write(listed(id));
      });
      const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
      expect(await mcp.listTools()).toEqual([]);
      await mcp.close();
      await gone.opened;
    });

    test('for more than a second, if the server keeps the stream open after its response', async () => {
      const timers = holdTimers(1000);
      const gone = gate();
      const server = await streaming(({ id }, response) => {
        response.once('close', gone.open);
        response.write(listed(id));
      });
      const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { timeout: 10_000 });
      expect(await mcp.listTools()).toEqual([]);
      await timers.waiting(1000);
      timers.pass(1000);
      await gone.opened;
    });

    test('if the server ends the stream soon; its connection stays open for the next call', async () => {
      let end = () => {};
      let ended = gate();
      const server = await streaming(({ id }, response) => {
        response.write(listed(id));
        end = () => response.end(': bye\n\n');
      });
      const fetchAndTell: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        const toItsEnd = new TransformStream({ flush: () => ended.open() });
        return new Response(response.body?.pipeThrough(toItsEnd), response);
      };
      const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { fetch: fetchAndTell });
      let connections = 0;
      for (let call = 0; call < 4; call += 1) {
        ended = gate();
        expect(await mcp.listTools()).toEqual([]);
        end();
        await ended.opened;
        connections ||= server.connections;
      }
      expect(server.connections).toBe(connections);
    });
  });

  test.each(['\u2028', '\u2029'])('is read even if a text contains %j', async separator => {
    const tool = { name: `a${separator}b`, inputSchema: { type: 'object' } };
    const server = await streaming(({ id }, response) => response.end(event({ id, result: { tools: [tool] } })));
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    expect(await mcp.listTools()).toMatchObject([{ name: tool.name }]);
  });

  test.each([
    ['a result that is not an object', (id: number) => `data: {"jsonrpc":"2.0","id":${id},"result":5}\n\n`],
    ['another kind of event', (id: number) => `event: x\ndata: {"jsonrpc":"2.0","id":${id},"result":{"tools":[]}}\n\n`],
  ])('that ends after %s makes the call fail', async (_, sent) => {
    const server = await streaming(({ id }, response) => response.end(sent(id)));
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    expect(await rejection(mcp.listTools())).toBeInstanceOf(ConnectionError);
  });

  test('that breaks off after an event with an id is resumed after this event', async () => {
    const resumed: unknown[] = [];
    const server = await startServer((request, response) => {
      const { id, method } = JSON.parse(request.body || '{}');
      if (request.method === 'GET' && request.headers['last-event-id'] === undefined) {
        return response.writeHead(405).end();
      }
      if (method === 'server/discover') return response.writeHead(404).end('{}');
      if (request.method === 'POST' && id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (method === 'initialize') return response.end(event({ id, result: INITIALIZED }));
      if (method === 'tools/list') return response.end(`id: e-${id}\nretry: 10\ndata: \n\n`);
      const last = String(request.headers['last-event-id']);
      resumed.push(last);
      return response.end(event({ id: Number(last.slice(2)), result: { tools: [] } }));
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` });
    expect(await mcp.listTools()).toEqual([]);
    expect(resumed).toHaveLength(1);
  });
});
