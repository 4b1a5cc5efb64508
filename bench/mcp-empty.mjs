/** The base of the comparison in `mcp-start.ts`: the official package's server over stdio, without any tool. */
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

await new McpServer({ name: 'empty', version: '1.0.0' }).connect(new StdioServerTransport());
