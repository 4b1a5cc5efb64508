import { expect, test, vi } from 'vitest';
import { StoreError } from '../../src/internal/store-error.ts';
import { createEntry } from '../../src/webhooks/inbox/create-entry.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker, fakeDelivery, parseNotification } from '../../src/webhooks/index.ts';

test('if an inbox is closed before its worker is stopped, stop() does not wait for the lease', async () => {
  const inbox = sqliteInbox(':memory:', { ephemeral: true });
  const body = new TextEncoder().encode(JSON.stringify(fakeDelivery('container.updated')));
  await inbox.put(createEntry(parseNotification(body), body, undefined));
  const logger = { warn: vi.fn(), error: vi.fn() };
  const router = createRouter().otherwise(() => inbox.close());
  const worker = createWorker({ inbox, router, leaseMs: 60_000, logger }).start();
  await vi.waitFor(() => expect(logger.error).toHaveBeenCalled());
  await worker.stop();
  expect(logger.error).toHaveBeenCalledWith(expect.stringContaining('The inbox was closed. Stop the worker first.'));
  const late = inbox.has('1');
  await expect(late).rejects.toBeInstanceOf(StoreError);
  await expect(late).rejects.toMatchObject({ code: 'store_closed' });
}, 5000);
