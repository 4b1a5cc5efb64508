import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { TrackingClient } from '../../client.ts';
import { hintOf } from '../../internal/meant-name.ts';
import { endsSoon } from '../../sync/ends-soon.ts';
import { createSync, type Sync } from '../../sync/index.ts';
import { statusOf } from '../../sync/status.ts';
import type { HistoryFields } from '../../sync/store.ts';
import { SYNCED_TYPES, type SyncedType, TABLE_NAMES } from '../../sync/tables/names.ts';
import { createReceiver } from '../../webhooks/receive/receiver.ts';
import type { Secrets } from '../../webhooks/verify/secrets.ts';
import { ACCESS_OPTIONS, type Access, readAccess } from '../access.ts';
import {
  type Command,
  CommandError,
  durationOption,
  EXIT,
  interrupted,
  listOption,
  numberOption,
  type OptionValues,
  onOutputGone,
  portOption,
  wrongUsage,
} from '../command.ts';
import { failureOf } from '../failure.ts';
import { listenOn } from '../listen.ts';
import { print, say } from '../output/print.ts';
import { withServiceNames } from '../output/service-names.ts';
import { stderrLogger } from '../output/stderr-logger.ts';
import { waitsOn } from '../output/waits.ts';
import { metricsOf } from '../sync/metrics.ts';
import { type OpenStore, openStore, STORE_OPTIONS } from '../sync/open-store.ts';
import { probeOf } from '../sync/readiness.ts';
import { planTo, reportTo, statusText, summaryOf } from '../sync/report.ts';
import { webhookSecrets } from '../sync/webhook-secrets.ts';
import { HEADER_OPTIONS, secretFromEnvironment, signatureHeaderOption } from '../webhook-secret.ts';

/** Interval in ms at which the changes are read if there is no webhook. */
const POLL_MS = 300_000;
const POLLED = `reads changes every ${POLL_MS / 60_000} min`;

export const command: Command = {
  about: `Fills the database, then keeps it up to date until you stop it. Without --webhook-url, it reads the changes every ${POLL_MS / 60_000} minutes. You can stop it and start it again at any time, and run several processes at the same time. The API key comes from TRACKING_API_KEY, or from a file that only its owner can read.

On a terminal there is a progress bar, and then a line with the time of the data; otherwise each event is a line of JSON on stdout. With --status, exit code 7 means that the database has not been filled yet, or was not up to date within the duration of --within. With --once, exit code 8 means that another process reads already, so this one ended at once. Exit code 130 means that a signal stopped it before its end.`,
  options: {
    ...STORE_OPTIONS,
    once: { type: 'boolean', help: 'fills the database, or reads everything again, and ends' },
    resync: {
      type: 'string',
      value: 'TABLES',
      multiple: true,
      help: 'reads these tables again, such as containers,shipments, and ends. If another process fills the database, that process reads the tables',
    },
    'dry-run': {
      type: 'boolean',
      help: 'reads everything, or the tables of --resync, prints the number of requests and of the rows that would change, and ends. Writes nothing',
    },
    status: { type: 'boolean', help: 'prints the state of the database, and ends' },
    json: {
      type: 'boolean',
      help: 'with --status: JSON with everything, the checkpoints included; errors are JSON too',
    },
    within: {
      type: 'string',
      value: 'DURATION',
      help: 'with --status or --port: the state must be in step with the service as it was at most so long ago, such as 30m',
    },
    share: {
      type: 'string',
      value: 'NUMBER',
      default: '0.5',
      help: 'the part of the rate limit to use, above 0 and at most 1',
    },
    history: {
      type: 'boolean',
      help: 'keeps each change of estimates, deadlines, holds, fees, the status and the vessel, in the table history',
    },
    'history-fields': {
      type: 'string',
      value: 'NAMES',
      multiple: true,
      help: 'keeps the changes of these fields instead, such as container.current_status,shipment.pod_eta_at',
    },
    'webhook-url': {
      type: 'string',
      value: 'URL',
      help: 'the https address under which the service reaches this command. Without it, the changes are read from lists. The secret of the webhook comes from TRACKING_WEBHOOK_SECRET, else from the service',
    },
    port: {
      type: 'string',
      value: 'PORT',
      help: 'the port that this command listens on, for --webhook-url, for a probe and for Prometheus: GET /ready gets the status 200 if the database is filled and as recent as --within requires, otherwise 503. GET /metrics gets the age of the data and the number of errors. With --webhook-url, 4012 unless given',
    },
    ...HEADER_OPTIONS,
    ...ACCESS_OPTIONS,
  },
  run: runSync,
};

async function runSync(values: OptionValues): Promise<void> {
  if (values.json !== undefined && !values.status) throw wrongUsage('--json needs --status.');
  const once = ['status', 'once', 'resync', 'dry-run'].filter(name => values[name] !== undefined);
  if (once.length > 1 && once.join() !== 'resync,dry-run')
    throw wrongUsage(`--${once[0]} and --${once[1]} exclude each other.`);
  if (once.length > 0 && values['webhook-url'] !== undefined && !values.once)
    throw wrongUsage(`--webhook-url cannot be combined with --${once[0]}.`);
  if (once.length > 0 && values.port !== undefined)
    throw wrongUsage(`--port is for a sync that goes on: leave out --${once[0]}.`);
  if (values.within !== undefined && !values.status && !listens(values))
    throw wrongUsage('--within needs --status or --port.');
  // The task is to fill the database. If nobody reads the output, the command still does the task, and its exit code is
  // correct.
  if (!values.status && !values['dry-run']) onOutputGone(() => {});
  const stopping = new AbortController();
  const { signal } = stopping;
  const interruption = interrupted('Interrupted. The next run goes on after what is saved.');
  const stop = () => stopping.abort(interruption);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  let opened: OpenStore | undefined;
  try {
    opened = await openStore(values, values.status ? 'throw' : values['dry-run'] ? 'empty' : 'create');
    await endsSoon(values.status ? tellStatus(opened, values) : keepInStep(opened, values, signal), signal);
  } catch (error) {
    // A signal is the normal end of a sync that does not end by itself. Otherwise the task is not done.
    if (error === interruption && once.length === 0) return;
    throw failureOf(error);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, stop);
    if (opened) await endsSoon(opened.close(), signal).catch(() => {});
    // A connection that does not respond would keep the process alive, so the process exits after a second.
    if (signal.aborted) setTimeout(() => process.exit(), 1000).unref();
  }
}

/** True if the command has an HTTP server, for deliveries or for a probe. */
function listens(values: OptionValues): boolean {
  return values.port !== undefined || values['webhook-url'] !== undefined;
}

function withinOption(values: OptionValues): number {
  return values.within === undefined ? Infinity : durationOption(values, 'within');
}

async function tellStatus({ store, description }: OpenStore, values: OptionValues): Promise<void> {
  const within = withinOption(values);
  const status = await statusOf({ store });
  const isFilled = status.checkpoints.some(({ name }) => name === 'filled');
  const shown = values.json ? status : { isFilled, ...summaryOf(status) };
  await print(
    process.stdout.isTTY && !values.json ? statusText(description, status) : JSON.stringify(withServiceNames(shown)),
  );
  if (!isFilled)
    throw new CommandError('The database has not been filled yet.', EXIT.pending, {
      code: 'not_filled',
      retryable: true,
    });
  if (Date.now() - (status.readAt ?? 0) > within)
    throw new CommandError('The database is behind the service.', EXIT.pending, { code: 'behind', retryable: true });
}

async function keepInStep({ store }: OpenStore, values: OptionValues, signal: AbortSignal): Promise<void> {
  // On a machine with much memory, V8 lets garbage grow to several times the memory in use. This command may run beside
  // an app, so this option keeps the heap small.
  setFlagsFromString('--optimize-for-size');
  const access = await readAccess(values);
  try {
    await keepInStepWith(access, store, values, signal);
  } catch (error) {
    throw failureOf(error, access);
  }
}

async function keepInStepWith(
  { apiKey, baseUrl }: Access,
  store: OpenStore['store'],
  values: OptionValues,
  signal: AbortSignal,
): Promise<void> {
  const share = numberOption(values, 'share');
  const history = historyOf(values);
  const tables = tablesOf(values);
  const client = new TrackingClient({
    baseUrl: baseUrl.value,
    apiKey: apiKey.value,
    logger: stderrLogger,
    hooks: waitsOn({ isTTY: false }),
  });
  const url = values['webhook-url'] as string | undefined;
  const secret = secretFromEnvironment();
  const webhook = url === undefined ? undefined : { url, secret, header: signatureHeaderOption(values) };
  const sync = createSync({ client, store, share, webhook, history, every: { poll: POLL_MS }, logger: false });
  const goesOn = values.once || values['dry-run'] || tables ? undefined : webhook ? 'gets notifications' : POLLED;
  const endReport = reportTo(sync, process.stdout, goesOn);
  let server: Awaited<ReturnType<typeof listen>> | undefined;
  try {
    if (values.once) return void (await sync.once({ signal }));
    if (values['dry-run']) return planTo(process.stdout, await sync.dryRun({ tables, signal }));
    if (tables) {
      await sync.migrate({ signal });
      if (!(await sync.resync({ tables, signal })))
        say('The process that reads into this database has read the tables.');
      return;
    }
    const secrets = url === undefined ? undefined : (secret ?? webhookSecrets({ client, sync, url, signal }));
    server = listens(values) ? await listen(sync, client, values, secrets) : undefined;
    await sync.run({ signal });
  } finally {
    endReport();
    await server?.close();
  }
}

/** The record types of --resync. @throws {CommandError} for a name that is not a table of sync. */
function tablesOf(values: OptionValues): SyncedType[] | undefined {
  const names = listOption(values, 'resync');
  if (values.resync !== undefined && names.length === 0)
    throw wrongUsage('--resync needs a table, such as containers.');
  const tables = Object.values(TABLE_NAMES);
  const types = names.map(name => {
    const type = SYNCED_TYPES.find(known => TABLE_NAMES[known] === name);
    if (!type)
      throw wrongUsage(`--resync cannot have ${name}; the tables are ${tables.join(', ')}.${hintOf(name, tables)}`);
    return type;
  });
  return names.length > 0 ? types : undefined;
}

/** The fields of --history-fields, grouped by the type of their record: `container` for `container.current_status`. */
function historyOf(values: OptionValues): true | { fields: HistoryFields } | undefined {
  const names = listOption(values, 'history-fields');
  if (names.length === 0) return values.history === true ? true : undefined;
  const fields: Record<string, string[]> = {};
  for (const name of names) {
    const [type = '', field] = name.split('.');
    if (!field)
      throw wrongUsage(`--history-fields needs a type and a field, such as container.pickup_lfd, not ${name}.`);
    fields[type] = [...(fields[type] ?? []), field];
  }
  return { fields };
}

/**
 * Responds to a probe and to Prometheus. With secrets, it also receives deliveries, and commits each delivery to the database before it is
 * acknowledged.
 */
async function listen(
  sync: Sync,
  client: TrackingClient,
  values: OptionValues,
  secrets: Secrets | undefined,
): Promise<{ close(): Promise<void> }> {
  const header = signatureHeaderOption(values);
  const receiver =
    secrets === undefined ? undefined : createReceiver({ secrets, inbox: sync.inbox, header, logger: stderrLogger });
  const probe = probeOf(sync, withinOption(values));
  const metrics = metricsOf(sync, client);
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/ready') probe(response);
    else if (request.method === 'GET' && request.url === '/metrics') metrics(response);
    else if (receiver) receiver.node(request, response);
    else response.writeHead(404).end();
  });
  const port = await listenOn(server, values.port === undefined ? 4012 : portOption(values));
  say(`Listening for ${receiver ? 'deliveries' : 'probes'} on port ${port}.`);
  return {
    async close() {
      await receiver?.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
