import { ConfigurationError } from '../../errors.ts';
import { createSandbox, type SandboxOptions, type SandboxServer } from '../../sandbox/index.ts';
import { type Command, closeOnSignal, numberOption, type OptionValues, wrongUsage } from '../command.ts';

export const command: Command = {
  details: `      --port   the port; 0 stands for any free port
      --seed   a whole number; it decides ids, names and voyages
      --shipments  how many shipments the account has at the start, in all phases of their voyages
      --speed  how many times faster than real time the service's clock runs
`,
  options: {
    port: { type: 'string', default: '4010' },
    seed: { type: 'string', default: '1' },
    shipments: { type: 'string', default: '0' },
    speed: { type: 'string', default: '1' },
  },
  run: serveSandbox,
};

async function serveSandbox(values: OptionValues): Promise<void> {
  const [port, seed, speed, shipments] = ['port', 'seed', 'speed', 'shipments'].map(name =>
    numberOption(values, name),
  ) as [number, number, number, number];
  const server = await serve(port, { seed, speed, shipments, now: new Date() });
  console.log(`Sandbox at ${server.baseUrl}`);
  console.log(`MCP at ${server.mcpUrl}\n`);
  console.log(`  export TRACKING_BASE_URL=${server.baseUrl} TRACKING_API_KEY=sandbox\n`);
  closeOnSignal(() => server.close());
}

async function serve(port: number, options: SandboxOptions): Promise<SandboxServer> {
  try {
    return await createSandbox(options).listen({ port });
  } catch (error) {
    const { message } = error as Error;
    throw wrongUsage(error instanceof ConfigurationError ? message : `Port ${port} cannot be used: ${message}`);
  }
}
