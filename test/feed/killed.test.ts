import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox, SandboxServer } from '../../src/sandbox/index.ts';
import { get, stillSandbox } from '../../support/sandbox.ts';

type Fields = Record<string, unknown>;
type States = Map<string, Fields>;

const CONTAINERS = 500;
const DAYS = 60;
/** Numbers of items after which the process is killed, in the first reading and in later readings. */
const KILLS = [137, 611, 1500, 333, 2000];

test(`a feed over ${CONTAINERS} containers and ${DAYS} days, killed ${KILLS.length} times, yields each difference once and nothing else`, async () => {
  const sandbox = stillSandbox({ seed: 14 });
  let removable = sandbox.seedContainers(CONTAINERS);
  const { server, log, start } = await setUp(sandbox);
  const child = start();
  const expected: string[][] = [];
  const told: string[][] = [];
  let before: States = new Map();
  let read = 0;

  for (let day = 0; day <= DAYS; day += 2) {
    if (day > 0) sandbox.advance({ days: 2 });
    const isRemoving = day % 20 === 16;
    if (day % 20 === 10) removable = [...sandbox.seedContainers(3), ...removable];
    if (isRemoving) for (const box of removable.splice(0, 2)) sandbox.removeShipment(box.shipmentId);
    const now = await readIndependently(sandbox);
    expected.push(differences(before, now, day === 0));
    before = now;
    // If a list has become shorter, it is read from its beginning again. This looks like a new reading.
    await child.hasReadAll(isRemoving ? 3 : 2);
    const lines = log()
      .slice(read)
      .map(line => JSON.parse(line));
    read += lines.length;
    told.push(lines.filter(isAboutRecord).map(shortly).sort());
  }

  const apart = expected.map((day, n) => ({
    lost: day.filter(text => !told[n]?.includes(text)),
    invented: told[n]?.filter(text => !day.includes(text)),
  }));
  expect(apart.filter(({ lost, invented }) => lost.length > 0 || invented?.length !== 0)).toEqual([]);
  // Each difference is yielded once.
  expect(told).toEqual(expected);
  expect(child.kills()).toBe(KILLS.length);
  expect(told.flat().length).toBeGreaterThan(KILLS.reduce((sum, count) => sum + count));
  await server.close();
}, 300_000);

async function setUp(sandbox: Sandbox) {
  const server: SandboxServer = await sandbox.listen();
  const directory = mkdtempSync(join(tmpdir(), 'feed-'));
  const path = join(directory, 'log');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  onTestFinished(() => server.close());
  const log = () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  return { server, log, start: () => keepStarting(sandbox, server.baseUrl, path) };
}

/** Starts the process, and restarts it after each kill, until no kill is left. */
function keepStarting(sandbox: Sandbox, baseUrl: string, path: string) {
  const script = resolve(import.meta.dirname, 'killed.worker.ts');
  const due = [...KILLS];
  let kills = 0;
  let failure: string | undefined;
  let process_: ChildProcess;
  let isOver = false;
  const run = () => {
    process_ = spawn(process.execPath, [script, baseUrl, path, String(due.shift() ?? 0)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    process_.stderr?.on('data', text => {
      complaint += text;
    });
    process_.on('exit', (code, signal) => {
      if (isOver) return;
      if (signal !== 'SIGKILL') failure = `${code ?? signal}: ${complaint}`;
      else {
        kills += 1;
        run();
      }
    });
  };
  run();
  onTestFinished(async () => {
    isOver = true;
    const exited = once(process_, 'exit');
    if (process_.exitCode === null && process_.kill('SIGKILL')) await exited;
  });
  return {
    kills: () => kills,
    /**
     * Resolves when this number of further readings has begun. All items of the earlier readings have been received at
     * that time.
     */
    async hasReadAll(readings: number) {
      const from = sandbox.requests.length;
      const begun = () => sandbox.requests.slice(from).filter(({ query }) => query['page[number]'] === '1').length;
      const [beganAt, killsBefore] = [begun(), kills];
      for (let [seen, known] = [beganAt, killsBefore]; begun() < seen + readings; ) {
        if (failure !== undefined) throw new Error(failure);
        // An interrupted reading was not read to its end.
        if (kills > known) [seen, known] = [begun(), kills];
        await new Promise(wake => setTimeout(wake, 5));
      }
    },
  };
}

/** The containers, read from the JSON:API documents without the SDK. */
async function readIndependently(sandbox: Sandbox): Promise<States> {
  const states: States = new Map();
  for (let page = 1; ; page += 1) {
    const { body } = await get(sandbox, `/containers?page[size]=100&page[number]=${page}`);
    for (const { id, attributes, relationships } of body.data) {
      const related = Object.entries(relationships as Record<string, { data?: unknown }>);
      const links = related.filter(([, { data }]) => data !== undefined).map(([name, { data }]) => [name, asSet(data)]);
      states.set(id, { ...attributes, ...Object.fromEntries(links) });
    }
    if (!body.links.next) return states;
  }
}

function differences(before: States, now: States, isFirst: boolean): string[] {
  const found: string[] = [];
  for (const [id, fields] of now) {
    const known = before.get(id);
    if (!known) found.push(`${id} appeared ${isFirst}`);
    else
      for (const field of new Set([...Object.keys(known), ...Object.keys(fields)])) {
        const [old, current] = [known[field] ?? null, fields[field] ?? null];
        if (!isDeepStrictEqual(old, current)) {
          found.push(`${id} ${field}: ${JSON.stringify(old)} → ${JSON.stringify(current)}`);
        }
      }
  }
  for (const id of before.keys()) if (!now.has(id)) found.push(`${id} gone`);
  return found.sort();
}

/** The order of related records does not matter. */
function asSet(data: unknown): unknown {
  return Array.isArray(data) && data.every(item => item.id) ? data.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : data;
}

/** True for an item about a record. Other items report a list that grows during the reading. */
function isAboutRecord({ kind, ids, error }: Fields): boolean {
  if (kind === 'unread') expect({ ids, error }).toEqual({ ids: null, error: null });
  return kind !== 'unread';
}

function shortly({ kind, id, field, before = null, after = null, initial }: Fields): string {
  if (kind === 'appeared') return `${id} appeared ${initial}`;
  if (kind === 'gone') return `${id} gone`;
  return `${id} ${field}: ${JSON.stringify(asSet(before))} → ${JSON.stringify(asSet(after))}`;
}
