/**
 * Checks the manifests in the guides. Readers copy the manifests, and a mistake becomes visible only when they are
 * applied.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { pathsOfPages, ROOT } from '../../support/docs/pages.ts';

interface Container {
  name?: string;
  image?: string;
  command?: unknown[];
  ports?: { containerPort: number }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}
interface Probe {
  httpGet?: { path: string; port: number };
  tcpSocket?: { port: number };
}
interface Template {
  metadata?: { labels?: object };
  spec?: { containers?: Container[]; restartPolicy?: string };
}
interface AlertRules {
  groups: { rules: { alert?: string; expr?: string }[] }[];
}
interface Manifest {
  apiVersion?: string;
  kind?: string;
  metadata?: { name?: string };
  spec?: {
    selector?: { matchLabels?: object };
    template?: Template;
    schedule?: string;
    jobTemplate?: { spec?: { template?: Template } };
  };
}

interface Service {
  apiVersion?: string;
  metadata?: { name?: string };
  spec: { selector: object; ports: { targetPort: number }[] };
}

const API_VERSIONS: Record<string, string> = { Deployment: 'apps/v1', CronJob: 'batch/v1' };
const FENCES = pathsOfPages().flatMap(page => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/^ *```ya?ml\n([\s\S]*?)^ *```$/gm), ([, yaml = ''], index) => ({
    name: `${page}, block ${index + 1}`,
    yaml,
  }));
});

test('the pages have blocks of YAML', () => {
  expect(FENCES.length).toBeGreaterThan(0);
});

test.each(FENCES)('$name is valid YAML, and its manifests are complete', ({ yaml }) => {
  expect(faultsOf(yaml)).toEqual([]);
});

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: a }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec: { containers: [{ name: a, image: a, ports: [{ containerPort: 1 }], livenessProbe: { tcpSocket: { port: 1 } } }] }
`;
const CRON_JOB = `apiVersion: batch/v1
kind: CronJob
metadata: { name: a }
spec:
  schedule: "0 3 * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } } }
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: a }
spec: { selector: { app: a }, ports: [{ port: 80, targetPort: 1 }] }
`;

test('complete manifests have no fault', () => {
  expect(faultsOf(`${DEPLOYMENT}---\n${CRON_JOB}---\n${SERVICE}`)).toEqual([]);
});

test.each([
  ['targetPort: 1', 'targetPort: 2', 'a service sends to port 2, which none of its pods opens'],
  ['app: a', 'app: b', 'a service sends to port 1, which none of its pods opens'],
])('a fault of a service is reported: %j becomes %j', (from, to, fault) => {
  expect(faultsOf(`${DEPLOYMENT}---\n${SERVICE.replace(from, to)}`)).toEqual([fault]);
});

test('a rule without an expression is a fault', () => {
  const rules = (rule: string) => faultsOf(`groups: [{ name: a, rules: [{ ${rule} }] }]`);
  expect([rules('alert: A, expr: a > 0'), rules('alert: A')]).toEqual([[], ['a rule needs an alert and an expr']]);
});

test.each([
  ['kind: [', '', 'YAML'],
  ['kind: Deployment', 'kind: Deployment\nkind: Deployment', 'YAML'],
  ['apps/v1', 'v1', 'a Deployment is of apps/v1'],
  ['metadata: { name: a }', 'metadata: {}', 'it has no name'],
  ['labels: { app: a }', 'labels: { app: b }', 'its selector does not choose its pods'],
  ['image: a', 'command: [a]', 'a container needs a name and an image'],
  ['containers: [', 'others: [', 'it has no containers'],
  ['port: 1', 'port: 2', 'a probe asks port 2, which no container opens'],
])('a fault of a deployment is reported: %j becomes %j', (from, to, fault) => {
  const changed = DEPLOYMENT.includes(from) ? DEPLOYMENT.replace(from, to) : `${DEPLOYMENT}${from}`;
  expect(faultsOf(changed)).toContainEqual(expect.stringContaining(fault));
});

test.each([
  ['0 3 * * *', '3 * * *', 'a schedule has five fields'],
  ['restartPolicy: Never', 'restartPolicy: Always', 'the pods of a job are not always restarted'],
])('a fault of a job is reported: %j becomes %j', (from, to, fault) => {
  expect(faultsOf(CRON_JOB.replace(from, to))).toEqual([fault]);
});

function faultsOf(yaml: string): string[] {
  const documents = parseAllDocuments(yaml);
  const faults = [...documents].flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  if (faults.length > 0) return faults.map(({ message }) => `YAML: ${message}`);
  const values = [...documents].map(document => document.toJS() as Manifest | Service | AlertRules);
  return values.flatMap(value => {
    if ('groups' in value) return faultsOfAlerts(value);
    return isService(value) ? faultsOfService(value, values) : faultsOfManifest(value as Manifest);
  });
}

function faultsOfAlerts({ groups }: AlertRules): string[] {
  const rules = groups.flatMap(({ rules }) => rules);
  return rules.filter(({ alert, expr }) => !alert || !expr).map(() => 'a rule needs an alert and an expr');
}

function isService(value: object): value is Service {
  return 'kind' in value && value.kind === 'Service';
}

function faultsOfService({ apiVersion, metadata, spec }: Service, others: object[]): string[] {
  const pods = (others as Manifest[])
    .map(({ spec }) => spec?.template)
    .filter(template => JSON.stringify(template?.metadata?.labels) === JSON.stringify(spec.selector));
  const open = pods.flatMap(pod => pod?.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  return [
    apiVersion !== 'v1' && 'a Service is of v1',
    !metadata?.name && 'it has no name',
    ...spec.ports.map(
      ({ targetPort }) =>
        !open.some(({ containerPort }) => containerPort === targetPort) &&
        `a service sends to port ${targetPort}, which none of its pods opens`,
    ),
  ].filter(fault => typeof fault === 'string');
}

function faultsOfManifest({ apiVersion, kind = '', metadata, spec }: Manifest): string[] {
  const expected = API_VERSIONS[kind];
  const template = spec?.template ?? spec?.jobTemplate?.spec?.template;
  const containers = template?.spec?.containers ?? [];
  const ports = containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
  const probed = containers.flatMap(({ readinessProbe, livenessProbe }) =>
    [readinessProbe, livenessProbe].flatMap(probe => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? []),
  );
  const selects = JSON.stringify(spec?.selector?.matchLabels) === JSON.stringify(template?.metadata?.labels);
  const isJob = kind === 'CronJob';
  return [
    !expected && `nobody here knows the kind "${kind}"`,
    expected && apiVersion !== expected && `a ${kind} is of ${expected}`,
    !metadata?.name && 'it has no name',
    containers.length === 0 && 'it has no containers',
    containers.some(({ name, image }) => !name || !image) && 'a container needs a name and an image',
    ...probed.map(port => !ports.includes(port) && `a probe asks port ${port}, which no container opens`),
    !isJob && !(spec?.selector && selects) && 'its selector does not choose its pods',
    isJob && spec?.schedule?.split(' ').length !== 5 && 'a schedule has five fields',
    isJob &&
      !['Never', 'OnFailure'].includes(template?.spec?.restartPolicy ?? '') &&
      'the pods of a job are not always restarted',
  ].filter(fault => typeof fault === 'string');
}
