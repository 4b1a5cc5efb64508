import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createSandbox } from '../src/sandbox/index.ts';
import { installPacked } from '../support/packed.ts';

const INSPECTOR = resolve(
  import.meta.dirname,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const PEERS = resolve(import.meta.dirname, '../node_modules/@modelcontextprotocol');
const KEY = 'sandbox';

/**
 * Runs the inspector's command line against the packed command, over stdio and HTTP. Returns the failures and warnings.
 */
export async function checkWithInspector(): Promise<string[]> {
  const sandbox = createSandbox({ rateLimit: false, features: { routing: true } });
  const [shipment] = sandbox.seedShipments(2);
  const service = await sandbox.listen();
  const project = installPacked();
  // Copies the peer packages to the folder in which npm would install them.
  for (const name of ['server', 'core']) {
    cpSync(join(PEERS, name), join(project.directory, 'node_modules/@modelcontextprotocol', name), { recursive: true });
  }
  const bin = join(project.directory, 'node_modules/.bin/container-tracking');
  const http = await startHttp(bin, service.baseUrl);
  const environment = ['-e', `TRACKING_API_KEY=${KEY}`, '-e', `TRACKING_BASE_URL=${service.baseUrl}`];
  const targets: Record<string, string[]> = {
    stdio: [...environment, '--', process.execPath, bin, 'mcp'],
    http: ['--transport', 'http', '--server-url', http.url, '--header', `Authorization: Token ${KEY}`],
  };
  const failures: string[] = [];
  for (const [transport, target] of Object.entries(targets)) {
    const problems = [];
    for (const args of requestsFor(shipment?.id ?? '', shipment?.containers[0]))
      problems.push(...(await ask(args, target)));
    console.log(`Inspector, ${transport}: ${problems.length} problems`);
    failures.push(...problems.map(problem => `Inspector, ${transport}: ${problem}`));
  }
  http.stop();
  await service.close();
  project.remove();
  return failures;
}

/** The requests for the lists of the server, and for one call of each tool. */
function requestsFor(shipmentId: string, container: { id: string; number: string } | undefined): string[][] {
  const { id = '', number = '' } = container ?? {};
  const calls: Record<string, object> = {
    search_container: { query: number },
    track_container: { number },
    get_container: { id, include: ['transport_events'] },
    get_shipment_details: { id: shipmentId },
    get_container_transport_events: { id },
    get_supported_shipping_lines: { search: 'a' },
    get_container_route: { id },
    list_shipments: { include_containers: true },
    list_containers: { page_size: 2 },
    list_tracking_requests: {},
    summarize_containers: { group_by: 'current_status', port: 'USLAX' },
    list_parties: {},
    whoami: {},
    worklist: {},
    list_changes: {},
  };
  return [
    ['--strict', '--method', 'tools/list'],
    ['--method', 'prompts/list'],
    ['--method', 'prompts/get', '--prompt-name', 'track-shipment', '--prompt-args', `container_number=${number}`],
    ['--method', 'resources/list'],
    ['--method', 'resources/templates/list'],
    ['--method', 'resources/read', '--uri', `tracking://container/${id}`],
    ...Object.entries(calls).map(([name, args]) => [
      ...['--method', 'tools/call', '--tool-name', name],
      ...['--tool-args-json', JSON.stringify(args)],
    ]),
  ];
}

async function ask(args: string[], target: string[]): Promise<string[]> {
  const command = [INSPECTOR, '--cli', ...args, '--format', 'json', ...target];
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, command, { maxBuffer: 2 ** 26 }).then(
    ended => ({ code: 0, ...ended }),
    error => error,
  );
  const what = args.slice(0, 4).join(' ');
  if (code !== 0) return [`${what} ended with ${code}: ${stderr}`];
  if (stderr.trim() !== '') return [`${what} warned: ${stderr}`];
  const { result } = JSON.parse(stdout);
  return result?.isError ? [`${what} failed: ${JSON.stringify(result.content)}`] : [];
}

async function startHttp(bin: string, baseUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [bin, 'mcp', '--http', '--port', '0'], {
    env: { ...process.env, TRACKING_BASE_URL: baseUrl },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [line] = await once(child.stderr, 'data');
  return { url: /MCP server at (\S+)/.exec(String(line))?.[1] ?? '', stop: () => void child.kill() };
}
