import { APIError, NotFoundError } from '../errors.ts';
import type { RequestOptions } from '../options.ts';
import { decodeValue } from './decode.ts';
import type { FieldChange } from './encode.ts';
import { CustomFieldWriteError, type UnwrittenCustomField } from './errors.ts';
import type { ValuesOfRecord } from './groups.ts';

interface Written {
  field: string;
  outcome: 'written';
  value: unknown;
}

type Result = Written | UnwrittenCustomField;

/**
 * Sends all changes at the same time. It is safe to send a change again.
 *
 * @returns the stored values, by the names of their fields.
 * @throws {CustomFieldWriteError} if some changes were not written.
 */
export async function writeChanges(
  values: ValuesOfRecord,
  record: { type: string; id: string },
  changes: readonly FieldChange[],
  options: RequestOptions,
): Promise<Record<string, unknown>> {
  const { id } = record;
  let stored: Promise<ReadonlySet<string>> | undefined;
  // The stored values are read at most once, after the first 404 in response to a deletion.
  const storedSlugs = () => {
    stored ??= values
      .list(id, { priority: 'interactive', ...options })
      .toArray()
      .then(list => new Set(list.map(({ api_slug }) => api_slug)));
    return stored;
  };
  const results = await Promise.all(changes.map(change => result(change, () => apply(change))));
  const failed = results.filter(one => one.outcome !== 'written');
  const written = results.filter(one => one.outcome === 'written');
  if (failed.length > 0) throw writeError(record, written, failed);
  return Object.fromEntries(written.map(({ field, value }) => [field, value]));

  async function apply({ field, wire }: FieldChange): Promise<unknown> {
    if (wire !== null) {
      const { value } = await values.set(id, { api_slug: field.slug, value: wire }, options);
      return decodeValue(field, value);
    }
    try {
      await values.delete(id, field.slug, options);
    } catch (error) {
      // A 404 means that the record does not have this value, or that the record does not exist.
      if (!(error instanceof NotFoundError) || (await storedSlugs()).has(field.slug)) throw error;
    }
    return null;
  }
}

function writeError(
  record: { type: string; id: string },
  written: readonly Written[],
  failed: readonly UnwrittenCustomField[],
): CustomFieldWriteError {
  const names = written.map(({ field }) => field);
  const each = failed.map(({ field, outcome, error }) => {
    const message = error instanceof Error ? error.message : String(error);
    return `\n- ${field}: ${outcome === 'refused' ? 'not written' : 'not known whether it was written'}. ${message}`;
  });
  const message =
    `${failed.length} of ${failed.length + names.length} custom fields of ${record.type} ${record.id} were not written ` +
    `(written: ${names.join(', ') || 'none'}):${each.join('')}`;
  return new CustomFieldWriteError(message, names, failed);
}

async function result({ field }: FieldChange, apply: () => Promise<unknown>): Promise<Result> {
  try {
    return { field: field.name, outcome: 'written', value: await apply() };
  } catch (error) {
    const isRefused = error instanceof APIError && error.status < 500;
    return { field: field.name, outcome: isRefused ? 'refused' : 'unknown', error };
  }
}
