import { ConfigurationError } from '../errors.ts';
import { UploadError, type UploadStage } from './errors.ts';

const FAILED: Record<UploadStage, string> = {
  hash: 'The checksum of the file could not be computed',
  slot: 'The service gave no place to send the file to',
  put: 'The file could not be sent',
  create: 'The document could not be created',
};

/**
 * Does one step of an upload. What it throws becomes an `UploadError`, but for the reason of the caller's signal and for
 * mistakes of the program.
 */
export async function during<T>(
  stage: UploadStage,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof ConfigurationError || error instanceof UploadError) throw error;
    const detail = error instanceof Error ? `: ${error.message}` : '';
    throw new UploadError(stage, `${FAILED[stage]}${detail}`, { cause: error });
  }
}
