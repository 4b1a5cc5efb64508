import { isIdentifier, isRecord, parseJson, type WireDocument, type WireResource } from '../jsonapi/document.ts';
import type { Exchange } from './call.ts';
import { formatError } from './format-error.ts';

const FOREIGN = { isForeign: true };

/** Parses the body of an answer as JSON. @throws {ResponseFormatError} if it is empty or not JSON. */
export function jsonOf(exchange: Exchange): unknown {
  try {
    return parseJson(exchange.text);
  } catch {
    if (exchange.text.trim() === '') throw formatError(exchange, 'the body is empty', FOREIGN);
    // The cause is left out, because its message quotes the body.
    const type = exchange.response.headers.get('content-type') ?? 'no content type';
    throw formatError(exchange, `the body is not JSON (${exchange.redactor.text(type)})`, FOREIGN);
  }
}

/** The JSON:API document of an answer. @throws {ResponseFormatError} if it is not one. */
export function documentOf(exchange: Exchange): WireDocument {
  const { types, anonymous } = exchange.call.endpoint.expected;
  const document = jsonOf(exchange);
  if (!isRecord(document) || document.data === undefined) {
    throw formatError(exchange, 'the body is not a JSON:API document: it has no `data`', FOREIGN);
  }
  if (anonymous && isRecord(document.data)) document.data = { id: '', type: types[0], ...document.data };
  const { data, included } = document;
  if (!(Array.isArray(data) ? data.every(isIdentifier) : data === null || isIdentifier(data))) {
    throw formatError(exchange, 'the document holds a record without `type` and `id`');
  }
  if (included !== undefined && !Array.isArray(included)) {
    throw formatError(exchange, 'the document has an `included` that is not a list');
  }
  return document as unknown as WireDocument;
}

/** Drops the included records that nothing can refer to. Whether there were any. */
export function dropUnidentified(document: WireDocument): boolean {
  const included: unknown[] = document.included ?? [];
  if (included.every(isIdentifier)) return false;
  document.included = included.filter(isIdentifier) as WireResource[];
  return true;
}
