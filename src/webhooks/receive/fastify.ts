import { closing, type Kept, type NodeRequest, nodeDelivery } from './node.ts';
import type { DeliveryProcessor } from './process-delivery.ts';

/** The methods of a Fastify instance that the plugin calls. */
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
  /** The path of the route, after the `prefix` of `register`. @default '/' */
  url?: string | undefined;
}

/** Removes the parsers in the scope of this plugin, so that the body stays in the stream. Other routes keep their parsers. */
export async function registerIn(
  scope: FastifyScope,
  { url = '/' }: FastifyOptions,
  processor: DeliveryProcessor,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => {});
  // Fastify refuses a content type that it cannot parse. The receiver does not need the content type.
  const onRequest = async ({ raw }: FastifyRequest) => {
    delete raw.headers['content-type'];
  };
  scope.all(url, { onRequest }, async (request, reply) => {
    const { status, headers, body } = await processor.answer(() => nodeDelivery(request.raw, request));
    return reply.code(status).headers(closing(request.raw, headers)).send(body);
  });
}
