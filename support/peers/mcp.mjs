import assert from 'node:assert/strict';
import { connectMcp } from 'container-tracking-sdk/mcp';

const { BASE_URL, MCP_URL } = process.env;

// The endpoint of the service.
const service = await connectMcp({ url: MCP_URL, auth: { apiKey: 'sandbox' } });
assert.ok((await service.listTools()).length > 5);
await service.close();

// The tools of the package, over stdio.
const command = 'node_modules/.bin/container-tracking';
const env = { PATH: process.env.PATH, TRACKING_BASE_URL: BASE_URL, TRACKING_API_KEY: 'sandbox' };
const tools = await connectMcp({ stdio: { command, args: ['mcp'], env } });
const answer = await tools.call('list_shipments', {});
assert.match(JSON.stringify(answer), /items/);
await tools.close();
