import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../src/index.ts';

const ROOT = resolve(import.meta.dirname, '..');
const COMPILERS = { '5.9': 'typescript-5.9', '6.0': 'typescript', '7': 'typescript-7' };

/** The names of all methods of all groups, such as `shipments.get`. */
const GROUPS = groupsOf(
  new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'key', logger: false, rateLimit: false }),
);
const METHODS = methodsOf(GROUPS);

/** Methods with an `include`, each with its result for the paths `P[]` and its result without paths. */
const INCLUDING: Record<string, [paths: string, given: string, none: string]> = {
  'shipments.get': ['ShipmentInclude', 'APIPromise<Shipment<P[]>>', 'APIPromise<Shipment<[]>>'],
  'shipments.list': ['ShipmentInclude', 'List<Shipment<P[]>>', 'List<Shipment<[]>>'],
  'containers.get': ['ContainerInclude', 'APIPromise<Container<P[]>>', 'APIPromise<Container<[]>>'],
  'containers.list': ['ContainerInclude', 'List<Container<P[]>>', 'List<Container<[]>>'],
  'containers.transportEvents': ['TransportEventInclude', 'List<TransportEvent<P[]>>', 'List<TransportEvent<[]>>'],
  'trackingRequests.get': [
    'TrackingRequestInclude',
    'APIPromise<TrackingRequest<P[]>>',
    'APIPromise<TrackingRequest<TrackingRequestDefaults>>',
  ],
  'trackingRequests.list': [
    'TrackingRequestInclude',
    'List<TrackingRequest<P[]>>',
    'List<TrackingRequest<TrackingRequestDefaults>>',
  ],
  'documents.get': ['DocumentInclude', 'APIPromise<Document<P[]>>', 'APIPromise<Document<[]>>'],
  'documents.list': ['DocumentInclude', 'List<Document<P[]>>', 'List<Document<[]>>'],
  'emailSubmissions.get': [
    'EmailSubmissionInclude',
    'APIPromise<EmailSubmission<P[]>>',
    'APIPromise<EmailSubmission<EmailSubmissionDefaults>>',
  ],
  'emailSubmissions.list': [
    'EmailSubmissionInclude',
    'List<EmailSubmission<P[]>>',
    'List<EmailSubmission<EmailSubmissionDefaults>>',
  ],
  'webhookNotifications.get': [
    'WebhookNotificationInclude',
    'APIPromise<WebhookNotification<P[]>>',
    'APIPromise<WebhookNotification<WebhookNotificationDefaults>>',
  ],
  'webhookNotifications.list': [
    'WebhookNotificationInclude',
    'List<WebhookNotification<P[]>>',
    'List<WebhookNotification<WebhookNotificationDefaults>>',
  ],
};

const PROGRAMS: Record<string, string> = {
  // One generic function for each method with an `include`; the type parameter is the paths.
  generic: `
import { TrackingClient, ${unique(Object.values(INCLUDING).map(([paths]) => `type ${paths}`))} } from 'container-tracking-sdk';
declare const client: TrackingClient;
${Object.entries(INCLUDING)
  .map(([method, [paths]]) => {
    const [parameter, argument] = takesId(method) ? ['id: string, ', 'id, '] : ['', ''];
    return `
export function ${nameOf(method)}<P extends ${paths}>(${parameter}p: P[]) { return client.${method}(${argument}{ include: p }); }
export function ${nameOf(method)}_none(${parameter}) { return client.${method}(${argument}); }`;
  })
  .join('')}
export async function below<P extends ShipmentInclude>(p: P[]) {
  const shipment = await client.shipments.get('x', { include: p });
  return shipment.containers;
}
export function perhaps<const P extends readonly ShipmentInclude[]>(include?: P) {
  return client.shipments.get('x', { include });
}
`,
  // Each method and each group as a field of a class. Each method is also called with its arguments, for its result.
  every: `
import { TrackingClient } from 'container-tracking-sdk';
declare const client: TrackingClient;
export class Fields {
${METHODS.map(method => `  ${nameOf(method)} = client.${method};`).join('\n')}
}
export class Groups {
${Object.keys(GROUPS)
  .map(group => `  ${nameOf(group)} = client.${group};`)
  .join('\n')}
}
${METHODS.map(
  method => `
export const ${nameOf(method)} = (...args: Parameters<typeof client.${method}>) => client.${method}(...args);
export type ${nameOf(method)}_value = Awaited<ReturnType<typeof client.${method}>>;
export const ${nameOf(method)}_value = async () => await client.${method}(...({} as Parameters<typeof client.${method}>));`,
).join('')}
`,
  tuples: `
import { TrackingClient, type Container, type Shipments, dynamicInclude, createTransport, milestones, coordinates } from 'container-tracking-sdk';
declare const client: TrackingClient;
declare const flag: boolean;
export function tuple() { return client.shipments.get('x', { include: ['containers'] }); }
export function condition() { return client.shipments.get('x', { include: flag ? ['pod_terminal'] : undefined }); }
export function strings() { return client.shipments.get('x', { include: dynamicInclude(['containers']) }); }
export async function deep() {
  const shipment = await client.shipments.get('x', { include: ['containers.transport_events.location', 'destination'] });
  const [container] = shipment.containers;
  return { shipment, container, events: container?.transport_events, ...shipment, place: { ...shipment.destination } };
}
export async function page() { return (await client.containers.list({ include: ['shipment'] })).data; }
export function items() { return client.containers.list({ include: ['shipment'] }).toArray(); }
export async function events() { const c = await client.containers.get('x', { include: ['transport_events'] }); return milestones(c); }
export async function place() { return coordinates(await client.ports.get('USLAX')); }
export const defaults = async () => (await client.trackingRequests.get('x')).tracked_object;
export const transport = createTransport({ baseUrl: 'https://host.example/v2' });
export class Service {
  constructor(readonly shipments: Pick<Shipments, 'get' | 'list'> = client.shipments) {}
  find = (id: string) => this.shipments.get(id, { include: ['containers', 'port_of_lading'] });
  get = client.shipments.get;
}
export interface ContainerSource {
  get(id: string, options: { include: readonly ['shipment'] }): PromiseLike<Container<readonly ['shipment']>>;
}
export const source: ContainerSource = client.containers;
export const mock = { get: async (id: string) => ({ ...(await client.containers.get(id)), shipment: null }) };
export const mocked: { get(id: string): Promise<Container> } = mock;
`,
};

/** The program of a user who verifies webhooks and has no client. */
const WEBHOOKS = `
import { createRouter, createWorker, fakeNotification, memoryInbox, parseNotification, refreshSubject, type Notification, type NotificationOf, type SubjectClient } from 'container-tracking-sdk/webhooks';
export const router = createRouter().on('container.updated', n => n.reference_object);
export const subject = (n: NotificationOf<'container.updated'>) => n.reference_object;
export const milestone = (n: NotificationOf<'container.transport.*'>) => n.reference_object;
export const container = (n: Notification) => n.container;
export const included = (n: Notification) => n.included;
export const parsed = parseNotification;
export const fake = () => fakeNotification('tracking_request.succeeded');
export const fresh = (n: Notification, client: SubjectClient) => refreshSubject(n, client);
export const worker = createWorker({ inbox: memoryInbox({ ephemeral: true }), router });
export class Handlers { on = router.on; handle = router.handle; }
`;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'emit-'));
  const installed = join(directory, 'node_modules/container-tracking-sdk');
  mkdirSync(installed, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  cpSync(join(ROOT, 'dist'), join(installed, 'dist'), {
    recursive: true,
    filter: path => !/\.(c?js|map)$/.test(path),
  });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [name, source] of Object.entries(PROGRAMS)) writeFileSync(join(directory, `${name}.ts`), source);
  mkdirSync(join(directory, 'webhooks'));
  writeFileSync(join(directory, 'webhooks/webhooks.ts'), WEBHOOKS);
  writeFileSync(join(directory, 'tsconfig.json'), config({ include: ['*.ts'] }));
  writeFileSync(join(directory, 'webhooks/tsconfig.json'), config({ include: ['*.ts'] }));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('every method with an include is in this test', () => {
  const generic = METHODS.filter(method => /\.(get|list)$/.test(method) || method in INCLUDING);
  expect(generic).toEqual(expect.arrayContaining(Object.keys(INCLUDING)));
  expect(METHODS.length).toBeGreaterThan(75);
});

describe.each(Object.entries(COMPILERS))('declarations that TypeScript %s emits for a user', (_, compiler) => {
  let problems: string;
  let emitted: Record<string, string>;

  beforeAll(async () => {
    problems = await emit(compiler, '.');
    // If the compiler cannot name a type, it does not write the declaration.
    const written = Object.keys(PROGRAMS).map(name => [name, join(directory, compiler, `${name}.d.ts`)] as const);
    emitted = Object.fromEntries(
      written.map(([name, path]) => [name, existsSync(path) ? readFileSync(path, 'utf8') : '']),
    );
  }, 120_000);

  test('can all be written, without names of chunks and without `any`', () => {
    expect(problems).toBe('');
    for (const [name, text] of Object.entries(emitted)) {
      expect(text.match(/import\("(?!container-tracking-sdk"\))[^"]*"\)/g), name).toBeNull();
      expect(text.match(/^.*\bany\b.*$/gm), name).toBeNull();
      // A type that is expanded by mistake has megabytes.
      expect(text.length, name).toBeLessThan(110_000);
    }
  });

  test.each(Object.entries(INCLUDING))('for %s name the record and its paths', (method, [, given, none]) => {
    const lines = (emitted.generic ?? '').replaceAll(/import\("container-tracking-sdk"\)\./g, '').split('\n');
    expect(lines.find(line => line.includes(`function ${nameOf(method)}<`))).toMatch(ending(given));
    expect(lines.find(line => line.includes(`function ${nameOf(method)}_none(`))).toMatch(ending(none));
  });

  test('for tuples name the paths', () => {
    const text = (emitted.tuples ?? '').replaceAll(/import\("container-tracking-sdk"\)\./g, '');
    expect(text).toContain('function tuple(): APIPromise<Shipment<["containers"]>>;');
    expect(text).toMatch(
      /function condition\(\): APIPromise<Shipment<(\[\] \| \["pod_terminal"\]|\["pod_terminal"\] \| \[\])>>;/,
    );
    expect(text).toContain('function strings(): APIPromise<Shipment<DynamicInclude>>;');
    expect(text).toContain('function items(): Promise<Container<["shipment"]>[]>;');
  });

  test('for webhooks do not name a chunk', async () => {
    expect(await emit(compiler, 'webhooks')).toBe('');
    const text = readFileSync(join(directory, 'webhooks', compiler, 'webhooks.d.ts'), 'utf8');
    expect(text.match(/import\("(?!container-tracking-sdk(\/webhooks)?"\))[^"]*"\)/g)).toBeNull();
    expect(text.match(/^.*\bany\b.*$/gm)).toBeNull();
  }, 120_000);
});

async function emit(compiler: string, project: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
  const args = [tsc, '--project', join(directory, project), '--outDir', join(directory, project, compiler)];
  // If the types were expanded, the compiler would use all available memory.
  const options = { timeout: 100_000, env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=1024' } };
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout || String(error),
  );
}

function config(more: object): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '.',
      skipLibCheck: true,
      types: [],
    },
    ...more,
  });
}

/** All groups of a client, such as `shipments` and `shipments.customFields`. */
function groupsOf(client: TrackingClient): Record<string, object> {
  const groups = Object.entries(client).filter(([name]) => name !== 'rateLimit');
  const nested = groups.flatMap(([name, group]) =>
    Object.entries(group as object).flatMap(([key, value]) =>
      key === 'customFields' ? [[`${name}.${key}`, value as object] as const] : [],
    ),
  );
  client.close();
  return Object.fromEntries([...groups, ...nested]);
}

function methodsOf(groups: Record<string, object>): string[] {
  const methods = Object.entries(groups).flatMap(([path, group]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(group))
      .filter(name => name !== 'constructor')
      .map(name => `${path}.${name}`),
  );
  return [...methods, 'track', 'trackMany', 'search', 'request', 'withOptions'];
}

function takesId(method: string): boolean {
  return !method.endsWith('.list');
}

function nameOf(method: string): string {
  return method.replaceAll('.', '_');
}

function unique(names: string[]): string {
  return [...new Set(names)].join(', ');
}

function ending(type: string): RegExp {
  return new RegExp(`: ${type.replaceAll(/[[\]<>$.]/g, '\\$&')};$`);
}
