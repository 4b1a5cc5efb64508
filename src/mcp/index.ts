export type * from '../model/generated/mcp-tools.ts';
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
export type { PromptName, Prompts } from './prompts.ts';
export type {
  PromptMessage,
  PromptSummary,
  ResourceContents,
  ResourceSummary,
  ToolSummary,
} from './protocol.ts';
