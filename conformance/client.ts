/**
 * The client that the official conformance suite runs: it connects to the server of a scenario, signs in, and calls
 * every tool, prompt and resource of the server.
 *
 * node conformance/client.ts <url>
 */
import { connectMcp, type OAuthOptions } from '../src/mcp/index.ts';

const url = process.argv[2] ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};

// In some scenarios the server has already registered the program.
const known: OAuthOptions = context.client_id
  ? { client: { id: context.client_id, secret: context.client_secret } }
  : { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };

const oauth: OAuthOptions = {
  ...known,
  // The suite's page needs no click: it redirects the browser immediately.
  openBrowser: async page => {
    await (await fetch(page)).text();
  },
  signInTimeout: 10_000,
};

const mcp = await connectMcp({ url, auth: scenario.startsWith('auth/') ? { oauth } : { apiKey: 'key' } });
const tools = await mcp.listTools();
const calls =
  context.toolCalls ??
  tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, tools[0]?.inputSchema) }));
for (const call of calls) console.log(call.name, (await mcp.call(call.name, call.arguments)).content);
for (const { name } of await mcp.listPrompts()) await mcp.getPrompt(name);
for (const { uri = '' } of await mcp.listResources()) await mcp.readResource(uri);
await mcp.close();

/** A value for each required argument. One tool requires the schema of the first tool. */
function argumentsFor({ required, properties }: Record<string, unknown>, schema: unknown): Record<string, unknown> {
  const types = (properties ?? {}) as Record<string, { type?: string }>;
  const values: Record<string, unknown> = { number: 1, object: schema };
  const names = Array.isArray(required) ? required : [];
  return Object.fromEntries(names.map(name => [name, values[types[name]?.type ?? ''] ?? 'text']));
}
