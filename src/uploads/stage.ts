import { ConfigurationError } from '../errors.ts';
import { UploadError, type UploadStage } from './errors.ts';

const MESSAGES: Record<UploadStage, string> = {
  hash: 'The checksum of the file could not be computed',
  slot: 'The service did not create an upload slot',
  put: 'The file could not be sent',
  create: 'The document could not be created',
};

/**
 * Runs one stage of an upload. An error becomes an `UploadError` of this stage, except for the reason of the caller's
 * signal and for a `ConfigurationError`.
 */
export async function runStage<T>(
  stage: UploadStage,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof ConfigurationError || error instanceof UploadError) throw error;
    const detail = error instanceof Error ? `: ${error.message}` : '';
    throw new UploadError(stage, `${MESSAGES[stage]}${detail}`, { cause: error });
  }
}
