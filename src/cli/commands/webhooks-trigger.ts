import type { TrackingClient } from '../../client.ts';
import { EVENT_NAMES } from '../../model/generated/event-names.ts';
import { isLoopback } from '../../transport/settings.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, failed, textOption, wrongUsage } from '../command.ts';
import { FIELDS_OPTION, printValue, say, withKnownFields } from '../output/print.ts';
import { paragraph } from '../output/table.ts';
import { secretFromEnvironment, secretOfKey } from '../webhook-secret.ts';
import { checkReachable } from '../webhook-url.ts';
import { checkEvent } from './webhooks.ts';

export const command: Command = {
  about:
    'The sample is signed with the secret in TRACKING_WEBHOOK_SECRET. Without it, the secret of the command "webhooks listen" is used, which that command prints with --forward-to. In a pipe, the output has the outcome; with --json, also the headers and the body of the request and of the response.',
  options: {
    url: {
      type: 'string',
      value: 'URL',
      help: 'the https address that the sample is sent to; without it, the local address of the command "webhooks listen"',
    },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['EVENT'],
  argumentValues: EVENT_NAMES,
  run: async (values, [event = '']) => {
    checkEvent(event);
    await withClient(values, async (client, signal, access) => {
      const url = textOption(values, 'url') ?? (await listeningAt(client, signal));
      checkReachable(url, access);
      const own = secretFromEnvironment();
      const secret = own ?? secretOfKey(access);
      const result = await client.webhooks.trigger({ url, event, secret }, { signal });
      // The body of a response says why the receiver refuses the sample. With a status, `error` only repeats the
      // status.
      const reason = result.status_code === null ? result.error : result.response_body;
      const outcome = () =>
        `${url} answered ${result.status_code ?? 'nothing'}${reason ? `: ${reason.slice(0, 200)}` : ''}`;
      const { request_headers: _, request_body: __, response_headers: ___, ...short } = result;
      const isWhole = values.json === true || values.fields !== undefined;
      await printValue(withKnownFields(values, result), isWhole ? result : short, () => paragraph(outcome()));
      if (result.succeeded) return;
      const source = own
        ? 'the secret of TRACKING_WEBHOOK_SECRET'
        : 'the secret of webhooks listen, because TRACKING_WEBHOOK_SECRET is not set';
      const refusal = ` The sample was signed with ${source}: the receiver needs the same secret.`;
      throw failed(`The delivery failed.${result.status_code === 401 ? refusal : ''}`);
    });
  },
};

/**
 * The local address of a running command "webhooks listen".
 *
 * @throws {CommandError} unless the account has exactly one webhook with a local address.
 */
async function listeningAt(client: TrackingClient, signal: AbortSignal): Promise<string> {
  const webhooks = await client.webhooks.list({ pageSize: 100, signal }).toArray();
  const urls = [...new Set(webhooks.flatMap(({ active, url }) => (active && url ? [url] : [])))];
  const [local, ...others] = urls.filter(url => URL.canParse(url) && isLoopback(new URL(url).hostname));
  if (local === undefined || others.length > 0) {
    const known = urls.length > 0 ? ` Your active webhooks have: ${urls.join(', ')}.` : '';
    throw wrongUsage(`--url is missing.${known}`);
  }
  say(`--url is missing, so the sample goes to ${local}, the address of a local webhook.`);
  return local;
}
