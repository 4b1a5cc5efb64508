import { LIST_COLUMN_CATALOG } from './list-columns.ts';
import { MILESTONE_GLOSSARY_TEXT } from './milestone-glossary.ts';
import { QUERY_GUIDANCE_TEXT } from './query-guidance.ts';
import { LIST_COLUMNS, MILESTONE_GLOSSARY, QUERY_GUIDANCE } from './uri.ts';

interface Document {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  text(): string;
}

/** What does not depend on the account. */
export const DOCUMENTS: readonly Document[] = [
  {
    name: 'milestone-glossary',
    uri: MILESTONE_GLOSSARY,
    title: 'Milestones',
    description: 'What the events of a container mean, and how to read a timeline.',
    mimeType: 'text/markdown',
    text: () => MILESTONE_GLOSSARY_TEXT,
  },
  {
    name: 'mcp-query-guidance',
    uri: QUERY_GUIDANCE,
    title: 'Which tool for which question',
    description: 'Which tool answers which question, and what lists cannot filter by.',
    mimeType: 'text/markdown',
    text: () => QUERY_GUIDANCE_TEXT,
  },
  {
    name: 'list-display-columns',
    uri: LIST_COLUMNS,
    title: 'Columns of lists',
    description: 'The columns that a table of containers, shipments or tracking requests may have.',
    mimeType: 'application/json',
    text: () => JSON.stringify(LIST_COLUMN_CATALOG, null, 2),
  },
];
