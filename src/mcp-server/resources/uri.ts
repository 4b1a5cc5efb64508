/** Addresses of the resources. */
export const CONTAINER_TEMPLATE = 'tracking://container/{id}';
export const MILESTONE_GLOSSARY = 'tracking://docs/milestone-glossary';
export const QUERY_GUIDANCE = 'tracking://docs/mcp-query-guidance';
export const LIST_COLUMNS = 'tracking://docs/list-display-columns';

export function containerUri(id: string): string {
  return CONTAINER_TEMPLATE.replace('{id}', id);
}
