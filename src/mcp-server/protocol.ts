/** The only file that imports the official package of the protocol, an optional peer. */

export type {
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  InputRequiredResult,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
export {
  createMcpHandler as serveProtocol,
  getOAuthProtectedResourceMetadataUrl,
  inputRequired,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
