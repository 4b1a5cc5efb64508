/** The only file that imports the official package of the protocol, an optional peer. */

export type {
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  ContentBlock,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
export {
  createMcpHandler as serveProtocol,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
