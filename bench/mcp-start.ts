import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { compare, lowerQuartile, type Ratio, shuffled } from '../support/benchmarks/measure.ts';

const ROUNDS = 25;
const OURS = 'container-tracking mcp';
const EMPTY = 'the empty server of the official package';
/** Upper bound, as a multiple of the time of the empty server. */
const LIMIT = 1.5;

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

const PROGRAMS: Record<string, string[]> = {
  [EMPTY]: [resolve(import.meta.dirname, 'mcp-empty.mjs')],
  [OURS]: [resolve(import.meta.dirname, '../dist/cli.js'), 'mcp', '--base-url', 'http://127.0.0.1:9/v2'],
};

/** Measures the time from the start of a process to its response to `initialize`. Both programs run in each round. Needs `npm run build`. */
export async function mcpStart(): Promise<Ratio[]> {
  const names = [EMPTY, OURS];
  const times: Record<string, number[]> = { [EMPTY]: [], [OURS]: [] };
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [name, args] of shuffled(Object.entries(PROGRAMS))) {
      const ms = await timeToAnswer(args);
      if (round >= 0) times[name]?.push(ms);
    }
  }
  return compare(
    'MCP server, to the answer of initialize',
    names.map(name => ({ name })),
    names.map(name => times[name] ?? []),
    { limits: { [OURS]: LIMIT }, middle: lowerQuartile },
  );
}

async function timeToAnswer(args: string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TRACKING_API_KEY: 'key' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(`${INITIALIZE}\n`);
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('\n')) break;
  }
  const ms = performance.now() - start;
  if (!output.includes('"serverInfo"')) throw new Error(`${args[0]} responded with ${output}.`);
  child.kill();
  await once(child, 'exit');
  return ms;
}
