import { follow, Scope } from '../internal/signal.ts';
import { includeTree } from '../jsonapi/include.ts';
import { path, resolveEndpoint } from '../transport/endpoint.ts';
import type { Transport } from '../transport/transport.ts';
import type { FeedGroup } from './groups.ts';
import type { Shared } from './spare-budget.ts';
import { type Item, Watcher } from './watcher.ts';

/** The records that the service includes with a notification. */
const NOTIFICATION_TREE = includeTree(['reference_object.*']);

/** A feed that has begun: its watcher, and a worker for its inbox, if there is one. */
export class Session extends Watcher {
  readonly #transport: Transport;
  /** Aborts when the consumer ends the iteration. */
  readonly #left: AbortSignal;

  /** @throws {ConfigurationError} for invalid options. */
  constructor(transport: Transport, group: FeedGroup, type: string, shared: Shared, given: object, left: AbortSignal) {
    const { pace, limiter, observer } = transport;
    const snapshot = () => limiter.snapshot?.().default;
    const readNotification = (id: string, signal: AbortSignal | undefined) =>
      transport.call(
        resolveEndpoint({
          operation: 'webhookNotifications.get',
          type: 'webhook_notification',
          defaultTree: NOTIFICATION_TREE,
          path: path`/webhook_notifications/${id}`,
          options: { signal, priority: 'bulk' },
        }),
        (exchange, decoder) => decoder.one(exchange) as object | Promise<object>,
      );
    super({ type, group, pace, snapshot, shared, observer, readNotification }, given);
    this.#transport = transport;
    this.#left = left;
    // If the consumer ends the iteration before the first item, the generator never runs. Then only this line ends the
    // feed.
    follow(left, { aborted: () => this.end() });
  }

  async *items(): AsyncGenerator<Item, void, undefined> {
    const { inbox, signal } = this.options;
    const worker = inbox && (await this.#worker(inbox)).start();
    const scope = new Scope().follow(signal).follow(this.#left);
    try {
      yield* this.watch(scope.signal);
    } catch (error) {
      if (error !== this.#left.reason) throw error;
    } finally {
      scope.dispose();
      await worker?.stop();
    }
  }

  async #worker(inbox: NonNullable<Watcher['options']['inbox']>) {
    const { createWorker } = await import('../webhooks/work/worker.ts');
    const { observer } = this.#transport;
    const logger = {
      warn: (message: string) => observer.log('warn', message),
      error: (message: string) => observer.log('error', message),
    };
    return createWorker({ inbox, router: { handle: (n, context) => this.handle(n, context?.signal) }, logger });
  }
}
