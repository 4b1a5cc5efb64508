/**
 * The names that snippets of any page use and do not declare. A snippet imports a name from `given/<page>.ts` if that
 * file exports the name, and otherwise from this file. The compiler uses the types. A run uses the values, which are
 * created again for each snippet.
 */
import { type Checkpoint, type RecoveryCheckpoint, TrackingClient } from 'container-tracking-sdk';
import { memoryInbox } from 'container-tracking-sdk/webhooks';
import { createClient, type RedisClientType } from 'redis';
import { momentarySignal } from './surroundings.ts';

export { TrackingClient };

export const client: TrackingClient = new TrackingClient();
/** The id of a shipment. */
export const id: string = await firstId();
export const bills: string[] = ['MAEU123456789', 'MAEU222222222', 'MAEU333333333'];
export const since: Date = new Date('2026-03-08T00:00:00Z');
/** A signal that aborts after a moment. A snippet may reject with the reason of the signal. */
export const signal: AbortSignal = momentarySignal();

export const inbox = memoryInbox({ ephemeral: true });
/** A Redis client that is not connected, because a snippet must not depend on a running Redis. */
export const redis: RedisClientType = createClient();

export async function save(_record: object): Promise<void> {}
export async function handle(_record: object): Promise<void> {}

let stored: Checkpoint | undefined;
export async function store(checkpoint: Checkpoint): Promise<void> {
  stored = checkpoint;
}
export async function load(): Promise<Checkpoint> {
  return stored ?? (await client.containers.list()).checkpoint;
}

export async function saveCheckpoint(_checkpoint: RecoveryCheckpoint): Promise<void> {}
export async function loadCheckpoint(): Promise<RecoveryCheckpoint | undefined> {
  return undefined;
}

async function firstId(): Promise<string> {
  const { data } = await client.shipments.list({ pageSize: 1 });
  return data[0]?.id ?? '';
}
