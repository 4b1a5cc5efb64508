import { notRaw } from '../notification/raw-body.ts';
import { fromBase64 } from '../verify/signature.ts';
import type { Answer } from './answer.ts';
import type { Delivery } from './delivery.ts';
import { bytesWithin, findKeptBody } from './delivery.ts';

type Headers<Value> = Record<string, Value | undefined> | null | undefined;

/** The common part of the events of a function URL, of API Gateway (payload 1.0 and 2.0) and of a load balancer. */
export interface LambdaEvent {
  httpMethod?: string | undefined;
  /** Contains the method if `httpMethod` is absent. */
  requestContext?: object | undefined;
  headers?: Headers<string>;
  multiValueHeaders?: Headers<string[]>;
  body?: string | null | undefined;
  /** The original body, if a middleware that parses `body` has stored it. */
  rawBody?: unknown;
  isBase64Encoded?: boolean | undefined;
}

interface RequestContext {
  http?: { method?: string };
}

/** The response, in the form that Lambda accepts. */
export interface LambdaResult {
  statusCode: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded: boolean;
}

export function lambdaDelivery(event: LambdaEvent): Delivery {
  if (!event) throw notRaw();
  return {
    method: event.httpMethod ?? (event.requestContext as RequestContext | undefined)?.http?.method,
    header(name) {
      // Only `multiValueHeaders` contains all values of a repeated header.
      const values = Object.entries({ ...event.headers, ...event.multiValueHeaders })
        .filter(([key]) => key.toLowerCase() === name)
        .flatMap(([, value]) => value);
      return values.length > 1 ? values : values[0];
    },
    names: () => Object.keys({ ...event.headers, ...event.multiValueHeaders }),
    async read(limit) {
      let body = findKeptBody(event.body ?? '', event.rawBody);
      try {
        if (event.isBase64Encoded && typeof body === 'string') body = fromBase64(body);
      } catch {
        return 'incomplete';
      }
      return bytesWithin(body, limit);
    },
  };
}

export function lambdaResult(event: LambdaEvent, { status, headers, body }: Answer): LambdaResult {
  const result = { statusCode: status, body, isBase64Encoded: false };
  if (event?.headers || !event?.multiValueHeaders) return { ...result, headers };
  // A load balancer that sends lists of values expects lists.
  return {
    ...result,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  };
}
