import * as z from 'zod/mini';
import { short, text } from '../../domain/record-values.ts';
import { NotFoundError } from '../../errors.ts';
import { ToolFailure } from '../failure.ts';
import type { ToolContext } from '../tool.ts';
import { tableOf } from '../views/rows.ts';

/** The documents of a container or a shipment, such as an arrival notice. */

/**
 * Maximum number of documents in a result. The newest documents come first. A shipment rarely has more relevant
 * documents than this.
 */
const MAX_DOCUMENTS = 25;

export const documentsSchema = () => z.optional(z.array(z.looseObject({})));

/**
 * The documents that have one of the numbers as a reference. The newest documents come first. Each number needs one
 * request.
 */
export async function documentsOf(numbers: readonly (string | null)[], { caller, limits }: ToolContext) {
  const references = [...new Set(numbers)].filter(number => number !== null);
  const pages = await Promise.all(
    references.map(reference =>
      caller.client.documents.list({
        filter: { reference },
        sort: '-created_at',
        pageSize: MAX_DOCUMENTS,
        ...limits(),
      }),
    ),
  ).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new ToolFailure('feature_not_enabled', 'This service has no documents. Call again without documents.');
  });
  const documents = new Map(pages.flatMap(({ data }) => data.map(document => [document.id, document])));
  return [...documents.values()]
    .sort((a, b) => (text(b.created_at) ?? '').localeCompare(text(a.created_at) ?? ''))
    .slice(0, MAX_DOCUMENTS)
    .map(({ id, name, document_type, document_type_manual, source, created_at }) => ({
      type: short(document_type_manual) ?? short(document_type) ?? 'not classified yet',
      name: short(name),
      created_at: text(created_at) ?? undefined,
      source: short(source),
      id: text(id) ?? '',
    }));
}

/** The documents as text, with one line for each document. */
export function documentLines(documents: readonly object[] | undefined): string[] {
  if (!documents) return [];
  return documents.length > 0 ? ['Documents, newest first:', tableOf(documents)] : ['Documents: none.'];
}
