/**
 * The upload of a large file, compared with `openssl md5` and then a bare streaming PUT of the file to the same server:
 * duration, and growth of the memory of the process. It is measured with Node's own HTTP client, and with a `fetch`
 * from the options.
 *
 * node bench/uploads.ts [MiB] [rounds]
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type CommonOptions, TrackingClient } from '../src/index.ts';
import { median } from '../support/benchmarks/measure.ts';

const MIB = 2 ** 20;
/** Bounds of the speed and of the growth of the memory. The project has set these bounds itself. */
const LEAST_SPEED = 0.85;
const MOST_GROWTH = 96 * MIB;

interface Run {
  seconds: number;
  /** Growth of the resident memory at its peak, in bytes. */
  growth: number;
}

/** The parts of the benchmark. Each runs in its own process. */
const parts: Record<string, (...args: string[]) => Promise<Run | number | undefined>> = { serve, putBarely, upload };
const [part = '', ...args] = process.argv.slice(2);
const run = parts[part];
if (run) {
  const result = await run(...args);
  if (result !== undefined) process.stdout.write(JSON.stringify(result), () => process.exit());
} else {
  await compare(Number(part || 2048), Number(args[0] ?? 3));
}

async function compare(size: number, rounds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-uploads-'));
  const file = join(directory, 'large.bin');
  makeSparse(file, size * MIB);
  const server = start('serve');
  const [port] = await once(server.stdout, 'data');
  const origin = `http://127.0.0.1:${port}`;

  const bare: number[] = [];
  const ours: Run[] = [];
  const byFetch: Run[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    execFileSync('openssl', ['md5', file]);
    const hashed = (performance.now() - started) / 1000;
    bare.push(hashed + (JSON.parse(await outputOf('putBarely', origin, file)) as Run).seconds);
    ours.push(JSON.parse(await outputOf('upload', origin, file)) as Run);
    byFetch.push(JSON.parse(await outputOf('upload', origin, file, 'fetch')) as Run);
  }
  server.kill();
  rmSync(directory, { recursive: true });

  const speed = median(bare) / median(ours.map(({ seconds }) => seconds));
  const growthOf = (runs: Run[]) => Math.max(...runs.map(({ growth }) => growth));
  console.log(`${size} MiB, medians of ${rounds} rounds that take turns\n`);
  console.log('| | seconds | peak memory growth, MiB |\n|---|---:|---:|');
  console.log(`| openssl md5, then a bare streaming PUT | ${median(bare).toFixed(2)} | |`);
  for (const [name, runs] of [
    ['documents.upload', ours] as const,
    ['documents.upload with the option fetch', byFetch] as const,
  ]) {
    const seconds = median(runs.map(run => run.seconds)).toFixed(2);
    console.log(`| ${name} | ${seconds} | ${(growthOf(runs) / MIB).toFixed(0)} (limit ${MOST_GROWTH / MIB}) |`);
  }
  console.log(`\nthroughput ${speed.toFixed(2)} × (limit ${LEAST_SPEED})`);
  if (speed < LEAST_SPEED || growthOf([...ours, ...byFetch]) > MOST_GROWTH) process.exitCode = 1;
}

/** Writes random bytes at the start of every 16 MiB, and holes between them. */
function makeSparse(path: string, size: number): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, size);
  for (let position = 0; position < size; position += 16 * MIB) writeSync(file, randomBytes(MIB), 0, MIB, position);
  closeSync(file);
}

function start(name: string, ...args: string[]) {
  return spawn(process.execPath, [import.meta.filename, name, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function outputOf(name: string, ...args: string[]): Promise<string> {
  const child = start(name, ...args);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text;
}

/** Runs a server for the service and the storage. The storage only counts the bytes. */
async function serve(): Promise<undefined> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', chunk => {
      size += chunk.length;
      if (incoming.method === 'POST') chunks.push(chunk);
    });
    incoming.on('end', () => {
      if (incoming.method === 'PUT') return response.writeHead(size > 0 ? 200 : 400).end();
      const { blob, data } = JSON.parse(Buffer.concat(chunks).toString());
      const url = `http://${incoming.headers.host}/storage`;
      const slot = { ...blob, signed_id: 's', direct_upload: { url, headers: { 'Content-MD5': blob?.checksum } } };
      return response.end(JSON.stringify(blob ? slot : { data: { ...data, id: '1' } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(String((server.address() as AddressInfo).port));
}

async function putBarely(origin: string, file: string): Promise<Run> {
  return measured(async () => {
    const headers = { 'content-length': statSync(file).size };
    const sent = request(`${origin}/storage`, { method: 'PUT', headers });
    const answered = once(sent, 'response');
    await pipeline(createReadStream(file), sent);
    const [response] = await answered;
    await once(response.resume(), 'end');
  });
}

async function upload(origin: string, file: string, by?: string): Promise<Run> {
  const options: CommonOptions = by === 'fetch' ? { fetch: (input, init) => fetch(input, init) } : {};
  const client = new TrackingClient({ baseUrl: `${origin}/v2`, apiKey: 'key', rateLimit: false, ...options });
  return measured(() => client.documents.upload({ file }));
}

async function measured(work: () => Promise<unknown>): Promise<Run> {
  const before = process.memoryUsage.rss();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, growth: process.resourceUsage().maxRSS * 1024 - before };
}
