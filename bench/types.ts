/**
 * The cost of our types for a user: the time of `tsc` for a program of 200 lines, including the start of `tsc`,
 * compared with the same program in which all our types are `any`. Both programs have the same source and the same
 * imports. The second program uses a package whose declarations export each imported name as `any`. The ratio therefore
 * includes the cost of our declarations, and both times include the library of the language. In the second package,
 * `router.on` is declared to take a function, because under `strict` a callback of an `any` has untyped parameters. The
 * figure is the ratio of the medians.
 *
 * node bench/types.ts [runs]   after a build
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const COMPILERS = { '5.9': 'typescript-5.9', '6.0': 'typescript', '7': 'typescript-7' };
const RUNS = Number(process.argv[2] ?? 15);
const LIMIT = 1.4;

/** A part of the program. It is repeated with other names until the program has 200 lines. */
const PART = (n: number) => `
export async function sync${n}(client: TrackingClient, flag: boolean) {
  const shipment = await client.shipments.get('${n}', { include: ['containers', 'port_of_lading', 'containers.pod_terminal'] });
  for (const container of shipment.containers) {
    const { number, pickup_lfd, current_status, pod_terminal } = container;
    save({ number, lfd: pickup_lfd, status: current_status, terminal: pod_terminal?.nickname, port: shipment.port_of_lading?.code });
    if (isReadyForPickup(container)) save({ number, days: lastFreeDay(container)?.daysLeft });
  }
  for await (const box of client.containers.list({ filter: { number: 'MSCU1234565' }, include: ['shipment', 'transport_events'] })) {
    for (const { name, local, estimated } of milestones(box)) save({ name, at: local.text, estimated });
    if (box.shipment) save({ bill: box.shipment.bill_of_lading_number, eta: box.shipment.pod_eta_at });
  }
  const request = await client.trackingRequests.get('${n}', { include: flag ? ['tracked_object.containers', 'customer'] : undefined });
  if (request.tracked_object && 'containers' in request.tracked_object) save({ boxes: request.tracked_object.containers.length });
  const page = await client.documents.list({ include: ['shipments', 'last_document_representation'], sort: '-created_at' });
  save({ documents: page.data.map((document: { name: string }) => document.name), more: page.hasNextPage() });
  try {
    await client.track({ number: 'MAEU123456789', scac: 'MAEU' });
  } catch (error) {
    save({ error, missing: error instanceof NotFoundError });
  }
  router.on('container.${n % 2 ? 'updated' : 'created'}', ({ container, id }) => save({ id, number: container?.number }));
  router.on('container.transport.*', ({ event, created_at }) => save({ event, created_at }));
}
`;

const PROGRAM = `
import { isReadyForPickup, lastFreeDay, milestones, NotFoundError, TrackingClient } from 'container-tracking-sdk';
import { createRouter } from 'container-tracking-sdk/webhooks';

const router = createRouter();
declare function save(row: object): void;
${Array.from({ length: 8 }, (_, n) => PART(n)).join('')}`;

const ANY = {
  'index.d.ts': `export type TrackingClient = any;
export declare const isReadyForPickup: any, lastFreeDay: any, milestones: any, NotFoundError: any;
`,
  'webhooks.d.ts': `export declare const createRouter: () => { on(event: string, handler: (n: any) => void): void };
`,
};

const directory = mkdtempSync(join(tmpdir(), 'types-'));
try {
  const ours = program('ours', dist =>
    cpSync(join(ROOT, 'dist'), dist, { recursive: true, filter: path => !/\.(c?js|map)$/.test(path) }),
  );
  const any = program('any', dist => {
    for (const [name, text] of Object.entries(ANY)) writeFileSync(join(dist, name), text);
  });
  console.log(
    `${PROGRAM.split('\n').length} lines, ${RUNS} runs\n\n| typescript | ours, ms | any, ms | ratio | limit |\n|---|---:|---:|---:|---:|`,
  );
  for (const [version, compiler] of Object.entries(COMPILERS)) {
    const times = { ours: [] as number[], any: [] as number[] };
    // The first run of each program reads files that are not in a cache yet.
    check(compiler, any);
    check(compiler, ours);
    // The programs take turns, so that both run under the same load of the machine.
    for (let run = 0; run < RUNS; run++) {
      times.any.push(check(compiler, any));
      times.ours.push(check(compiler, ours));
    }
    const [a, b] = [median(times.ours), median(times.any)];
    console.log(`| ${version} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(a / b).toFixed(2)} | ${LIMIT} |`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Writes the program to its own folder, and returns the path of its configuration. `declare` writes the declarations of
 * the package.
 */
function program(name: string, declare: (dist: string) => void): string {
  const folder = join(directory, name);
  const installed = join(folder, 'node_modules/container-tracking-sdk');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  declare(join(installed, 'dist'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return config;
}

/** Duration of one run of the compiler in ms, including its start. */
function check(compiler: string, project: string): number {
  const start = performance.now();
  execFileSync(process.execPath, [join(ROOT, 'node_modules', compiler, 'bin/tsc'), '--project', project], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] as number;
}
