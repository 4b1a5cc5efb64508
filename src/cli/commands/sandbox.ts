import { ConfigurationError } from '../../errors.ts';
import {
  createSandbox,
  type ListenOptions,
  type LoggedRequest,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
} from '../../sandbox/index.ts';
import {
  type Command,
  closeOnSignal,
  numberOption,
  type OptionValues,
  portOption,
  textOption,
  wrongUsage,
} from '../command.ts';

export const command: Command = {
  details: `      --port        the port; 0 stands for any free port
      --host        the address to listen on; 0.0.0.0 lets other machines use the sandbox
      --cors        an origin such as https://app.example whose web pages may use it; may be repeated. Pages of this
                    machine, such as http://localhost:3000, always may
      --shipments   how many shipments it has at the start
      --rate-limit  on: the limits of the service; off: none
      --mcp-edition  early-2026, 2026-08, 2026-10 or 2026-11: the edition of the hosted MCP endpoint that /mcp is like
      --log         prints one line on stderr for each request
      --seed        a whole number; it decides ids, names and voyages
      --webhook-header  the name of the header with the signature of deliveries
      --speed       how many times faster than real time the service's clock runs
`,
  options: {
    port: { type: 'string', default: '4010' },
    host: { type: 'string', default: '127.0.0.1' },
    cors: { type: 'string', multiple: true, default: [] },
    shipments: { type: 'string', default: '0' },
    'rate-limit': { type: 'string', default: 'on' },
    'mcp-edition': { type: 'string' },
    log: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    'webhook-header': { type: 'string' },
    speed: { type: 'string', default: '1' },
  },
  run: serveSandbox,
};

async function serveSandbox(values: OptionValues): Promise<void> {
  const number = (name: string) => numberOption(values, name);
  const limit = String(values['rate-limit']);
  if (limit !== 'on' && limit !== 'off') throw wrongUsage(`--rate-limit must be on or off, not ${limit}.`);
  const listenOptions = { port: portOption(values), host: String(values.host), cors: values.cors as string[] };
  const { sandbox, server } = await serve(listenOptions, {
    seed: number('seed'),
    speed: number('speed'),
    shipments: number('shipments'),
    now: new Date(),
    webhookHeader: textOption(values, 'webhook-header'),
    mcpEdition: textOption(values, 'mcp-edition') as SandboxOptions['mcpEdition'],
    ...(limit === 'off' && { rateLimit: false }),
  });
  if (values.log) {
    sandbox.subscribe(change => {
      if (change.type === 'request' && change.request.status !== null) console.error(lineOf(change.request));
    });
  }
  // One piece: a reader that has seen enough may close the pipe.
  console.log(`Sandbox at ${server.baseUrl}
MCP at ${server.mcpUrl}
Page at ${server.pageUrl}

  export TRACKING_BASE_URL=${server.baseUrl} TRACKING_API_KEY=sandbox
`);
  closeOnSignal(() => server.close());
}

/** The signature of an address is a credential, and stays out of the log. */
function lineOf({ method, path, query, status }: LoggedRequest): string {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${name === 'signature' ? '***' : value}`);
  // A line break in a parameter must not look like another line.
  const line = `${method} ${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''} ${status}`;
  return line.replace(/\p{Cc}/gu, ' ');
}

async function serve(
  listenOptions: ListenOptions,
  options: SandboxOptions,
): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  try {
    const sandbox = createSandbox(options);
    return { sandbox, server: await sandbox.listen(listenOptions) };
  } catch (error) {
    const { message } = error as Error;
    throw wrongUsage(
      error instanceof ConfigurationError
        ? message
        : `Port ${listenOptions.port} of ${listenOptions.host} cannot be used: ${message}`,
    );
  }
}
