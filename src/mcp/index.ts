export type * from '../model/generated/mcp-tools.ts';
export { connectMcp, McpClient, type ToolAnswer } from './client.ts';
export { AuthorizationError, type AuthorizationFailure, McpProtocolError, ToolError } from './errors.ts';
export type {
  ApiKeyAuth,
  ClientInfo,
  ConnectMcpOptions,
  KnownClient,
  LoopbackRedirect,
  McpCallOptions,
  McpCommonOptions,
  McpHttpOptions,
  McpStdioOptions,
  OAuthAuth,
  OAuthOptions,
  OwnRedirect,
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
export {
  type FileTokenStoreOptions,
  fileTokenStore,
  memoryTokenStore,
  type RegisteredClient,
  type SignIn,
  type TokenStore,
  type Tokens,
} from './token-store.ts';
