import { notRaw } from '../notification/raw-body.ts';
import { BodyCollector, type Delivery } from './delivery.ts';
import { type FastifyOptions, type FastifyScope, registerIn } from './fastify.ts';
import { type LambdaEvent, type LambdaResult, lambdaDelivery, lambdaResult } from './lambda.ts';
import { type NodeRequest, type NodeResponse, nodeDelivery, respond } from './node.ts';
import { createDeliveryProcessor } from './process-delivery.ts';
import type { ReceiverOptions } from './receiver-options.ts';

/** The handlers of a receiver. They never reject, and can be used without the object: `export const POST = receiver.fetch`. */
export interface Receiver {
  /**
   * For servers that pass a `Request`: Next.js, Hono, Workers, Bun, Deno.
   *
   * @example
   * export const POST = receiver.fetch;
   */
  fetch(this: void, request: Request): Promise<Response>;
  /**
   * For `node:http` and Express.
   *
   * @example
   * http.createServer(receiver.node).listen(3000);
   * app.post('/webhooks', receiver.node);
   */
  node(this: void, request: NodeRequest, response: NodeResponse): Promise<void>;
  /**
   * A plugin for Fastify. It has its own scope, so the other routes keep their parsers.
   *
   * @example
   * app.register(receiver.fastify, { url: '/webhooks' });
   */
  fastify(this: void, scope: FastifyScope, options: FastifyOptions): Promise<void>;
  /**
   * For AWS Lambda behind a function URL, an API Gateway or a load balancer.
   *
   * @example
   * export const handler = receiver.lambda;
   */
  lambda(this: void, event: LambdaEvent): Promise<LambdaResult>;
  /** Responds 503 to new requests. Resolves when all earlier requests have a response. */
  close(this: void): Promise<void>;
}

/**
 * Receives deliveries: verifies each delivery, stores it in the inbox, and only then acknowledges it. It calls no
 * handler, so a slow or failing handler cannot change the response to the service.
 *
 * | Situation | Response |
 * |---|---|
 * | stored | 202 |
 * | duplicate | 200 |
 * | bad or missing signature | 401; before the body is read if the signature is missing or malformed |
 * | signed, but not a notification | 400, or see `onPoison` |
 * | body incomplete | 400 |
 * | body slower than the deadline | 408 |
 * | too large | 413 |
 * | a parser has already read the body | 500, and the log contains the remedy |
 * | inbox or secrets failed, or were slower than the deadline; receiver closed | 503 with `Retry-After` |
 * | not a POST | 405 |
 *
 * @throws {ConfigurationError} if a secret is missing or empty, if the signature format does not exist, if the inbox or
 *   the schema lacks the method that the receiver calls, for an unknown option, and for a number below 1.
 * @example
 * const receiver = createReceiver({ secrets: [process.env.TRACKING_WEBHOOK_SECRET], inbox: sqliteInbox('inbox.db') });
 * http.createServer(receiver.node).listen(3000);
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const processor = createDeliveryProcessor({ ...options });
  return {
    async fetch(request) {
      const { status, headers, body } = await processor.answer(() => fetchDelivery(request));
      return new Response(body, { status, headers });
    },
    async node(request, response) {
      const answer = await processor.answer(() => nodeDelivery(request));
      respond(request, response, answer);
    },
    fastify: (scope, fastifyOptions) => registerIn(scope, fastifyOptions, processor),
    async lambda(event) {
      return lambdaResult(event, await processor.answer(() => lambdaDelivery(event)));
    },
    close: processor.close,
  };
}

export function fetchDelivery(request: Request): Delivery {
  // Some frameworks have their own type of request, which this handler cannot read.
  if (!request?.headers?.get) throw notRaw();
  return {
    method: request.method,
    header: name => request.headers.get(name),
    names: () => request.headers.keys(),
    async read(limit, signal) {
      if (request.bodyUsed || request.body?.locked) throw notRaw();
      const collector = new BodyCollector(limit);
      const write = (chunk: Uint8Array) => {
        if (collector.add(chunk)) throw new Error();
      };
      try {
        await request.body?.pipeTo(new WritableStream({ write }), { signal });
        return collector.bytes();
      } catch {
        return collector.isTooLarge ? 'too_large' : 'incomplete';
      }
    },
  };
}
