/** The names that the page about lists uses and does not declare. */
import type { Checkpoint } from 'container-tracking-sdk';

let stored: Checkpoint | undefined;

export async function saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
  stored = checkpoint;
}

export async function loadCheckpoint(): Promise<Checkpoint | undefined> {
  return stored;
}

export async function deleteCheckpoint(): Promise<void> {
  stored = undefined;
}
