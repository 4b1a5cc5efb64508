import type { DocumentSchema } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** Schemas of the data that the service extracts from each type of document. Beta. */
export class DocumentSchemas extends Resource {
  /**
   * One version of the schema of one document type.
   *
   * @param id type and date of the version, such as `commercial_invoice@2026-03-23`.
   * @throws {NotFoundError} if the version does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<DocumentSchema> {
    return this.fetchOne({
      operation: 'documentSchemas.get',
      type: 'document_schema',
      path: path`/document_schemas/${id}`,
      options,
    });
  }
}
