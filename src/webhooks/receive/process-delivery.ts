import { refuseUnknownNames } from '../../internal/arguments.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import { checkHeaderName, checkMethod, checkNumbers } from '../check-options.ts';
import { createEntry, createPoisonEntry } from '../inbox/create-entry.ts';
import type { InboxEntry } from '../inbox/inbox.ts';
import { ignoreErrors, messageOf, report, type WebhookLogger } from '../log.ts';
import { withTimeLimit } from '../time-limit.ts';
import { isForgedSample } from '../verify/forged-sample.ts';
import { type SecretList, secretSource } from '../verify/secrets.ts';
import { parseSignature, signatureHeader } from '../verify/signature.ts';
import { WebhookVerificationError, type WebhookVerificationReason } from '../verify/verification-error.ts';
import { checkVerifying, verifyWebhook } from '../verify/verify.ts';
import { type Answer, answerOf, type Outcome } from './answer.ts';
import type { Delivery } from './delivery.ts';
import { RECEIVER_OPTIONS, type ReceiverOptions } from './receiver-options.ts';

/**
 * The text for the work that a delivery currently waits for. It is the end of the sentence “Not done within 30 ms”.
 */
interface Progress {
  by?: string;
}

const BODY = ' by the client';

export interface DeliveryProcessor {
  /** Never rejects, even if `deliveryOf` throws. */
  answer(deliveryOf: () => Delivery): Promise<Answer>;
  close(): Promise<void>;
}

/** The part of a receiver that is the same for every kind of server. */
export function createDeliveryProcessor(options: ReceiverOptions): DeliveryProcessor {
  refuseUnknownNames('createReceiver()', options, Object.keys(RECEIVER_OPTIONS));
  const { header, maxBodyBytes = 1_048_576, deadlineMs = 5000, logger = consoleLogger } = options;
  const format = checkVerifying(options);
  const secrets = secretSource(options.secrets);
  const sayRefused = refusalLog(logger);
  checkHeaderName(header);
  checkNumbers({ maxBodyBytes, deadlineMs });
  checkMethod('inbox', options.inbox, 'put', 'sqliteInbox()');
  if (options.schema) checkMethod('schema', options.schema, 'safeParse');
  const underWay = new Set<Promise<Answer>>();
  let closed = false;
  /** True if the name of the header that was found is already in the log. */
  let isSaid = false;

  return {
    answer(deliveryOf) {
      const answering = answer(deliveryOf).finally(() => underWay.delete(answering));
      underWay.add(answering);
      return answering;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };

  async function answer(deliveryOf: () => Delivery): Promise<Answer> {
    const progress: Progress = {};
    try {
      return conclude(await withTimeLimit(deadlineMs, signal => receive(deliveryOf(), signal, progress), progress));
    } catch (error) {
      const late = progress.by === BODY ? 'too_slow' : 'unavailable';
      return conclude(error instanceof WebhookVerificationError ? error.reason : late, error);
    }
  }

  async function receive(delivery: Delivery, signal: AbortSignal, progress: Progress): Promise<Outcome> {
    if (delivery.method !== 'POST') return 'not_post';
    if (closed) throw new Error('The receiver is closed.');
    const name = header ?? signatureHeader(delivery.names());
    const signature = name && delivery.header(name.toLowerCase());
    // This is checked before the body is read into memory, because anyone can send a body.
    const digest = parseSignature(signature, format);
    if (Number(delivery.header('content-length')) > maxBodyBytes) return 'too_large';
    progress.by = BODY;
    const body = await delivery.read(maxBodyBytes, signal);
    if (!signal.aborted) progress.by = ' by secrets';
    if (typeof body === 'string') return body;
    const entry = await verifiedEntry(body, signature as string, digest);
    if (!entry) return 'mismatch';
    sayFound(name as string);
    progress.by = ' by inbox.put()';
    const outcome: unknown = await options.inbox.put(entry);
    if (outcome === 'stored' || outcome === 'duplicate') return outcome;
    throw new Error(`inbox.put() resolved to ${outcome}, not 'stored' or 'duplicate'.`);
  }

  /**
   * This is called only for correctly signed deliveries, because anyone can send a header. The header of the sandbox is
   * not logged.
   */
  function sayFound(name: string): void {
    if (isSaid || header || /^x-svc-/i.test(name)) return;
    isSaid = true;
    report(logger, 'warn', 'The signature is in the header', name);
  }

  /** `undefined` for the forged sample of `webhooks.selfCheck`. */
  async function verifiedEntry(
    body: Uint8Array<ArrayBuffer>,
    signature: string,
    digest: Uint8Array<ArrayBuffer>,
  ): Promise<InboxEntry | undefined> {
    const entryBy = async (secrets: SecretList) =>
      createEntry(await verifyWebhook({ ...options, body, signature, secrets }), body, options.orderBy);
    const tried = await secrets.current();
    try {
      return await entryBy(tried).catch(async error => {
        const newer = isReason(error, 'mismatch') && (await secrets.newer(tried));
        if (newer) return entryBy(newer);
        throw error;
      });
    } catch (error) {
      if (isReason(error, 'mismatch') && (await isForgedSample(digest, body, format))) return undefined;
      if (!isReason(error, 'bad_payload') || options.onPoison !== 'accept') throw error;
      return createPoisonEntry((error as Error).message, body);
    }
  }

  function conclude(outcome: Outcome, error?: unknown): Answer {
    const answer = answerOf(outcome);
    const { status } = answer;
    if (status >= 300) {
      // Only the forged sample is a mismatch without an error.
      if (error || outcome !== 'mismatch') sayRefused(outcome, error);
      ignoreErrors(() => options.onRejected?.({ status, reason: outcome, error }));
    }
    return answer;
  }
}

function isReason(error: unknown, reason: WebhookVerificationReason): boolean {
  return error instanceof WebhookVerificationError && error.reason === reason;
}

/** The most frequent cause of each refusal, or the option that decides about the refusal. */
const REMEDY: { [O in Outcome]?: string } = {
  missing_signature: 'See `header`. A proxy may remove it.',
  several_signatures: 'Set `header`.',
  malformed_signature: 'See `header`, `algorithm`, `encoding`, `prefix`.',
  mismatch: '`secrets` must contain the `secret` of the webhook. No proxy may change the body.',
  bad_payload: "Signed, but not a notification. onPoison: 'accept' stores it.",
  too_large: 'See `maxBodyBytes`.',
  incomplete: 'The client left.',
  too_slow: 'See `deadlineMs`.',
  not_post: 'The service only sends POST.',
};

const PERIOD_MS = 60_000;

/**
 * Logs refusals at most once a minute for each reason, so that repeated refusals do not fill the log. If the text of a
 * refusal changes, this limit does not apply.
 */
function refusalLog(logger: false | WebhookLogger): (outcome: Outcome, error: unknown) => void {
  const said = new Map<Outcome, [at: number, count: number, text?: string]>();
  return (outcome, error) => {
    const now = performance.now();
    const remedy = REMEDY[outcome];
    const text = remedy ?? messageOf(error);
    const [at, count, last] = said.get(outcome) ?? [0, 0];
    if (text === last && now - at < PERIOD_MS) said.set(outcome, [at, count + 1, text]);
    else {
      said.set(outcome, [now, 0, text]);
      report(logger, remedy ? 'warn' : 'error', `Webhook requests refused: ${count + 1}, ${outcome}`, text);
    }
  };
}
