/** What `mcp-start.ts` compares with: the official package's server over stdio, with nothing in it. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

await new McpServer({ name: 'empty', version: '1.0.0' }).connect(new StdioServerTransport());
