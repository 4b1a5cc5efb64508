import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import type { TrackingClient } from '../../client.ts';
import { hintOf } from '../../internal/meant-name.ts';
import { messageWithCause } from '../../internal/message-with-cause.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';
import type { Webhook } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import type { InboxEntry } from '../../webhooks/inbox/inbox.ts';
import { createReceiver } from '../../webhooks/receive/receiver.ts';
import { signWebhook } from '../../webhooks/testing/sign.ts';
import { isSignatureHeader } from '../../webhooks/verify/signature.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  failed,
  type OptionValues,
  onOutputGone,
  portOption,
  textOption,
  wrongUsage,
} from '../command.ts';
import { listenOn } from '../listen.ts';
import { numberIn } from '../number-in-body.ts';
import { counted, isForPrograms, print, say } from '../output/print.ts';
import { printableJson } from '../output/printable.ts';
import { refusalsOnce } from '../refused-requests.ts';
import { HEADER_OPTIONS, secretFromEnvironment, secretOfKey, signatureHeaderOption } from '../webhook-secret.ts';
import { checkReachable } from '../webhook-url.ts';

const FORWARD_TIMEOUT_MS = 10_000;

export const command: Command = {
  about:
    'The webhook is made at the start and deleted at the end. Each delivery is verified, printed and acknowledged. Forwarded deliveries are signed with the secret of TRACKING_WEBHOOK_SECRET. Your program verifies them with this secret. Without that variable, the secret is the same in every run with the same API key, and is printed at the start. A sample from the command "webhooks trigger", with the same settings, is accepted too.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      help: 'the https address at which the service reaches this command: the address of your tunnel. Without it the webhook has the local address, which only the sandbox reaches',
    },
    port: { type: 'string', value: 'PORT', default: '4012', help: 'the local port; 0 stands for any free port' },
    'forward-to': { type: 'string', value: 'URL', help: 'sends each delivery on to this address, signed anew' },
    event: {
      type: 'string',
      value: 'EVENT',
      multiple: true,
      help: 'an event to subscribe to, all unless given',
      values: EVENT_NAMES,
    },
    ...HEADER_OPTIONS,
    ...API_OPTIONS,
  },
  run: values =>
    withClient(values, async (client, signal, access) => {
      checkReachable(textOption(values, 'url'), access);
      const forward = forwarder(values);
      const wantedPort = portOption(values);
      const events = await eventsOf(values, client, signal);
      const server = createServer();
      const port = await listenOn(server, wantedPort, '127.0.0.1');
      const ended = endOf(signal);
      let webhook: Webhook | undefined;
      try {
        const given = textOption(values, 'url');
        const url = given ?? `http://127.0.0.1:${port}/`;
        // A run that was killed has left its webhook. Nobody else can listen at this local address.
        const all = given === undefined ? await client.webhooks.list({ pageSize: 100, signal }).toArray() : [];
        for (const left of all) if (left.url === url) await remove(client, left);
        webhook = await client.webhooks.create({ url, active: true, events }, { signal });
        if (!webhook.secret)
          throw failed('The service does not send the secret of the webhook: no delivery can be verified.');
        const own = secretFromEnvironment();
        const ofKey = secretOfKey(access);
        const secrets = [webhook.secret, ofKey, ...(own ? [own] : [])] as const;
        serve(server, values, secrets, forward && ((entry, header) => forward(entry, header, own ?? ofKey)));
        if (forward) {
          const source = own ? 'of TRACKING_WEBHOOK_SECRET' : `${ofKey}, which your program needs to verify them`;
          say(`Deliveries are forwarded, signed with the secret ${source}.`);
        }
        say(`Listening at ${url} for ${counted(events.length, 'event')}. Ctrl+C ends it and deletes the webhook.`);
        await ended;
      } finally {
        await close(server);
        if (webhook) await remove(client, webhook);
      }
    }),
};

/**
 * Resolves after Ctrl+C, when the terminal is closed, and when nobody reads the output any more, as after `| head`.
 * Otherwise the webhook would stay, and the service would continue to send.
 */
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
  throw wrongUsage(`There is no event ${unknown}.${hintOf(unknown, available)}`);
}

function serve(
  server: Server,
  values: OptionValues,
  secrets: readonly [string, ...string[]],
  forward: ((entry: InboxEntry, header: string) => Promise<void>) | undefined,
): void {
  const header = signatureHeaderOption(values);
  /**
   * The signature header of each delivery in progress. Deliveries do not share it, because anybody can send another
   * header at the same time.
   */
  const found = new AsyncLocalStorage<string | undefined>();
  const receiver = createReceiver({
    secrets,
    header,
    logger: { warn() {}, error: message => say(printable(message)) },
    onRejected: refusalsOnce(),
    inbox: {
      async put(entry) {
        await show(values, entry);
        // Acknowledges without waiting for the local program: its failures must not deactivate the webhook.
        void forward?.(entry, header ?? found.getStore() ?? '');
        return 'stored';
      },
    },
  });
  server.on('request', (request, response) => {
    found.run(Object.keys(request.headers).find(isSignatureHeader), () => receiver.node(request, response));
  });
}

function show(values: OptionValues, { id, event, group, body, receivedAt }: InboxEntry): Promise<void> {
  if (isForPrograms(values)) return print(printableJson(JSON.parse(new TextDecoder().decode(body))));
  return print(printable(`${new Date(receivedAt).toISOString()}  ${event}  ${numberIn(body) ?? group}  ${id}`));
}

type Forward = (entry: InboxEntry, header: string, secret: string) => Promise<void>;

function forwarder(values: OptionValues): Forward | undefined {
  const address = textOption(values, 'forward-to');
  if (address === undefined) return undefined;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw wrongUsage(`--forward-to must be an http or https address, not ${address}.`);
  }
  return async ({ id, event, body }, header, secret) => {
    const name = printable(`${event} ${id}`);
    try {
      const headers = { 'content-type': 'application/json', [header]: await signWebhook({ body, secret }) };
      const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
      const response = await fetch(address, {
        method: 'POST',
        headers,
        body: body as BodyInit,
        redirect: 'manual',
        signal,
      });
      await response.body?.cancel();
      say(`  forwarded ${name}: ${response.status}`);
    } catch (error) {
      say(`  forwarding ${name} failed: ${printable(messageWithCause(error))}`);
    }
  };
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
