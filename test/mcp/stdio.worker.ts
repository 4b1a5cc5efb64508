import { createInterface } from 'node:readline';
import { createSandbox } from '../../support/sandbox.ts';

/** The endpoint of the sandbox on standard input and output, and two tools that misbehave. */
const sandbox = createSandbox({ apiKeys: [process.env.TRACKING_API_KEY ?? ''], rateLimit: false });

for await (const line of createInterface({ input: process.stdin })) {
  const { params } = JSON.parse(line);
  if (params?.name === 'end') process.exit(1);
  if (params?.name === 'stall') continue;
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const response = await sandbox.fetch('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Token ${process.env.TRACKING_API_KEY}`,
      ...(version && { 'mcp-protocol-version': version }),
    },
    body: line,
  });
  const body = await response.text();
  if (body !== '') process.stdout.write(`${body}\n`);
}
