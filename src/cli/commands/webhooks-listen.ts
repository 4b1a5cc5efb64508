import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrackingClient } from '../../client.ts';
import { nearName } from '../../internal/near-name.ts';
import type { Webhook } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import type { InboxEntry } from '../../webhooks/inbox/inbox.ts';
import { createReceiver } from '../../webhooks/receive/receiver.ts';
import { signWebhook } from '../../webhooks/testing/sign.ts';
import { isSignatureHeader } from '../../webhooks/verify/signature.ts';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  failed,
  type OptionValues,
  onOutputGone,
  portOption,
  textOption,
  wrongUsage,
} from '../command.ts';
import { isForPrograms, say } from '../output/print.ts';
import { printableJson } from '../output/printable.ts';
import { HEADER_DETAILS, HEADER_OPTIONS, signatureHeaderOption } from '../webhook-secret.ts';

const FORWARD_TIMEOUT_MS = 10_000;

export const command: Command = {
  details: `      --url         the https address at which the service reaches this command: that of your tunnel. Without it the
                    webhook has the local address, which only the sandbox reaches
      --port        the local port, 4012 unless given; 0 stands for any free port
      --forward-to  sends each delivery on to this address, with its signature
      --event       an event to subscribe to, all unless given; may be repeated
${HEADER_DETAILS}
      The webhook is made at the start and deleted at the end. Each delivery is verified, printed and acknowledged.
${API_DETAILS}`,
  options: {
    url: { type: 'string' },
    port: { type: 'string', default: '4012' },
    'forward-to': { type: 'string' },
    event: { type: 'string', multiple: true },
    ...HEADER_OPTIONS,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal) => {
      const forward = forwarder(values);
      const wantedPort = portOption(values);
      const events = await eventsOf(values, client, signal);
      const server = createServer();
      const port = await listen(server, wantedPort);
      const ended = endOf(signal);
      let webhook: Webhook | undefined;
      try {
        const url = textOption(values, 'url') ?? `http://127.0.0.1:${port}/`;
        webhook = await client.webhooks.create({ url, active: true, events }, { signal });
        serve(server, webhook, values, forward);
        say(`Listening at ${url} for ${events.length} events. Ctrl+C ends it and deletes the webhook.`);
        await ended;
      } finally {
        await close(server);
        if (webhook) await remove(client, webhook);
      }
    }),
};

/** Also where the terminal is closed, or where nobody reads any more, as after `| head`: the service would go on sending. */
function endOf(signal: AbortSignal): Promise<unknown> {
  return new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    process.once('SIGHUP', resolve);
    onOutputGone(resolve);
  });
}

/** Only the service knows which events there are. */
async function eventsOf(values: OptionValues, client: TrackingClient, signal: AbortSignal): Promise<string[]> {
  const given = values.event as string[] | undefined;
  const categories = await client.webhooks.events({ signal });
  const available = [...new Set(categories.flatMap(({ events }) => events.map(({ name }) => name)))];
  const unknown = given?.find(name => !available.includes(name));
  if (unknown === undefined) return given ?? available;
  const meant = nearName(unknown, available);
  throw wrongUsage(`There is no event ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw wrongUsage(`Port ${port} cannot be used: ${(error as Error).message}`);
  }
}

function serve(server: Server, { secret }: Webhook, values: OptionValues, forward: Forward | undefined): void {
  if (!secret) throw failed('The service has not told the secret of the webhook, so that nothing can be verified.');
  const header = signatureHeaderOption(values);
  /** The header of each delivery under way: anybody can send another at the same time. */
  const found = new AsyncLocalStorage<string | undefined>();
  const receiver = createReceiver({
    secrets: secret,
    header,
    logger: { warn: message => say(printable(message)), error: message => say(printable(message)) },
    inbox: {
      async put(entry) {
        print(values, entry);
        // Acknowledged at once: what the local program makes of it shall not switch the webhook off.
        void forward?.(entry, secret, header ?? found.getStore() ?? '');
        return 'stored';
      },
    },
  });
  server.on('request', (request, response) => {
    found.run(Object.keys(request.headers).find(isSignatureHeader), () => receiver.node(request, response));
  });
}

function print(values: OptionValues, { id, event, group, body, receivedAt }: InboxEntry): void {
  if (isForPrograms(values)) console.log(printableJson(JSON.parse(new TextDecoder().decode(body))));
  else console.log(printable(`${new Date(receivedAt).toISOString()}  ${event}  ${group}  ${id}`));
}

type Forward = (entry: InboxEntry, secret: string, header: string) => Promise<void>;

function forwarder(values: OptionValues): Forward | undefined {
  const address = textOption(values, 'forward-to');
  if (address === undefined) return undefined;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw wrongUsage(`--forward-to must be an http or https address, not ${address}.`);
  }
  return async ({ id, body }, secret, header) => {
    try {
      const headers = { 'content-type': 'application/json', [header]: await signWebhook({ body, secret }) };
      const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
      const answer = await fetch(address, {
        method: 'POST',
        headers,
        body: body as BodyInit,
        redirect: 'manual',
        signal,
      });
      await answer.body?.cancel();
      say(`  forwarded ${printable(id)}: ${answer.status}`);
    } catch (error) {
      say(`  forwarding ${printable(id)} failed: ${printable(messageOf(error))}`);
    }
  };
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function remove(client: TrackingClient, { id }: Webhook): Promise<void> {
  try {
    await client.webhooks.delete(id, { timeout: 10_000 });
  } catch (error) {
    say(`The webhook ${id} could not be deleted: ${printable((error as Error).message)}`);
  }
}
