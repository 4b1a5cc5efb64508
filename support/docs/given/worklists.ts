import type { FeedCheckpoint } from 'container-tracking-sdk';

export async function loadPosition(): Promise<FeedCheckpoint | undefined> {
  return undefined;
}
export async function savePosition(_position: FeedCheckpoint | undefined): Promise<void> {}
