import type { Acceptor } from './accept.ts';
import { type NodeRequest, nodeDelivery } from './node.ts';

/** The part of a Fastify instance that is used. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(contentType: string, options: { bodyLimit?: number }, parser: () => Promise<void>): unknown;
  all(url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): unknown;
}

interface FastifyRequest {
  raw: NodeRequest;
  body?: unknown;
  rawBody?: unknown;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: string): unknown;
}

export interface FastifyOptions {
  /** The path, below the `prefix` of the registration. @default '/' */
  url?: string | undefined;
}

/** A plugin has a scope of its own: without parsers the body stays in the stream, and the routes beside keep theirs. */
export async function registerIn(
  scope: FastifyScope,
  { url = '/' }: FastifyOptions,
  acceptor: Acceptor,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', {}, async () => {});
  scope.all(url, async (request, reply) => {
    const { status, headers, body } = await acceptor.answer(
      nodeDelivery(request.raw, () => [request.rawBody, request.body]),
    );
    return reply.code(status).headers(headers).send(body);
  });
}
