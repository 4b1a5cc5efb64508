import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { printable } from '../../printable.ts';
import { WebhookVerificationError } from '../../webhooks/verify/verification-error.ts';
import { verifyWebhook } from '../../webhooks/verify/verify.ts';
import { type Command, failed, neededOption, wrongUsage } from '../command.ts';
import { failureOf } from '../failure.ts';
import { fileProblem } from '../files.ts';
import { printValue } from '../output/print.ts';
import { secretFromEnvironment } from '../webhook-secret.ts';

export const command: Command = {
  about:
    'Reads the body from the file, or from the standard input, and the secret from TRACKING_WEBHOOK_SECRET. The body must have the bytes that were received.',
  options: {
    signature: {
      type: 'string',
      value: 'TEXT',
      help: 'the value of the header with the signature, X-*-Webhook-Signature; the name of the header does not matter',
    },
    json: { type: 'boolean', help: 'JSON also on a terminal' },
  },
  arguments: ['[FILE]'],
  async run(values, [file]) {
    const signature = neededOption(values, 'signature');
    const secrets = secretFromEnvironment();
    if (secrets === undefined) throw failed('The secret is missing. Set TRACKING_WEBHOOK_SECRET.');
    try {
      const notification = await verifyWebhook({ body: await bodyFrom(file), signature, secrets });
      const { event, id } = notification;
      await printValue(values, notification, () => printable(`The signature is right: ${event}, ${id}`));
    } catch (error) {
      if (error instanceof WebhookVerificationError) throw failed(printable(`${messageOf(error)} (${error.reason})`));
      throw failureOf(error);
    }
  },
};

/** If only the body is wrong, the message says that the signature is right, so that nobody looks for a wrong secret. */
function messageOf({ reason, message }: WebhookVerificationError): string {
  return reason === 'bad_payload' ? `The signature is right, but the body is wrong. ${message}` : message;
}

async function bodyFrom(file: string | undefined): Promise<Uint8Array> {
  if (file === undefined || file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw wrongUsage(fileProblem(file, 'read', error));
  }
}
