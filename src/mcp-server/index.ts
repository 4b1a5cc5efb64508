export { createMcpServer } from './create-server.ts';
export { createMcpHandler, type McpHandler } from './http/handler.ts';
export type { NodeRequest, NodeResponse } from './http/node.ts';
export type { ClientSettings, McpHandlerOptions, OAuthOptions, ServiceCredential } from './http/options.ts';
export type { FailedCall, McpServerOptions, ToolOptions } from './options.ts';
