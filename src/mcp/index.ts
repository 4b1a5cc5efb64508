export type * from '../model/generated/mcp-tools.ts';
export { connectMcp, McpClient, type ToolAnswer } from './client.ts';
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
  Content,
  ContentAnnotations,
  OtherContent,
  PromptMessage,
  PromptName,
  PromptSummary,
  Prompts,
  ResourceContents,
  ResourceLinkContent,
  ResourceSummary,
  TextContent,
  ToolSummary,
} from './protocol.ts';
