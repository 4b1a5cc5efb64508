export { McpClient, type ToolAnswer } from './client.ts';
export { connectMcp } from './connect.ts';
export type {
  Content,
  ContentAnnotations,
  OtherContent,
  ResourceLinkContent,
  TextContent,
} from './content.ts';
export { AuthorizationError, type AuthorizationFailure, McpProtocolError, ToolError } from './errors.ts';
export { type FileTokenStoreOptions, fileTokenStore } from './oauth/file-store.ts';
export type { KnownClient, LoopbackRedirect, OAuthOptions, OwnRedirect } from './oauth/options.ts';
export {
  memoryTokenStore,
  type RegisteredClient,
  type SignIn,
  type TokenStore,
  type Tokens,
} from './oauth/store.ts';
export type {
  ApiKeyAuth,
  ClientInfo,
  ConnectMcpOptions,
  McpCallOptions,
  McpCommonOptions,
  McpHttpOptions,
  McpStdioOptions,
  OAuthAuth,
  StdioOptions,
} from './options.ts';
export type {
  PromptMessage,
  PromptSummary,
  ResourceContents,
  ResourceSummary,
  ToolSummary,
} from './protocol.ts';
export type * from './tools/arguments.ts';
export type * from './tools/container-results.ts';
export type * from './tools/journey-results.ts';
export type * from './tools/list-results.ts';
export type * from './tools/result.ts';
export type * from './tools/shipment-results.ts';
export type { PromptName, Prompts, ToolArguments, ToolName, ToolResultOf, Tools } from './tools/tools.ts';
export type * from './tools/tracking-results.ts';
