import { printable } from '../../printable.ts';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import { type Command, failed, textOption, wrongUsage } from '../command.ts';
import { printValue } from '../output/print.ts';
import { secretFromEnvironment } from '../webhook-secret.ts';

export const command: Command = {
  details: `      --url  the https address that the sample is sent to
      The sample is signed with the secret in TRACKING_WEBHOOK_SECRET, if there is one.
${API_DETAILS}`,
  options: { url: { type: 'string' }, ...API_OPTIONS },
  arguments: ['EVENT'],
  run: (values, [event = '']) =>
    withClient(values, async (client, signal) => {
      const url = textOption(values, 'url');
      if (url === undefined) throw wrongUsage('--url is missing.');
      const secret = secretFromEnvironment();
      const result = await client.webhooks.trigger({ url, event, secret }, { signal });
      // A receiver says in its body why it refuses, and a status in `error` is in the sentence already.
      const reason = result.status_code === null ? result.error : result.response_body;
      const outcome = () =>
        `${url} answered ${result.status_code ?? 'nothing'}${reason ? `: ${reason.slice(0, 200)}` : ''}`;
      printValue(values, result, () => printable(outcome()));
      if (!result.succeeded) throw failed('The delivery failed.');
    }),
};
