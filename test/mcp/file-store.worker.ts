import { connectMcp, fileTokenStore } from '../../src/mcp/index.ts';

/** A process that calls a tool three times at once whenever it is told to. Nobody can sign in. */
const [url = '', path = ''] = process.argv.slice(2);
const mcp = await connectMcp({ url, auth: { oauth: { store: fileTokenStore({ path }) } }, rateLimit: false });
process.on('message', async () => {
  await Promise.all([1, 2, 3].map(() => mcp.getSupportedShippingLines({ search: 'MAEU' })));
  process.send?.('called');
});
process.on('disconnect', () => process.exit());
process.send?.('connected');
