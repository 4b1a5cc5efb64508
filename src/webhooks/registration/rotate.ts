import { ConfigurationError, NotFoundError, ResponseFormatError } from '../../errors.ts';
import { objectArgument, requiredText } from '../../internal/arguments.ts';
import type { Webhook } from '../../model/index.ts';
import type { RequestOptions } from '../../options.ts';
import { type WebhookRegistry, webhooksAt } from './ensure.ts';

/** The secrets that receivers must accept during a rotation. */
export interface RotatedSecrets {
  /** The secret of the new webhook, which sends nothing yet. */
  secret: string;
  /** The new secret, then the secrets of the webhooks that are still active, if the service sends them. */
  secrets: string[];
}

/** The options of `webhooks.rotateSecret`. */
export interface SecretRotation {
  /** The address whose webhooks are replaced. */
  url: string;
  /**
   * Passes the new secret to every receiver, in addition to its current secret. It must resolve only when all receivers
   * accept both secrets, because the new webhook then begins to send. If it rejects, nothing changes.
   */
  deploy(secrets: RotatedSecrets): PromiseLike<void> | void;
}

/**
 * Replaces the webhooks of an address by a webhook with a new secret. At each moment, the receivers have the secret of
 * an active webhook. If a run is interrupted, old and new webhooks may remain. The next run replaces all of them.
 */
export async function rotateSecret(
  webhooks: WebhookRegistry,
  rotation: SecretRotation,
  options: RequestOptions | undefined,
): Promise<Webhook> {
  const { url, deploy } = objectArgument('The argument', rotation, '{ url, deploy }');
  requiredText('url', url);
  if (typeof deploy !== 'function') {
    throw new ConfigurationError('deploy is missing; it must be a function.');
  }
  const old = await webhooksAt(webhooks, url, options);
  const [first] = old;
  if (!first) throw new ConfigurationError(`No webhook has the url ${url}. Call webhooks.ensure.`);
  const sending = old.filter(({ active }) => active);
  const events = [...new Set((sending.length > 0 ? sending : old).flatMap(webhook => webhook.events))];
  const headers = first.headers ?? undefined;
  const attributes = { url: first.url, events: events.length > 0 ? events : undefined, headers };
  const { id, secret } = await webhooks.create({ ...attributes, active: false }, options);
  if (!secret) {
    const answer = { status: 201, method: 'POST', path: '/webhooks', requestId: undefined };
    throw new ResponseFormatError('The service has not named the secret of the new webhook.', answer);
  }
  await deploy({ secret, secrets: [secret, ...sending.flatMap(webhook => webhook.secret ?? [])] });
  const replacement = await webhooks.update(id, { active: true }, options);
  for (const webhook of old) {
    try {
      await webhooks.delete(webhook.id, options);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return { ...replacement, secret };
}
