import { connectMcp, fileTokenStore } from '../../src/mcp/index.ts';

/**
 * A process that makes twenty simultaneous calls of a tool for each message. It cannot let a user sign in, so it uses and
 * refreshes the tokens of the file.
 */
const [url = '', path = ''] = process.argv.slice(2);
const mcp = await connectMcp({ url, auth: { oauth: { store: fileTokenStore({ path }) } }, rateLimit: false });
process.on('message', async () => {
  await Promise.all(Array.from({ length: 20 }, () => mcp.getSupportedShippingLines({ search: 'MAEU' })));
  process.send?.('called');
});
process.on('disconnect', () => process.exit());
process.send?.('connected');
