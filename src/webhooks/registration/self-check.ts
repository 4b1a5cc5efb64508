import { objectArgument, requiredText } from '../../internal/arguments.ts';
import type { EventName, NamedEvent, TriggerResult, WebhookTrigger } from '../../model/index.ts';
import type { RequestOptions } from '../../options.ts';
import { FORGED_SAMPLE_SECRET } from '../verify/forged-sample.ts';
import { signatureHeader } from '../verify/signature.ts';
import { WebhookVerificationError } from '../verify/verification-error.ts';
import { verifyWebhook } from '../verify/verify.ts';

/**
 * The fault of a webhook endpoint, as sample deliveries show it.
 * - `unreachable`: it did not respond.
 * - `refused`: it did not acknowledge a sample with the right signature.
 * - `bad_signature`: the signature of the service does not have the format that this package expects.
 * - `not_verified`: it acknowledged a sample with a wrong signature. A static page would also do this.
 */
export type SelfCheckProblem = 'unreachable' | 'refused' | 'bad_signature' | 'not_verified';

/** The result of a self-check of a webhook endpoint. */
export type SelfCheck =
  | {
      ok: true;
      /** The finding, as a text for people. */
      message: string;
      /** The service's report of the sample delivery. */
      delivery: TriggerResult;
    }
  | {
      ok: false;
      /** The fault. */
      problem: SelfCheckProblem;
      /** The finding, as a text for people. */
      message: string;
      /** The service's report of the sample delivery. */
      delivery: TriggerResult;
    };

/** Options of `webhooks.selfCheck`. */
export interface SelfCheckOptions<E extends string = EventName> {
  /** The endpoint. Must be https. */
  url: string;
  /** The `secret` of the webhook. */
  secret: string;
  /**
   * The event of the sample.
   * @default 'tracking_request.succeeded'
   */
  event?: NamedEvent<E> | undefined;
  /**
   * Name of the header with the signature.
   * @default the only header with a name like `X-*-Webhook-Signature`
   */
  header?: string | undefined;
}

/** Makes the service send a sample. */
export interface SampleSender {
  trigger(sample: WebhookTrigger<string>, options: RequestOptions | undefined): PromiseLike<TriggerResult>;
}

/**
 * Sends a sample with a wrong signature, then a sample with the right signature. @throws {ConfigurationError} without
 * `secret`.
 */
export async function selfCheck(
  webhooks: SampleSender,
  check: SelfCheckOptions<string>,
  options: RequestOptions | undefined,
): Promise<SelfCheck> {
  const {
    url,
    secret,
    event = 'tracking_request.succeeded',
    header,
  } = objectArgument('The argument', check, '{ url, secret }');
  requiredText('secret', secret);
  const forgery = await webhooks.trigger({ url, event, secret: FORGED_SAMPLE_SECRET }, options);
  if (forgery.succeeded) return judgeForgery(forgery);
  const delivery = await webhooks.trigger({ url, event, secret }, options);
  return judgeDelivery(delivery, { secret, header });
}

/** Evaluates the report of a delivery that had a wrong signature and was acknowledged. */
function judgeForgery(delivery: TriggerResult): SelfCheck {
  const message = `${delivery.url} acknowledged a sample with a wrong signature, so it does not verify.`;
  return { ok: false, problem: 'not_verified', message, delivery };
}

/** Evaluates the report of a triggered delivery: its signature, its arrival, and its acknowledgement. */
async function judgeDelivery(
  delivery: TriggerResult,
  { secret, header }: Pick<SelfCheckOptions, 'secret' | 'header'>,
): Promise<SelfCheck> {
  const failed = (problem: SelfCheckProblem, message: string): SelfCheck => ({ ok: false, problem, message, delivery });
  try {
    const name = header ?? signatureHeader(Object.keys(delivery.request_headers));
    const signature = headerOf(delivery.request_headers, name ?? '');
    await verifyWebhook({ body: delivery.request_body, signature, secrets: secret });
  } catch (error) {
    // The content of a sample does not matter here: only the signature is checked.
    if (!(error instanceof WebhookVerificationError)) throw error;
    if (error.reason !== 'bad_payload') {
      return failed('bad_signature', `The signature of the service has an unexpected format: ${error.message}`);
    }
  }
  if (delivery.succeeded) return { ok: true, message: `${delivery.url} acknowledged a signed sample.`, delivery };
  if (delivery.status_code === null) {
    return failed('unreachable', `${delivery.url} did not respond (${delivery.error ?? 'no reason'}).`);
  }
  const hint = delivery.status_code === 401 ? ' Does it verify with the same secret, over the raw body?' : '';
  return failed(
    'refused',
    `${delivery.url} responded ${delivery.status_code}; 200, 201, 202 or 204 acknowledge.${hint}`,
  );
}

function headerOf(headers: Record<string, unknown>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof found === 'string' ? found : undefined;
}
