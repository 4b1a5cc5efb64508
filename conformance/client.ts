/**
 * The client that the official conformance suite drives: it connects to the server of a scenario, signs in, and calls what
 * is there.
 *
 * node conformance/client.ts <url>
 */
import { connectMcp, type OAuthOptions } from '../src/mcp/index.ts';

const url = process.argv[2] ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, string>;

/** Some scenarios know the program beforehand. */
const known: OAuthOptions = context.client_id
  ? { client: { id: context.client_id, secret: context.client_secret } }
  : { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };

const mcp = await connectMcp({
  url,
  auth: {
    oauth: {
      ...known,
      // The suite's page needs no click: it sends the browser back at once.
      openBrowser: async page => {
        await (await fetch(page)).text();
      },
      signInTimeout: 10_000,
    },
  },
});
for (const { name, inputSchema } of await mcp.listTools()) {
  console.log(name, (await mcp.call(name, argumentsFor(inputSchema))).content);
}
await mcp.close();

/** Something for each argument that has to be there. */
function argumentsFor({ required, properties }: Record<string, unknown>): Record<string, unknown> {
  const types = (properties ?? {}) as Record<string, { type?: string }>;
  const names = Array.isArray(required) ? required : [];
  return Object.fromEntries(names.map(name => [name, types[name]?.type === 'number' ? 1 : 'text']));
}
