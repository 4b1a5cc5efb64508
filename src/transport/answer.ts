import { isIdentifier, isRecord, parseJson, type WireDocument } from '../jsonapi/document.ts';
import type { Exchange } from './call.ts';
import { formatError } from './format-error.ts';

/** Parses the body of an answer as JSON. @throws {ResponseFormatError} if it is empty or not JSON. */
export function jsonOf(exchange: Exchange): unknown {
  try {
    return parseJson(exchange.text);
  } catch {
    if (exchange.text.trim() === '') throw formatError(exchange, 'the body is empty');
    // The cause is left out, because its message quotes the body.
    const type = exchange.response.headers.get('content-type') ?? 'no content type';
    throw formatError(exchange, `the body is not JSON (${exchange.redactor.text(type)})`);
  }
}

/** The JSON:API document of an answer, without the included records that have no type or id. */
export function documentOf(exchange: Exchange): { document: WireDocument; dropped: number } {
  const { types, anonymous } = exchange.call.endpoint.expected;
  const document = jsonOf(exchange);
  if (!isRecord(document) || document.data === undefined) {
    throw formatError(exchange, 'the body is not a JSON:API document: it has no `data`');
  }
  if (anonymous && isRecord(document.data)) document.data = { id: '', type: types[0], ...document.data };
  const { data, included = [] } = document;
  if (!(Array.isArray(data) ? data.every(isIdentifier) : data === null || isIdentifier(data))) {
    throw formatError(exchange, 'the document holds a record without `type` and `id`');
  }
  if (!Array.isArray(included)) throw formatError(exchange, 'the document has an `included` that is not a list');
  if (!included.every(isIdentifier)) document.included = included.filter(isIdentifier);
  const dropped = included.length - ((document.included as unknown[] | undefined) ?? []).length;
  return { document: document as unknown as WireDocument, dropped };
}
