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
  choiceOption,
  closeOnSignal,
  numberOption,
  type OptionValues,
  portOption,
  textOption,
  wrongUsage,
} from '../command.ts';
import { unusable } from '../listen.ts';
import { print, say } from '../output/print.ts';

export const command: Command = {
  options: {
    port: { type: 'string', value: 'PORT', default: '4010', help: 'the port; 0 stands for any free port' },
    host: {
      type: 'string',
      value: 'ADDRESS',
      default: '127.0.0.1',
      help: 'the address to listen on; 0.0.0.0 lets other machines use the sandbox',
    },
    cors: {
      type: 'string',
      value: 'ORIGIN',
      multiple: true,
      default: [],
      help: 'an origin such as https://app.example whose web pages may use it. Pages of this machine, such as http://localhost:3000, may always use it',
    },
    shipments: { type: 'string', value: 'COUNT', default: '0', help: 'the number of shipments at the start' },
    'rate-limit': {
      type: 'string',
      value: 'on|off',
      default: 'on',
      help: 'on: the limits of the service; off: none',
      values: ['on', 'off'],
    },
    'mcp-edition': {
      type: 'string',
      value: 'EDITION',
      help: 'the edition of the hosted MCP endpoint that /mcp emulates: early-2026, 2026-08, 2026-10 or 2026-11',
      values: ['early-2026', '2026-08', '2026-10', '2026-11'],
    },
    log: { type: 'boolean', help: 'prints one line on stderr for each request' },
    seed: { type: 'string', value: 'NUMBER', default: '1', help: 'a whole number; it decides ids, names and voyages' },
    'webhook-header': {
      type: 'string',
      value: 'NAME',
      help: 'the name of the header with the signature of deliveries',
    },
    speed: {
      type: 'string',
      value: 'NUMBER',
      default: '1',
      help: 'the factor by which its clock runs faster than real time',
    },
  },
  run: serveSandbox,
};

async function serveSandbox(values: OptionValues): Promise<void> {
  const number = (name: string) => numberOption(values, name);
  const limit = choiceOption(values, 'rate-limit', ['on', 'off']);
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
      if (change.type === 'request' && change.request.status !== null) say(lineOf(change.request));
    });
  }
  // Prints all lines in one call, because the reader may close the pipe after the line that it needs.
  await print(`Sandbox at ${server.baseUrl}
MCP at ${server.mcpUrl}
Page at ${server.pageUrl}

  export TRACKING_BASE_URL=${server.baseUrl} TRACKING_API_KEY=sandbox
`);
  closeOnSignal(() => server.close());
}

/** The signature in an address is a credential, so it is not logged. */
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
    if (error instanceof ConfigurationError) throw wrongUsage(error.message);
    throw unusable(`Port ${listenOptions.port} of ${listenOptions.host}`, error);
  }
}
