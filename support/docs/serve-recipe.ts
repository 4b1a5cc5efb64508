/**
 * A server that calls the handlers of a recipe as their framework does, because the framework is not installed.
 *
 *   node serve-recipe.ts nextjs|remix|lambda FILE…
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { queue } from './given/lambda.ts';

// biome-ignore lint/suspicious/noExplicitAny: each recipe exports other handlers
type Module = Record<string, any>;
type Answer = (request: Request, id: string | undefined) => Promise<Response>;

const [, , framework = '', ...files] = process.argv;
// Next.js sets this variable too.
process.env.NEXT_RUNTIME = 'nodejs';
const modules = await Promise.all(files.map((file): Promise<Module> => import(pathToFileURL(file).href)));
// The first file of the recipe for Next.js creates the client, and the other files import this client.
const [show = {}, receive = {}, third] = framework === 'nextjs' ? modules.slice(1) : modules;

const FRAMEWORKS: Record<string, Answer> = {
  nextjs: (request, id) =>
    id === undefined ? receive.POST(request) : show.GET(request, { params: Promise.resolve({ id }) }),
  remix: (request, id) =>
    id === undefined ? receive.action({ request, params: {} }) : show.loader({ request, params: { id } }),
  async lambda(request, id) {
    const event = {
      headers: Object.fromEntries(request.headers),
      body: Buffer.from(await request.arrayBuffer()).toString('base64'),
      isBase64Encoded: true,
      requestContext: { http: { method: request.method } },
      ...(id !== undefined && { pathParameters: { id } }),
    };
    const { statusCode, headers, body } = await (id === undefined ? receive : show).handler(event);
    await third?.handler({ Records: queue.splice(0) });
    return new Response(body, { status: statusCode, headers });
  },
};

const answer = FRAMEWORKS[framework] as Answer;
const server = createServer(async (incoming, outgoing) => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  // Without this, an idle connection would delay the end of the server.
  outgoing.setHeader('connection', 'close');
  const url = new URL(incoming.url ?? '', 'http://localhost');
  const body = Buffer.concat(await incoming.toArray());
  const request = new Request(url, {
    method: incoming.method ?? '',
    headers: incoming.headers as Record<string, string>,
    body: body.length > 0 ? body : null,
    signal: gone.signal,
  });
  try {
    const id = /^\/shipments\/(.+)$/.exec(url.pathname)?.[1];
    const response = await answer(request, id);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  } catch (error) {
    // After a caller has disconnected, Next.js logs the error of the handler, but React Router does not.
    if (framework === 'nextjs' || error !== gone.signal.reason) console.error(error);
    outgoing.writeHead(500).end();
  }
});
// This server waits for its requests and for nothing else, as Next.js does.
process.on('SIGTERM', () => server.close(() => process.exit(143)));
await third?.register?.();
server.listen(Number(process.env.PORT));
