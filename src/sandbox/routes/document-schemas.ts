import type { DocumentSchemaAttributes } from '../../model/index.ts';
import { notFound } from '../http/errors.ts';
import { one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { type DocumentType, SCHEMA_VERSION, structureOf, typeNamed } from '../world/document-types.ts';

export const documentSchemaRoutes: Route[] = [
  {
    method: 'GET',
    path: '/document_schemas/:id',
    handle(call) {
      const id = call.param('id');
      const [code = '', version] = id.split('@');
      const type = typeNamed(code);
      if (type === undefined || version !== SCHEMA_VERSION) {
        throw notFound(`Couldn't find DocumentSchema with 'id'=${id}`);
      }
      const links = { self: `/document_schemas/${id}` };
      return one(call, { type: 'document_schema', id, render: () => ({ attributes: schema(type), links }) });
    },
  },
];

function schema(type: DocumentType): DocumentSchemaAttributes {
  const { code, label } = type;
  return {
    document_type: code,
    label,
    schema_version: SCHEMA_VERSION,
    full_version: `${code}@${SCHEMA_VERSION}`,
    current: true,
    draft: false,
    active_at: `${SCHEMA_VERSION}T00:00:00Z`,
    schema_format: 'json_schema',
    description: null,
    schema_payload: structureOf(type),
    created_at: '2026-03-20T09:00:00Z',
    updated_at: `${SCHEMA_VERSION}T00:00:00Z`,
  };
}
