import { appendFileSync } from 'node:fs';
import type { FeedCheckpoint } from 'container-tracking-sdk';
import { createRouter, createWorker } from 'container-tracking-sdk/webhooks';
import * as z from 'zod/mini';
import { sandbox } from '../surroundings.ts';

export { appendFileSync, createRouter, createWorker, z };

/** The id of a document that has been read. */
export const id: string =
  sandbox.receiveEmail({ attachments: [{ filename: 'invoice.pdf', content: 'invoice' }] }).documentIds[0] ?? '';
sandbox.advance({ minutes: 5 });

export const position: FeedCheckpoint | undefined = undefined as FeedCheckpoint | undefined;
export const lines: FeedCheckpoint[] = [];

export async function saveChange(_change: object): Promise<void> {}
export async function savePosition(_position: FeedCheckpoint | undefined): Promise<void> {}
