import { closing, type Kept, type NodeRequest, nodeDelivery } from './node.ts';
import type { DeliveryProcessor } from './process-delivery.ts';

/** The part of a Fastify instance that is used. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(contentType: string, parser: () => Promise<void>): unknown;
  all(
    url: string,
    options: { onRequest(request: FastifyRequest): Promise<void> },
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): unknown;
}

interface FastifyRequest extends Kept {
  raw: NodeRequest;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: string): unknown;
}

/** Options of the Fastify plugin. */
export interface FastifyOptions {
  /** The path, below the `prefix` of the registration. @default '/' */
  url?: string | undefined;
}

/** A plugin has a scope of its own: without parsers the body stays in the stream, and the routes beside keep theirs. */
export async function registerIn(
  scope: FastifyScope,
  { url = '/' }: FastifyOptions,
  processor: DeliveryProcessor,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => {});
  // One that Fastify cannot read it would refuse, and nothing here depends on it.
  const onRequest = async ({ raw }: FastifyRequest) => {
    delete raw.headers['content-type'];
  };
  scope.all(url, { onRequest }, async (request, reply) => {
    const { status, headers, body } = await processor.answer(() => nodeDelivery(request.raw, request));
    return reply.code(status).headers(closing(request.raw, headers)).send(body);
  });
}
