import { formatted } from '../formatted.ts';
import { docsPages } from './generate-docs.ts';
import { namedErrors } from './generate-errors.ts';
import { eventContents, eventNames } from './generate-events.ts';
import { filterRules, filterTypes } from './generate-filters.ts';
import { attributeKinds } from './generate-kinds.ts';
import { openApiDocument } from './generate-openapi.ts';
import { operationTypes } from './generate-operations.ts';
import { recordTypes } from './generate-records.ts';
import { relationshipTables } from './generate-relationships.ts';
import { recordSchemas, toolSchemas } from './generate-schemas.ts';
import { toolList, toolTable, toolTypeTexts } from './generate-tools.ts';

/** The first line of each generated file. */
const MARK = '// Written by `npm run generate` from description/. Do not edit.\n\n';

/** The formatted files that are made from the description, by their paths in the repository. */
export function generatedFiles(): Record<string, string> {
  const files = {
    'attribute-kinds.ts': attributeKinds(),
    'event-names.ts': eventNames(),
    'events.ts': eventContents(),
    'filters.ts': filterTypes(),
    'filter-rules.ts': filterRules(),
    'named-errors.ts': namedErrors(),
    'operations.ts': operationTypes(),
    'records.ts': recordTypes(),
    'schemas.ts': recordSchemas(),
    'mcp-tool-arguments.ts': toolTable(),
    'mcp-tool-list.ts': toolList(),
    'mcp-tool-schemas.ts': toolSchemas(),
    'mcp-tools.ts': toolTypeTexts(),
    ...relationshipTables(),
  };
  const sources = Object.entries(files).map(([name, text]) => {
    const path = `src/model/generated/${name}`;
    return [path, formatted(path, MARK + text)];
  });
  const openApi = 'docs/service/openapi.json';
  const document = JSON.stringify(openApiDocument());
  return { ...Object.fromEntries(sources), ...docsPages(), [openApi]: formatted(openApi, document) };
}
