import { parseJson, type WireDocument } from '../jsonapi/document.ts';
import { checkDocument, checkJson } from '../schemas/check.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import { documentOf, dropUnidentified } from './answer.ts';
import type { Exchange } from './call.ts';

/** Where a value does not match the schemas. A document must not be linked yet. */
export function mismatchesOf({ call }: Exchange, value: unknown): SchemaMismatch[] {
  const { expected, operation } = call.endpoint;
  return isPlain(call) ? checkJson(operation, value) : checkDocument(value as WireDocument, expected);
}

/** The same for an answer that was linked already. Linking changes the parsed document, so the text is parsed again. */
export function mismatchesOfText(exchange: Exchange): SchemaMismatch[] {
  if (isPlain(exchange.call)) return mismatchesOf(exchange, parseJson(exchange.text));
  const document = documentOf(exchange);
  dropUnidentified(document);
  return mismatchesOf(exchange, document);
}

function isPlain({ endpoint }: Exchange['call']): boolean {
  return endpoint.expected.types.length === 0;
}
