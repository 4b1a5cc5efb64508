import { createHmac } from 'node:crypto';
import type { Access } from './access.ts';
import { type Command, type OptionValues, textOption } from './command.ts';

export const HEADER_OPTIONS = {
  'signature-header': {
    type: 'string',
    value: 'NAME',
    help: 'the name of the header with the signature, in place of TRACKING_WEBHOOK_HEADER; without both, the only header that fits X-*-Webhook-Signature',
  },
} as const satisfies Command['options'];

/** The name of the header with the signature, if it is known. */
export function signatureHeaderOption(values: OptionValues): string | undefined {
  return textOption(values, 'signature-header') ?? (process.env.TRACKING_WEBHOOK_HEADER || undefined);
}

/** The secret of a webhook. It is never an argument, because every process on the machine can read the command line. */
export function secretFromEnvironment(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return environment.TRACKING_WEBHOOK_SECRET || undefined;
}

/**
 * The secret for samples and forwarded deliveries, unless TRACKING_WEBHOOK_SECRET is set. It is the same in every run
 * with the same key.
 */
export function secretOfKey({ apiKey }: Access): string {
  return createHmac('sha256', apiKey.value).update('container-tracking webhooks listen').digest('hex');
}
